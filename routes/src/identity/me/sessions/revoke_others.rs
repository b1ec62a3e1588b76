//! `POST /api/me/sessions/revoke-others`: ends every session of the account but the one that asks, which gets a new cookie.

use crate::{
    identity::{Identity, respond, signing_in},
    web::{Answer, Call, Endpoint, call::call},
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
        .and(call())
        .then(move |call: Call| respond(call.arrival, revoke_others(identity.clone(), call)))
        .boxed()
}

#[derive(Serialize)]
struct Revoked {
    message: &'static str,
    #[serde(serialize_with = "timestamp::serialize")]
    at: Timestamp,
}

async fn revoke_others(identity: Identity, call: Call) -> Result<Answer, Fault> {
    let signed_in = identity.sessions.signed_in_with_csrf(&call).await?;
    let work = RevokeOthers {
        user: signed_in.user,
        spared: signing_in::spared(&identity, &call, signed_in),
        source: identity.source(&call),
    };
    let kept = identity.store.run(&work).await?;
    let answer =
        Answer::ok(&Revoked { message: call.arrival.language.said("You are signed out everywhere else"), at: work.source.at })?;
    signing_in::renew(&identity, signed_in, kept, answer)
}
