//! One endpoint of a table, and the function that answers it.

use super::{
    ApiRequest, ErrorFormat,
    access::{Access, Security},
    path::PathValues,
    request::api_request,
    template::Template,
};
use crate::ops::metrics::Meter;
use domain::shared::Fault;
use futures_util::future::{BoxFuture, FutureExt};
use http::{Method, StatusCode};
use std::{future::Future, sync::Arc, time::Duration};
use warp::{Filter, filters::BoxedFilter, reply::Response};

/// What becomes of the link between a page and the window that opened the one with the page.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Opener {
    /// It is cut: other sites have no business with the page.
    Cut,
    /// It is kept: applications send people to the page, and they go back to the application.
    Kept,
    /// It is kept in a browser with an interaction of the OpenID provider.
    KeptInInteraction,
}

/// A method and a path, who may call them, and what answers.
pub struct Endpoint {
    /// The method. GET stands for HEAD too, unless it changes something.
    pub method: Method,
    pub template: Template,
    /// The credentials that a request needs.
    pub security: Security,
    /// The statuses with which its access rule refuses.
    pub refusals: Vec<StatusCode>,
    /// The roles of management tokens that it lets in; none where it is not about roles.
    pub roles: Vec<&'static str>,
    /// How long a request may take, where that is not the usual time.
    pub timeout: Option<Duration>,
    /// The counters of its requests, where there are many requests.
    pub meter: Option<Meter>,
    /// The shape of its errors.
    pub format: ErrorFormat,
    /// Whether a HEAD is refused: the method is GET, and it changes something all the same.
    pub(crate) refuses_head: bool,
    /// The response to other methods.
    pub(crate) other_methods: OtherMethods,
    /// Whether applications send browsers here, which are shown errors as pages.
    pub(crate) is_for_people: bool,
    /// Whether scripts of other origins call it: every page may read a response that names no client.
    pub(crate) is_for_scripts: bool,
    /// What becomes of the window that opened the one with its page.
    pub(crate) opener: Opener,
    /// Whether these can be its path's parameters.
    accepts: fn(&[&str]) -> bool,
    filter: BoxedFilter<(Response,)>,
}

/// The response to a method that a path has no endpoint for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum OtherMethods {
    /// 405 with the methods that it has.
    NotAllowed,
    /// 404: the path is the empty list of a feature that is not here, so that nothing can be written to it.
    Unknown,
}

impl Endpoint {
    pub(super) fn new<S, M, A, P, H>(
        method: Method,
        template: &'static str,
        state: S,
        format: ErrorFormat,
        access: A,
        handler: H,
    ) -> Self
    where
        S: Clone + Send + Sync + 'static,
        M: Clone + Send + Sync + 'static,
        A: Access<S, M>,
        P: PathValues,
        H: Handler<S, A::Caller, P>,
    {
        Self::erased(method, template, state, format, access, handler.boxed())
    }

    /// What does not depend on the handler is compiled once for each kind of access and of parameters, and
    /// not for each endpoint.
    fn erased<S, M, A, P>(
        method: Method,
        template: &'static str,
        state: S,
        format: ErrorFormat,
        access: A,
        handler: BoxedHandler<S, A::Caller, P>,
    ) -> Self
    where
        S: Clone + Send + Sync + 'static,
        M: Clone + Send + Sync + 'static,
        A: Access<S, M>,
        P: PathValues,
    {
        let template = Template::new(template, format);
        assert_eq!(template.parameters(), A::Scope::COUNT + P::COUNT, "{}", template.as_str());
        let (security, refusals, roles) = (access.security(&method), access.refusals(&method), access.roles());
        let path = template.clone();
        let serve = move |request: ApiRequest<M>| {
            let (state, access, handler) = (state.clone(), access.clone(), handler.clone());
            let parameters = path.matches(request.path()).and_then(|raw| parse::<A::Scope, P>(raw.as_slice()));
            async move {
                let (scope, parameters) = parameters.ok_or_else(Fault::not_found)?;
                let caller = access.authorize(&state, &request, scope).await?;
                handler(state, caller, parameters, request.without_miss()).await
            }
            .boxed()
        };
        Self {
            method,
            template,
            security,
            refusals,
            roles,
            timeout: None,
            meter: None,
            format,
            refuses_head: false,
            other_methods: OtherMethods::NotAllowed,
            is_for_people: false,
            is_for_scripts: false,
            opener: Opener::Cut,
            accepts: |raw| parse::<A::Scope, P>(raw).is_some(),
            filter: filter(Arc::new(serve)),
        }
    }

