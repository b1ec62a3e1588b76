//! `GET /api/me/sessions`: where the account is signed in.

use crate::{
    identity::{Identity, respond},
    web::{ApiRequest, ApiResponse, Endpoint, request::api_request},
};
use domain::shared::{Fault, SessionId, timestamp};
use jiff::Timestamp;
use serde::Serialize;
use std::net::IpAddr;
use storage::identity::sessions::{self, ListedSession};
use warp::Filter;

pub(in crate::identity::me) fn route(identity: &Identity) -> Endpoint {
    let identity = identity.clone();
    warp::path!("api" / "me" / "sessions")
        .and(warp::get())
        .and(api_request())
        .then(move |request: ApiRequest| respond(request.meta, list(identity.clone(), request)))
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

async fn list(identity: Identity, request: ApiRequest) -> Result<ApiResponse, Fault> {
    let signed_in = identity.sessions.signed_in(&request).await?;
    let connection = identity.ctx.store.connection("session.list").await?;
    let active = sessions::list_active(&connection, signed_in.user, identity.ctx.clock.now()).await?;
    let view = |value: ListedSession| View {
        id: value.id,
        current: value.id == signed_in.session,
        ip: value.ip,
        user_agent: value.user_agent,
        created_at: value.created_at,
        last_seen_at: value.last_seen_at,
        clients: [],
    };
    ApiResponse::ok(&Sessions { sessions: active.into_iter().map(view).collect() })
}
