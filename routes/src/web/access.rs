//! Who may call an endpoint: a rule that the table of endpoints names and enforces before the handler runs.

use super::{ApiRequest, path::PathValues};
use domain::shared::Fault;
use http::Method;
use std::future::Future;

/// The ways to be let in, as docs/openapi.yaml names them under `security`: one of these lists is enough, of which everything is needed. None at
/// all is public.
pub type Security = &'static [&'static [&'static str]];

/// A rule of access. `S` is what its service's endpoints work with.
pub trait Access<S>: Clone + Send + Sync + 'static {
    /// The leading parameters of the path that the rule is about, such as `(SpaceId,)`; `()` where it is about the caller alone.
    type Scope: PathValues;
    /// What the rule proves. The handler gets it.
    type Caller: Send + 'static;

    /// What a request has to bring.
    fn security(&self, method: &Method) -> Security;

    /// Lets a request in, or says why not: 401 for a caller who is unknown, 403 for one who may not.
    fn authorize(
        &self,
        state: &S,
        request: &ApiRequest,
        scope: Self::Scope,
    ) -> impl Future<Output = Result<Self::Caller, Fault>> + Send;
}

/// Everybody may call it.
#[derive(Debug, Clone, Copy)]
pub struct Public;

/// A caller of whom nothing is known.
#[derive(Debug, Clone, Copy)]
pub struct Anonymous;

impl<S: Sync> Access<S> for Public {
    type Scope = ();
    type Caller = Anonymous;

    fn security(&self, _: &Method) -> Security {
        &[]
    }

    async fn authorize(&self, _: &S, _: &ApiRequest, (): ()) -> Result<Anonymous, Fault> {
        Ok(Anonymous)
    }
}

/// A rule with a check before it, of a rate limit for instance: what is over the limit is refused whoever the caller is.
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

    async fn authorize(&self, state: &S, request: &ApiRequest, scope: A::Scope) -> Result<A::Caller, Fault> {
        (self.check)(state, request)?;
        self.access.authorize(state, request, scope).await
    }
}
