//! `GET /api/me/sessions`: where the account is signed in.

use crate::{
    identity::{Identity, respond},
    web::{Answer, Call, Endpoint, call::call},
};
use domain::shared::{Fault, SessionId, timestamp};
use jiff::Timestamp;
use serde::Serialize;
use std::net::IpAddr;
use storage::identity::devices;
use warp::Filter;

pub(in crate::identity::me) fn route(identity: &Identity) -> Endpoint {
    let identity = identity.clone();
    warp::path!("api" / "me" / "sessions")
        .and(warp::get())
        .and(call())
        .then(move |call: Call| respond(call.arrival, list(identity.clone(), call)))
        .boxed()
}

#[derive(Serialize)]
struct Sessions {
    sessions: Vec<View>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct View {
    id: SessionId,
    current: bool,
    ip: Option<IpAddr>,
    user_agent: Option<String>,
    #[serde(serialize_with = "timestamp::serialize")]
    created_at: Timestamp,
    #[serde(serialize_with = "timestamp::serialize")]
    last_seen_at: Timestamp,
    /// The sites that were signed in to through it. There can be none yet.
    clients: [&'static str; 0],
}

async fn list(identity: Identity, call: Call) -> Result<Answer, Fault> {
    let signed_in = identity.sessions.signed_in(&call).await?;
    let connection = identity.store.read("session.list").await?;
    let living = devices::list(&connection, signed_in.user, identity.clock.now()).await?;
    let view = |it: devices::Device| View {
        id: it.id,
        current: it.id == signed_in.session,
        ip: it.ip,
        user_agent: it.user_agent,
        created_at: it.created_at,
        last_seen_at: it.last_seen_at,
        clients: [],
    };
    Answer::ok(&Sessions { sessions: living.into_iter().map(view).collect() })
}
