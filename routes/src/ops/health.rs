//! `GET /api/health`: the process is alive. It depends on nothing, so that a database that is away does not get the process killed.

use crate::web::{ApiRequest, ApiResponse, Endpoint, ErrorFormat, endpoint::respond, request::api_request};
use serde_json::json;
use warp::Filter;

pub(super) fn route() -> Endpoint {
    warp::path!("api" / "health")
        .and(warp::get())
        .and(api_request())
        .then(|request: ApiRequest| {
            respond(ErrorFormat::Identity, request.meta, async { ApiResponse::ok(&json!({ "status": "ok" })) })
        })
        .boxed()
}
