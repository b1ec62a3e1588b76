//! `DELETE /api/me`: the account and everything that hangs on it goes. Its entries in the audit trail stay.

use crate::{
    identity::{
        BODY_LIMIT, Identity,
        proving::{self, ProofBody},
        respond,
    },
    web::{Answer, Call, Endpoint, call::call},
};
use domain::shared::{Detail, Fault};
use serde::Serialize;
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

#[derive(Serialize)]
struct Deleted {
    message: &'static str,
}

async fn delete(identity: Identity, mut call: Call) -> Result<Answer, Fault> {
    let signed_in = identity.sessions.signed_in_with_csrf(&call).await?;
    let body: ProofBody = call.json(BODY_LIMIT).await?;
    let connection = identity.store.read("account.find").await?;
    let stored = accounts::find_with_password(&connection, signed_in.user).await?.ok_or_else(Fault::unauthorized)?;
    drop(connection);
    // The password where there is one, and only else a passkey.
    let shown = body.password_or_passkey(stored.account.has_password);
    let shown = shown.ok_or_else(|| nothing_shown(stored.account.has_password))?;
    let passkey = proving::again(&identity, &call, signed_in, &stored, shown, EVENT).await?;
    let work = Leave { owner: signed_in.claimed(), passkey, source: identity.source(&call) };
    let left = identity.store.run(&work).await?;
    proving::unless_stale(&identity, &call, signed_in, left, EVENT).await?;
    Ok(identity.sessions.forget(Answer::ok(&Deleted { message: "The account is deleted" })?))
}

fn nothing_shown(has_password: bool) -> Fault {
    let blank = |field: &str| vec![Detail { field: field.to_owned(), code: "blank", message: "is required".to_owned() }];
    if has_password {
        return Fault::bad_request("passwordRequired", "Send the password of the account").about(blank("password"));
    }
    Fault::bad_request("validation", "Send what a passkey answered to /api/me/password-reauth").about(blank("credential"))
}
