//! `GET /api/me/sessions/last-revoked-others`: when the account last ended its other sessions.

use crate::{
    identity::{Identity, respond},
    web::{Answer, Call, Endpoint, call::call},
};
use domain::shared::{Fault, timestamp};
use jiff::Timestamp;
use serde::Serialize;
use storage::identity::devices;
use warp::Filter;

pub(in crate::identity::me) fn route(identity: &Identity) -> Endpoint {
    let identity = identity.clone();
    warp::path!("api" / "me" / "sessions" / "last-revoked-others")
        .and(warp::get())
        .and(call())
        .then(move |call: Call| respond(call.arrival, last(identity.clone(), call)))
        .boxed()
}

#[derive(Serialize)]
struct Last {
    #[serde(serialize_with = "timestamp::option::serialize")]
    at: Option<Timestamp>,
}

async fn last(identity: Identity, call: Call) -> Result<Answer, Fault> {
    let signed_in = identity.sessions.signed_in(&call).await?;
    let connection = identity.store.read("session.last_revoked_others").await?;
    Answer::ok(&Last { at: devices::last_revoked_others(&connection, signed_in.user).await? })
}
