//! `POST /api/me/sessions/revoke-others`: ends every session of the account but the one that asks, which gets a new cookie.

use crate::{
    identity::{Identity, respond, session_cookies},
    web::{ApiRequest, ApiResponse, Endpoint, Message, request::api_request},
};
use domain::shared::{Fault, timestamp};
use jiff::Timestamp;
use serde::Serialize;
use services::identity::sessions;
use warp::Filter;

pub(in crate::identity::me) fn route(identity: &Identity) -> Endpoint {
    let identity = identity.clone();
    warp::path!("api" / "me" / "sessions" / "revoke-others")
        .and(warp::post())
        .and(api_request())
        .then(move |request: ApiRequest| respond(request.meta, revoke_others(identity.clone(), request)))
        .boxed()
}

#[derive(Serialize)]
struct Revoked {
    message: &'static str,
    #[serde(serialize_with = "timestamp::serialize")]
    at: Timestamp,
}

async fn revoke_others(identity: Identity, request: ApiRequest) -> Result<ApiResponse, Fault> {
    let signed_in = identity.sessions.signed_in_with_csrf(&request).await?;
    let context = identity.request_context(&request);
    let times = sessions::revoke_others(&identity.ctx, &context, signed_in.claimed()).await?;
    let answer = ApiResponse::ok(&Revoked { message: request.meta.language.text(Message::OtherSessionsEnded), at: context.at() })?;
    session_cookies::reissue(&identity, signed_in, times, answer)
}
