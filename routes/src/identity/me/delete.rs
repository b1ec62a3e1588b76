//! `DELETE /api/me`: the account and everything that hangs on it goes. Its entries in the audit trail stay.

use crate::{
    identity::{
        BODY_LIMIT, Identity,
        proving::{self, ProofBody},
        respond, sentence,
    },
    web::{Answer, Call, Endpoint, call::call},
};
use domain::shared::Fault;
use storage::identity::{accounts, leaving::Leave};
use warp::Filter;

pub(super) fn route(identity: &Identity) -> Endpoint {
    let identity = identity.clone();
    warp::path!("api" / "me")
        .and(warp::delete())
        .and(call())
        .then(move |call: Call| respond(call.arrival, delete(identity.clone(), call)))
        .boxed()
}

/// What is tried.
const EVENT: &str = "account.deleted";

async fn delete(identity: Identity, mut call: Call) -> Result<Answer, Fault> {
    let signed_in = identity.sessions.signed_in_with_csrf(&call).await?;
    let body: ProofBody = call.form(BODY_LIMIT).await?;
    let connection = identity.store.read("account.find").await?;
    let stored = accounts::find_with_password(&connection, signed_in.user).await?.ok_or_else(Fault::unauthorized)?;
    drop(connection);
    // The password where there is one, and only else a passkey.
    let shown = body.required(stored.account.has_password)?;
    let passkey = proving::again(&identity, &call, signed_in, &stored, shown, EVENT).await?;
    let work = Leave { owner: signed_in.claimed(), passkey, source: identity.source(&call) };
    let left = identity.store.run(&work).await?;
    proving::unless_stale(&identity, &call, signed_in, left, EVENT).await?;
    Ok(identity.sessions.forget(Answer::ok(&sentence(&call, "The account is deleted"))?))
}
