//! `GET /api/csrf-token`: a token for the session, or for a browser that has none yet.

use super::{Identity, respond};
use crate::web::{ApiRequest, ApiResponse, Endpoint, ErrorFormat, group as grouped, request::api_request};
use domain::shared::Fault;
use http::header;
use serde::Serialize;
use warp::Filter;

/// `/api/csrf-token`.
pub fn group(identity: &Identity) -> Endpoint {
    grouped(ErrorFormat::Identity, [route(identity)])
}

fn route(identity: &Identity) -> Endpoint {
    let identity = identity.clone();
    warp::path!("api" / "csrf-token")
        .and(warp::get())
        .and(api_request())
        .then(move |request: ApiRequest| respond(request.meta, csrf_token(identity.clone(), request)))
        .boxed()
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Body {
    csrf_token: String,
}

async fn csrf_token(identity: Identity, request: ApiRequest) -> Result<ApiResponse, Fault> {
    let csrf = identity.sessions.csrf();
    let entropy = identity.ctx.entropy.as_ref();
    let (binding, new_pre_session) = if let Some(binding) = identity.sessions.binding(&request).await? {
        (binding, None)
    } else {
        let (binding, cookie) = csrf.new_pre_session(entropy)?;
        (binding, Some(cookie))
    };
    let (csrf_token, cookie) = csrf.issue(&binding, entropy)?;
    let answer = ApiResponse::ok(&Body { csrf_token })?.with(header::SET_COOKIE, cookie);
    Ok(match new_pre_session {
        Some(cookie) => answer.with(header::SET_COOKIE, cookie),
        None => answer,
    })
}
