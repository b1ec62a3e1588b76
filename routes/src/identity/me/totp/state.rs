//! `GET /api/me/totp`: whether there is an app, and how many backup codes are left.

use crate::{
    identity::{Identity, respond},
    web::{ApiRequest, ApiResponse, Endpoint, request::api_request},
};
use domain::{identity::one_time::Kind as OneTime, shared::Fault};
use serde::Serialize;
use storage::identity::{one_time, totp};
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
    let user = identity.sessions.signed_in(&request).await?.user;
    let connection = identity.ctx.store.connection("totp.find").await?;
    let now = identity.ctx.clock.now();
    let enabled = totp::find(&connection, user, now).await?.secret.is_some();
    let backup_codes_remaining = one_time::count_open(&connection, OneTime::BackupCode, user, now).await?;
    ApiResponse::ok(&State { enabled, backup_codes_remaining })
}
