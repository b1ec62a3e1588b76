//! `POST /api/auth/confirm-email`: puts the address that the link was mailed to in the place of the account's. Who followed it need not be signed in;
//! every session ends but for the account's own here.

use crate::{
    identity::{BODY_LIMIT, Identity, respond, sentence, signing_in},
    web::{Answer, Call, Endpoint, call::call},
};
use domain::shared::{Fault, Kind};
use serde::Deserialize;
use storage::identity::links::{ConfirmAddress, Confirmed};
use warp::Filter;

pub(super) fn route(identity: &Identity) -> Endpoint {
    let identity = identity.clone();
    warp::path!("api" / "auth" / "confirm-email")
        .and(warp::post())
        .and(call())
        .then(move |call: Call| respond(call.arrival, confirm(identity.clone(), call)))
        .boxed()
}

#[derive(Deserialize)]
#[serde(expecting = "an object")]
struct Body {
    token: Option<String>,
}

async fn confirm(identity: Identity, mut call: Call) -> Result<Answer, Fault> {
    identity.sessions.check_csrf(&call).await?;
    let body: Body = call.form(BODY_LIMIT).await?;
    let hash = super::token(body.token.as_deref())?;
    let signed_in = match identity.sessions.signed_in(&call).await {
        Ok(signed_in) => Some(signed_in),
        Err(fault) if fault.kind == Kind::Unauthorized => None,
        Err(fault) => return Err(fault),
    };
    let spared = signed_in.map(|it| (it.user, signing_in::spared(&identity, &call, it)));
    let confirmed = match hash {
        Some(hash) => identity.store.run(&ConfirmAddress { hash, spared, source: identity.source(&call) }).await?,
        None => Confirmed::Not,
    };
    let Confirmed::Now(kept) = confirmed else {
        identity.limits.link_from(call.arrival.ip)?;
        return Err(super::invalid_token());
    };
    let answer = Answer::ok(&sentence(&call, "The mail address is changed"))?;
    match (signed_in, kept) {
        (Some(signed_in), Some(kept)) => signing_in::renew(&identity, signed_in, kept, answer),
        _ => Ok(answer),
    }
}
