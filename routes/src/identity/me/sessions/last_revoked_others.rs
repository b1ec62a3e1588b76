//! `GET /api/me/sessions/last-revoked-others`: when the account last ended its other sessions.

use crate::{
    identity::{Identity, respond},
    web::{ApiRequest, ApiResponse, Endpoint, request::api_request},
};
use domain::shared::{Fault, timestamp};
use jiff::Timestamp;
use serde::Serialize;
use storage::identity::sessions;
use warp::Filter;

pub(in crate::identity::me) fn route(identity: &Identity) -> Endpoint {
    let identity = identity.clone();
    warp::path!("api" / "me" / "sessions" / "last-revoked-others")
        .and(warp::get())
        .and(api_request())
        .then(move |request: ApiRequest| respond(request.meta, last(identity.clone(), request)))
        .boxed()
}

#[derive(Serialize)]
struct Last {
    #[serde(serialize_with = "timestamp::option::serialize")]
    at: Option<Timestamp>,
}

async fn last(identity: Identity, request: ApiRequest) -> Result<ApiResponse, Fault> {
    let signed_in = identity.sessions.signed_in(&request).await?;
    let connection = identity.ctx.store.connection("session.last_revoked_others").await?;
    ApiResponse::ok(&Last { at: sessions::last_revoked_others(&connection, signed_in.user).await? })
}
