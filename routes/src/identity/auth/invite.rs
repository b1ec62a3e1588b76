//! `GET /api/auth/invite?token=…`: for whom an invitation is, for the page that accepts it. Only who has the link is told.

use super::accept_invite::invited;
use crate::{
    identity::{Identity, respond},
    web::{ApiRequest, ApiResponse, Endpoint, request::api_request},
};
use domain::{
    identity::invite,
    shared::{Fault, Kind, timestamp},
};
use jiff::Timestamp;
use serde::Serialize;
use warp::Filter;

pub(super) fn route(identity: &Identity) -> Endpoint {
    let identity = identity.clone();
    warp::path!("api" / "auth" / "invite")
        .and(warp::get())
        .and(api_request())
        .then(move |request: ApiRequest| respond(request.meta, read(identity.clone(), request)))
        .boxed()
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Body {
    email: String,
    first_name: String,
    #[serde(serialize_with = "timestamp::serialize")]
    expires_at: Timestamp,
}

async fn read(identity: Identity, request: ApiRequest) -> Result<ApiResponse, Fault> {
    let query = request.query()?;
    let hash = super::token(query.get("token"))?;
    let found = match invited(&identity, hash).await {
        // Why it cannot be accepted is told to who tries.
        Err(fault) if matches!(fault.kind, Kind::BadRequest | Kind::Forbidden) => None,
        found => found?,
    };
    let Some(found) = found else {
        identity.ctx.limits.link_from(request.meta.ip)?;
        return Err(invite::invalid_token());
    };
    let (email, first_name) = (found.account.email.as_str().to_owned(), found.account.first_name);
    ApiResponse::ok(&Body { email, first_name, expires_at: found.expires_at })
}
