//! A table of endpoints: method, path, who may call it, and the function that answers. Everything else about
//! a path is derived from the tables: 404 and 405 with `Allow`, OPTIONS, HEAD, the label of metrics and
//! spans, the description of the API, and the tests that compare the two and call each endpoint without
//! credentials.
//!
//! ```text
//! pub fn endpoints(content: &Content) -> Endpoints<Content> {
//!     Endpoints::new(content, ErrorFormat::Management)
//!         .get("/api/v1/spaces/{space}/presets", Right::Read, list)
//!         .post("/api/v1/spaces/{space}/presets", Right::Administer, create)
//!         .get("/api/v1/spaces/{space}/presets/{id}", Right::Read, read)
//! }
//!
//! async fn read(content: Content, caller: Manager, id: PresetId, request: ApiRequest) -> Result<ApiResponse, Fault> { … }
//! ```
//!
//! To add an endpoint:
//! 1. Write the handler: an async function of the service's state (`Content`, `Identity`, `Ops`), the caller
//!    that the access rule has proved ([`Access::Caller`]), one value for each parameter of the path that the
//!    rule has not taken ([`Access::Scope`]), and the request. It answers an
//!    [`ApiResponse`](super::ApiResponse), or a warp response where the body is a stream. A parameter that
//!    cannot be parsed makes the path another one: 404, without a call of the handler.
//! 2. Add its line to the table, with the access rule. The rule is an argument, so no endpoint is without
//!    one:
//!
//!    | rule | the caller | the handler gets |
//!    |---|---|---|
//!    | [`Public`](super::Public) | everybody | `Anonymous` |
//!    | [`BySession`](super::BySession) | a signed-in person; a CSRF token too, unless it is a GET | `SignedIn` |
//!    | [`ByAdministrator`](super::ByAdministrator) | an administrator who signed in not too long ago; a CSRF token too, unless it is a GET | `SignedIn` |
//!    | [`ByCsrfToken`](super::ByCsrfToken) | a browser with a CSRF token, signed in or not | `Binding` |
//!    | `Right::…` | a management token with the right, or a member by session | `Manager` |
//!    | `Changing(Right::…)` | the same for a GET that changes something | `Manager` |
//!    | `ByDeliveryToken` | a delivery token | its reader |
//!    | `IfSignedIn` | everybody; a signed-in person needs a CSRF token too | the session, if there is one |
//!    | `ByClientSecret` | an OIDC client, by HTTP Basic | the client |
//!    | `ByProvisioningToken` | a token of `APP_ADMIN_API_TOKENS_JSON`, within its rate | its id |
//!    | `ByMetricsToken` | the token of `APP_METRICS_TOKEN` | `Anonymous` |
//!    | `proved(rule)` | the rule, and a person who has proved who they are a short while ago | as the rule |
//!    | [`checked(limit, rule)`](super::access::checked) | the rule, after a check of a rate limit | as the rule |
//! 3. If the table is new, hand it to [`Dispatch::with`](crate::dispatch::Dispatch::with).
//! 4. Describe the endpoint in the file of its resource below docs/openapi. A test fails while the
//!    description has it not, or has one that is in no table.

use super::{
    Access, ErrorFormat,
    endpoint::{Endpoint, Handler, Opener, OtherMethods},
    fast_path::{FastPath, FastPathOutcome, GroupFastPath},
    path::PathValues,
};
use crate::ops::Metrics;
use http::Method;
use std::{marker::PhantomData, time::Duration};

/// A table of endpoints. `S` is the state that their handlers get, `M` what the fast path leaves to their
/// access rule.
pub struct Endpoints<S, M = ()> {
    state: S,
    pub(crate) format: ErrorFormat,
    pub(crate) all: Vec<Endpoint>,
    pub(crate) fast_path: Option<GroupFastPath>,
    miss: PhantomData<fn() -> M>,
}

impl<S: Clone + Send + Sync + 'static, M: Clone + Send + Sync + 'static> Endpoints<S, M> {
    /// An empty table; its errors have this format.
    #[must_use]
    pub fn new(state: &S, format: ErrorFormat) -> Self {
        Self { state: state.clone(), format, all: Vec::new(), fast_path: None, miss: PhantomData }
    }

    /// Adds a GET, which answers HEAD as well.
    #[must_use]
    pub fn get<A: Access<S, M>, P: PathValues, H: Handler<S, A::Caller, P>>(
        self,
        path: &'static str,
        access: A,
        handler: H,
    ) -> Self {
        self.with(Method::GET, path, access, handler)
    }

