//! The one gate for acts that need a recent proof: an access rule around another. Pages and API have the
//! same, so that what one of them asks for cannot be done without it by the other.
//!
//! Whether some acts need a proof depends on their body; their handlers call [`Sessions::check_proved`] when
//! they have read that.

use super::{
    ApiRequest, Sessions, SignedIn,
    access::{Access, Security},
};
use domain::shared::Fault;
use http::{Method, StatusCode};

/// A caller who may be a person with a session.
pub(crate) trait HasSession: Send + Sync {
    /// The session; `None` for a caller who needs no proof, such as a token.
    fn session(&self) -> Option<&SignedIn>;
}

impl HasSession for SignedIn {
    fn session(&self) -> Option<&SignedIn> {
        Some(self)
    }
}

/// See [`proved`].
#[derive(Debug, Clone, Copy)]
pub(crate) struct Proved<A>(A);

/// Asks for a recent proof after a rule: 403 `proofRequired` without one. It is asked for after the CSRF
/// token and before the body is read; a caller without a session is let in as the rule says.
pub(crate) fn proved<A>(rule: A) -> Proved<A> {
    Proved(rule)
}

impl<S: AsRef<Sessions> + Sync, A: Access<S, Caller: HasSession>> Access<S> for Proved<A> {
    type Scope = A::Scope;
    type Caller = A::Caller;

    fn security(&self, method: &Method) -> Security {
        self.0.security(method)
    }

    fn refusals(&self, method: &Method) -> Vec<StatusCode> {
        let mut refusals = self.0.refusals(method);
        refusals.push(StatusCode::FORBIDDEN);
        refusals
    }

    fn roles(&self) -> Vec<&'static str> {
        self.0.roles()
    }

    async fn authorize(&self, state: &S, request: &ApiRequest, scope: A::Scope) -> Result<A::Caller, Fault> {
        let caller = self.0.authorize(state, request, scope).await?;
        if let Some(signed_in) = caller.session() {
            state.as_ref().check_proved(signed_in).await?;
        }
        Ok(caller)
    }
}
