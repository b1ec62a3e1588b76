//! `GET /api/csrf-token`: the token of the session, or of a browser that has none yet. It stays the same
//! until a sign-in or sign-out.

use super::Identity;
use crate::web::{Anonymous, ApiRequest, ApiResponse, Endpoints, ErrorFormat, Public};
use domain::shared::Fault;
use http::header;
use serde::Serialize;

/// The endpoint `/api/csrf-token`.
pub(super) fn endpoints(identity: &Identity) -> Endpoints<Identity> {
    Endpoints::new(identity, ErrorFormat::Identity).get("/api/csrf-token", Public, csrf_token)
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct CsrfTokenBody {
    csrf_token: String,
}

/// 200 with the token; a browser without a session gets a pre-session too.
async fn csrf_token(identity: Identity, _: Anonymous, request: ApiRequest) -> Result<ApiResponse, Fault> {
    let csrf = identity.sessions.csrf();
    let (binding, new_pre_session) = if let Some(binding) = identity.sessions.binding(&request).await? {
        (binding, None)
    } else {
        let (binding, cookie) = csrf.new_pre_session(identity.ctx.entropy.as_ref())?;
        (binding, Some(cookie))
    };
    let (csrf_token, cookie) = csrf.issue(&binding)?;
    let answer = ApiResponse::ok(&CsrfTokenBody { csrf_token })?.with(header::SET_COOKIE, cookie);
    Ok(match new_pre_session {
        Some(cookie) => answer.with(header::SET_COOKIE, cookie),
        None => answer,
    })
}
