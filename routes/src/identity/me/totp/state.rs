//! `GET /api/me/totp`: whether there is an app, and how many backup codes are left.

use crate::{
    identity::{Identity, respond},
    web::{Answer, Call, Endpoint, call::call},
};
use domain::{identity::one_time::Kind as OneTime, shared::Fault};
use serde::Serialize;
use storage::identity::{one_time, totp};
use warp::Filter;

pub(super) fn route(identity: &Identity) -> Endpoint {
    let identity = identity.clone();
    warp::path!("api" / "me" / "totp")
        .and(warp::get())
        .and(call())
        .then(move |call: Call| respond(call.arrival, state(identity.clone(), call)))
        .boxed()
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct State {
    enabled: bool,
    backup_codes_remaining: i64,
}

async fn state(identity: Identity, call: Call) -> Result<Answer, Fault> {
    let user = identity.sessions.signed_in(&call).await?.user;
    let connection = identity.store.read("totp.find").await?;
    let now = identity.clock.now();
    let enabled = totp::find(&connection, user, now).await?.secret.is_some();
    let backup_codes_remaining = one_time::count_open(&connection, OneTime::BackupCode, user, now).await?;
    Answer::ok(&State { enabled, backup_codes_remaining })
}
