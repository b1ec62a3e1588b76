//! `GET /api/me/totp`: whether there is an app, and how many backup codes are left.

use crate::{
    identity::{Identity, respond},
    web::{ApiRequest, ApiResponse, Endpoint, request::api_request},
};
use domain::shared::Fault;
use serde::Serialize;
use services::identity::totp;
use warp::Filter;

pub(super) fn route(identity: &Identity) -> Endpoint {
    let identity = identity.clone();
    warp::path!("api" / "me" / "totp")
        .and(warp::get())
        .and(api_request())
        .then(move |request: ApiRequest| respond(request.meta, state(identity.clone(), request)))
        .boxed()
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct State {
    enabled: bool,
    backup_codes_remaining: i64,
}

async fn state(identity: Identity, request: ApiRequest) -> Result<ApiResponse, Fault> {
    let signed_in = identity.sessions.signed_in(&request).await?;
    let state = totp::state(&identity.ctx, signed_in.user).await?;
    ApiResponse::ok(&State { enabled: state.is_enabled, backup_codes_remaining: state.backup_codes_left })
}
