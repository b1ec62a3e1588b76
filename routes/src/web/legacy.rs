//! Filters of endpoints that are not yet in a table (see [`super::endpoints`]).

use super::{ApiResponse, ErrorFormat, RequestMeta, problem};
use domain::shared::{Fault, Kind};
use std::{convert::Infallible, future::Future};
use warp::{Filter, filters::BoxedFilter, reject, reply::Response};

/// An endpoint: matches its method and path, and answers. Or a group of them.
pub type Endpoint = BoxedFilter<(Response,)>;

/// Awaits a handler and words what it says.
pub(crate) async fn respond(
    format: ErrorFormat,
    meta: RequestMeta,
    handler: impl Future<Output = Result<ApiResponse, Fault>>,
) -> Response {
    match handler.await {
        Ok(answer) => answer.into(),
        Err(fault) => problem::error_response_in(meta.language, &fault, format, meta.request_id).into(),
    }
}

/// Endpoints tried in their order; what none of them matches is 404, or 405 where only the method is wrong.
pub fn group(format: ErrorFormat, endpoints: impl IntoIterator<Item = Endpoint>) -> Endpoint {
    let nothing: Endpoint = warp::any().and_then(|| async { Err::<Response, _>(reject::not_found()) }).boxed();
    let tried = endpoints.into_iter().reduce(|before, next| before.or(next).unify().boxed()).unwrap_or(nothing);
    tried
        .map(Ok)
        .or_else(|rejection| async { Ok::<_, Infallible>((Err(rejection),)) })
        .and(warp::ext::get::<RequestMeta>())
        .map(move |outcome: Result<Response, reject::Rejection>, meta: RequestMeta| match outcome {
            Ok(response) => response,
            Err(rejection) => problem::error_response_in(meta.language, &unmatched(&rejection), format, meta.request_id).into(),
        })
        .boxed()
}

fn unmatched(rejection: &reject::Rejection) -> Fault {
    if !rejection.is_not_found() && rejection.find::<reject::MethodNotAllowed>().is_some() {
        return Fault::new(Kind::MethodNotAllowed, "methodNotAllowed", "This method is not allowed here");
    }
    if rejection.is_not_found() {
        return Fault::not_found();
    }
    Fault::internal(format!("{rejection:?}"))
}
