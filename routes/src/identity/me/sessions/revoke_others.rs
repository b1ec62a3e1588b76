//! `POST /api/me/sessions/revoke-others`: ends every session of the account but the one that asks, which gets a new cookie.

use crate::{
    identity::{Identity, respond, signing_in},
    web::{ApiRequest, ApiResponse, Endpoint, Message, request::api_request},
};
use domain::shared::{Fault, timestamp};
use jiff::Timestamp;
use serde::Serialize;
use storage::identity::devices::RevokeOthers;
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
    let work = RevokeOthers {
        user: signed_in.user,
        spared: signing_in::spared(&identity, &request, signed_in),
        source: identity.source(&request),
    };
    let kept = identity.ctx.store.transact(&work).await?;
    let answer =
        ApiResponse::ok(&Revoked { message: request.meta.language.text(Message::OtherSessionsEnded), at: work.source.at })?;
    signing_in::renew(&identity, signed_in, kept, answer)
}
