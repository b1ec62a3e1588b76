//! Who may call an endpoint: a rule that the table of endpoints names and enforces before the handler runs.

use super::{ApiRequest, path::PathValues};
use domain::shared::Fault;
use http::{Method, StatusCode};
use std::future::Future;

/// The credentials that let a request in, as docs/openapi/security.yaml names them: all of one of these
/// lists. No list at all means public.
pub type Security = &'static [&'static [&'static str]];

/// An access rule. `S` is the state of the table, `M` what its fast path leaves to the rule.
pub trait Access<S, M = ()>: Clone + Send + Sync + 'static {
    /// The leading parameters of the path that the rule is about, such as `(SpaceId,)`; `()` where it is
    /// about the caller alone.
    type Scope: PathValues;
    /// The caller as the rule has proved it; the handler gets it.
    type Caller: Send + 'static;

    /// The credentials that a request needs.
    fn security(&self, method: &Method) -> Security;

    /// The statuses with which the rule refuses: what the description of the API says of each endpoint that
    /// has the rule.
    fn refusals(&self, method: &Method) -> Vec<StatusCode>;

    /// The roles of management tokens that the rule lets in; none where it is not about roles.
    fn roles(&self) -> Vec<&'static str> {
        Vec::new()
    }

    /// Lets a request in or refuses it: 401 for an unknown caller, 403 for one who may not do this.
    fn authorize(
        &self,
        state: &S,
        request: &ApiRequest<M>,
        scope: Self::Scope,
    ) -> impl Future<Output = Result<Self::Caller, Fault>> + Send;
}

/// Everybody may call it.
#[derive(Debug, Clone, Copy)]
pub struct Public;

/// An anonymous caller.
#[derive(Debug, Clone, Copy)]
pub struct Anonymous;

impl<S: Sync> Access<S> for Public {
    type Scope = ();
    type Caller = Anonymous;

    fn security(&self, _: &Method) -> Security {
        &[]
    }

    fn refusals(&self, _: &Method) -> Vec<StatusCode> {
        Vec::new()
    }

    async fn authorize(&self, _: &S, _: &ApiRequest, (): ()) -> Result<Anonymous, Fault> {
        Ok(Anonymous)
    }
}

/// A rule with a check before it, such as a rate limit: a request over the limit is refused before its
/// credentials are looked at. The check counts nothing, because the request may still be refused for its
/// form.
pub struct Checked<S, A> {
    check: fn(&S, &ApiRequest) -> Result<(), Fault>,
    access: A,
}

/// Puts a check before a rule.
pub fn checked<S, A: Access<S>>(check: fn(&S, &ApiRequest) -> Result<(), Fault>, access: A) -> Checked<S, A> {
    Checked { check, access }
}

impl<S, A: Clone> Clone for Checked<S, A> {
    fn clone(&self) -> Self {
        Self { check: self.check, access: self.access.clone() }
    }
}

impl<S: Sync + 'static, A: Access<S>> Access<S> for Checked<S, A> {
    type Scope = A::Scope;
    type Caller = A::Caller;

    fn security(&self, method: &Method) -> Security {
        self.access.security(method)
    }

    fn refusals(&self, method: &Method) -> Vec<StatusCode> {
        let mut refusals = self.access.refusals(method);
        refusals.push(StatusCode::TOO_MANY_REQUESTS);
        refusals
    }

    fn roles(&self) -> Vec<&'static str> {
        self.access.roles()
    }

    async fn authorize(&self, state: &S, request: &ApiRequest, scope: A::Scope) -> Result<A::Caller, Fault> {
        (self.check)(state, request)?;
        self.access.authorize(state, request, scope).await
    }
}