    /// Whether it is the endpoint of a path, whatever the method.
    pub(crate) fn is_at(&self, path: &str) -> bool {
        self.template.matches(path).is_some_and(|raw| (self.accepts)(raw.as_slice()))
    }

    pub(crate) fn filter(&self) -> BoxedFilter<(Response,)> {
        self.filter.clone()
    }
}

fn parse<Scope: PathValues, P: PathValues>(raw: &[&str]) -> Option<(Scope, P)> {
    let (scope, rest) = raw.split_at_checked(Scope::COUNT)?;
    Some((Scope::parse(scope)?, P::parse(rest)?))
}

type Serve<M> = dyn Fn(ApiRequest<M>) -> BoxFuture<'static, Result<Response, Fault>> + Send + Sync;

/// The filter of an endpoint. It is of the same type for all of them, because every type of filter costs the
/// compiler time.
fn filter<M: Clone + Send + Sync + 'static>(serve: Arc<Serve<M>>) -> BoxedFilter<(Response,)> {
    api_request()
        .then(move |request: ApiRequest<M>| {
            let errors = request.errors.clone();
            let response = serve(request);
            async move { response.await.unwrap_or_else(|fault| errors.response(&fault)) }
        })
        .boxed()
}

type BoxedHandler<S, C, P> = Arc<dyn Fn(S, C, P, ApiRequest) -> BoxFuture<'static, Result<Response, Fault>> + Send + Sync>;

/// An async function that answers a request. Its arguments are the table's state, the caller, each parameter
/// of the path that the access rule has not taken, and the request.
pub trait Handler<S, C, P>: Send + Sync + 'static {
    /// The function, of the same type as all others with these arguments.
    fn boxed(self) -> BoxedHandler<S, C, P>;
}

macro_rules! handler {
    ($($value:ident),*) => {
        impl<F, S, C, $($value,)* Answering, Answer> Handler<S, C, ($($value,)*)> for F
        where
            F: Fn(S, C, $($value,)* ApiRequest) -> Answering + Send + Sync + 'static,
            S: 'static,
            C: 'static,
            $($value: 'static,)*
            Answering: Future<Output = Result<Answer, Fault>> + Send + 'static,
            Answer: Into<Response>,
        {
            #[allow(non_snake_case, reason = "a value is named as its type")]
            fn boxed(self) -> BoxedHandler<S, C, ($($value,)*)> {
                Arc::new(move |state, caller, ($($value,)*): ($($value,)*), request| {
                    let answering = self(state, caller, $($value,)* request);
                    async move { answering.await.map(Into::into) }.boxed()
                })
            }
        }
    };
}

/// A handler of an endpoint that takes no body: `{}` is none, and anything else is refused, because it would
/// be taken for something that has an effect.
pub struct WithoutBody<H>(H);

/// Puts that check before a handler.
pub fn without_body<H>(handler: H) -> WithoutBody<H> {
    WithoutBody(handler)
}

/// The most bytes of a body that should not be there.
const NO_BODY_LIMIT: usize = 64 << 10;

/// The members of no body.
#[derive(serde::Deserialize)]
struct NoMembers {}

impl<S: Send + 'static, C: Send + 'static, P: Send + 'static, H: Handler<S, C, P>> Handler<S, C, P> for WithoutBody<H> {
    fn boxed(self) -> BoxedHandler<S, C, P> {
        let handler = self.0.boxed();
        Arc::new(move |state, caller, parameters, mut request: ApiRequest| {
            let handler = handler.clone();
            async move {
                request.strict_json_or_empty::<NoMembers>(NO_BODY_LIMIT).await?.read()?;
                handler(state, caller, parameters, request).await
            }
            .boxed()
        })
    }
}

handler!();
handler!(A);
handler!(A, B);
handler!(A, B, D);
