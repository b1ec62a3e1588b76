//! A table of endpoints: method, path, who may call it, and the function that answers. It is all there is to a group of endpoints; what else the
//! server does with a path it reads from here: 404 and 405 with `Allow`, OPTIONS, HEAD, the label of metrics and spans, and the tests that compare
//! the tables with docs/openapi.yaml and try each endpoint without credentials.
//!
//! ```text
//! pub fn endpoints(content: &Content) -> Endpoints<Content> {
//!     Endpoints::new(content, ErrorFormat::Management)
//!         .get("/api/v1/spaces/{space}/presets", Right::Read, list)
//!         .post("/api/v1/spaces/{space}/presets", Right::WriteSchema, create)
//!         .get("/api/v1/spaces/{space}/presets/{id}", Right::Read, read)
//! }
//!
//! async fn read(content: Content, caller: Manager, id: PresetId, request: ApiRequest) -> Result<ApiResponse, Fault> { … }
//! ```
//!
//! To add an endpoint:
//! 1. Write the handler. Its arguments are what the service's endpoints work with, what the access rule proved ([`Access::Caller`]), a value for each
//!    parameter of the path that the rule has not taken, and the request. A path whose parameter cannot be read is 404, and no handler sees it. It
//!    answers an [`ApiResponse`](super::ApiResponse), or a warp response where the body is a stream.
//! 2. Add its line to the table, with the rule of who may call it: there is no way to leave that out.
//! 3. If the table is new, hand it to [`Dispatch::with`](crate::dispatch::Dispatch::with) in the wiring.
//! 4. Describe it in docs/openapi.yaml; a test says so if you forget.

use super::{
    Access, ErrorFormat,
    endpoint::{Endpoint, Handler},
    path::PathValues,
};
use crate::{dispatch::FastPath, ops::Metrics};
use http::Method;
use std::time::Duration;

/// A table of endpoints that work with an `S`.
pub struct Endpoints<S> {
    state: S,
    pub(crate) format: ErrorFormat,
    pub(crate) all: Vec<Endpoint>,
    pub(crate) fast_path: Option<FastPath>,
}

impl<S: Clone + Send + Sync + 'static> Endpoints<S> {
    /// An empty table; its errors are worded in this format.
    #[must_use]
    pub fn new(state: &S, format: ErrorFormat) -> Self {
        Self { state: state.clone(), format, all: Vec::new(), fast_path: None }
    }

    /// Adds a GET, which answers HEAD as well.
    #[must_use]
    pub fn get<A: Access<S>, P: PathValues, H: Handler<S, A::Caller, P>>(self, path: &'static str, access: A, handler: H) -> Self {
        self.with(Method::GET, path, access, handler)
    }

    /// Adds a GET that changes something, as Storyblok has them. A HEAD must not (RFC 9110, section 9.2.1), so it is 405.
    #[must_use]
    pub fn get_that_writes<A: Access<S>, P: PathValues, H: Handler<S, A::Caller, P>>(
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

    /// Adds a POST.
    #[must_use]
    pub fn post<A: Access<S>, P: PathValues, H: Handler<S, A::Caller, P>>(self, path: &'static str, access: A, handler: H) -> Self {
        self.with(Method::POST, path, access, handler)
    }

    /// Adds a PUT.
    #[must_use]
    pub fn put<A: Access<S>, P: PathValues, H: Handler<S, A::Caller, P>>(self, path: &'static str, access: A, handler: H) -> Self {
        self.with(Method::PUT, path, access, handler)
    }

    /// Adds a PATCH.
    #[must_use]
    pub fn patch<A: Access<S>, P: PathValues, H: Handler<S, A::Caller, P>>(
        self,
        path: &'static str,
        access: A,
        handler: H,
    ) -> Self {
        self.with(Method::PATCH, path, access, handler)
    }

    /// Adds a DELETE.
    #[must_use]
    pub fn delete<A: Access<S>, P: PathValues, H: Handler<S, A::Caller, P>>(
        self,
        path: &'static str,
        access: A,
        handler: H,
    ) -> Self {
        self.with(Method::DELETE, path, access, handler)
    }

    fn with<A: Access<S>, P: PathValues, H: Handler<S, A::Caller, P>>(
        mut self,
        method: Method,
        path: &'static str,
        access: A,
        handler: H,
    ) -> Self {
        self.all.push(Endpoint::new(method, path, self.state.clone(), self.format, access, handler));
        self
    }

    /// Gives all of them more time for a request than others have: large bodies come slowly.
    #[must_use]
    pub fn with_timeout(mut self, timeout: Duration) -> Self {
        for endpoint in &mut self.all {
            endpoint.timeout = Some(timeout);
        }
        self
    }

    /// Puts a fast path before all of them.
    #[must_use]
    pub fn with_fast_path(mut self, fast_path: FastPath, metrics: &Metrics) -> Self {
        for endpoint in &mut self.all {
            endpoint.meter = Some(metrics.meter(endpoint.template.as_str()));
        }
        self.fast_path = Some(fast_path);
        self
    }
}