    /// Adds a GET that changes something, as Storyblok has some. A HEAD must not do that (RFC 9110, section
    /// 9.2.1), so it is 405.
    #[must_use]
    pub fn get_that_writes<A: Access<S, M>, P: PathValues, H: Handler<S, A::Caller, P>>(
        self,
        path: &'static str,
        access: A,
        handler: H,
    ) -> Self {
        let mut table = self.with(Method::GET, path, access, handler);
        if let Some(endpoint) = table.all.last_mut() {
            endpoint.refuses_head = true;
        }
        table
    }

    /// Adds a change that Storyblok takes as GET: as that, and as POST and PUT, which are the better choice.
    #[must_use]
    pub fn get_post_put<A: Access<S, M>, P: PathValues, H: Handler<S, A::Caller, P> + Copy>(
        self,
        path: &'static str,
        access: A,
        handler: H,
    ) -> Self {
        self.get_that_writes(path, access.clone(), handler).post(path, access.clone(), handler).put(path, access, handler)
    }

    /// Shows errors of the endpoint that was added last to browsers as pages: applications send people to it.
    #[must_use]
    pub fn for_people(mut self) -> Self {
        if let Some(endpoint) = self.all.last_mut() {
            (endpoint.is_for_people, endpoint.opener) = (true, Opener::Kept);
        }
        self
    }

    /// Keeps the link to the window that opened the one with the page of the endpoint that was added last.
    #[must_use]
    pub(crate) fn keeping_opener(mut self, opener: Opener) -> Self {
        if let Some(endpoint) = self.all.last_mut() {
            endpoint.opener = opener;
        }
        self
    }

    /// Lets every web page read what the endpoint that was added last answers, unless the handler says whose
    /// pages may: scripts of other origins call it, and no cookie plays a part in it.
    #[must_use]
    pub fn for_scripts(mut self) -> Self {
        if let Some(endpoint) = self.all.last_mut() {
            endpoint.is_for_scripts = true;
        }
        self
    }

    /// Adds a POST.
    #[must_use]
    pub fn post<A: Access<S, M>, P: PathValues, H: Handler<S, A::Caller, P>>(
        self,
        path: &'static str,
        access: A,
        handler: H,
    ) -> Self {
        self.with(Method::POST, path, access, handler)
    }

    /// Adds a PUT.
    #[must_use]
    pub fn put<A: Access<S, M>, P: PathValues, H: Handler<S, A::Caller, P>>(
        self,
        path: &'static str,
        access: A,
        handler: H,
    ) -> Self {
        self.with(Method::PUT, path, access, handler)
    }

    /// Adds a PATCH.
    #[must_use]
    pub fn patch<A: Access<S, M>, P: PathValues, H: Handler<S, A::Caller, P>>(
        self,
        path: &'static str,
        access: A,
        handler: H,
    ) -> Self {
        self.with(Method::PATCH, path, access, handler)
    }

    /// Adds a DELETE.
    #[must_use]
    pub fn delete<A: Access<S, M>, P: PathValues, H: Handler<S, A::Caller, P>>(
        self,
        path: &'static str,
        access: A,
        handler: H,
    ) -> Self {
        self.with(Method::DELETE, path, access, handler)
    }

    fn with<A: Access<S, M>, P: PathValues, H: Handler<S, A::Caller, P>>(
        mut self,
        method: Method,
        path: &'static str,
        access: A,
        handler: H,
    ) -> Self {
        self.all.push(Endpoint::new(method, path, self.state.clone(), self.format, access, handler));
        self
    }

    /// Answers other methods than theirs as an unknown path, 404 instead of 405: they are the empty lists of
    /// features that are not here.
    #[must_use]
    pub fn as_placeholders(mut self) -> Self {
        for endpoint in &mut self.all {
            endpoint.other_methods = OtherMethods::Unknown;
        }
        self
    }

    /// Gives their requests another time limit than the usual one: large bodies come slowly.
    #[must_use]
    pub fn with_timeout(mut self, timeout: Duration) -> Self {
        for endpoint in &mut self.all {
            endpoint.timeout = Some(timeout);
        }
        self
    }

    /// Puts a fast path before all of them.
    #[must_use]
    pub fn with_fast_path(mut self, fast_path: FastPath<M>, metrics: &Metrics) -> Self {
        for endpoint in &mut self.all {
            endpoint.meter = Some(metrics.meter(endpoint.template.as_str()));
        }
        self.fast_path = Some(Box::new(move |uri, headers, extensions| match fast_path(uri, headers) {
            FastPathOutcome::Response(response) => Some(response),
            FastPathOutcome::Miss(miss) => {
                // The filter of an endpoint of this table, which is of the same `M`, takes it from there.
                if let Some(miss) = miss {
                    extensions.insert(miss);
                }
                None
            }
        }));
        self
    }
}
