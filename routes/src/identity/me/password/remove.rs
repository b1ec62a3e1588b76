//! `DELETE /api/me/password`: from now on only a passkey signs in. Every other session of the account ends.

use crate::{
    identity::{
        BODY_LIMIT, Identity,
        proving::{self, ProofBody},
        respond, sentence, signing_in,
    },
    web::{Answer, Call, Endpoint, call::call},
};
use domain::{identity::passkey, shared::Fault};
use storage::identity::{accounts, passwords::RemovePassword};
use warp::Filter;

pub(super) fn route(identity: &Identity) -> Endpoint {
    let identity = identity.clone();
    warp::path!("api" / "me" / "password")
        .and(warp::delete())
        .and(call())
        .then(move |call: Call| respond(call.arrival, remove(identity.clone(), call)))
        .boxed()
}

/// What is tried.
const EVENT: &str = "auth.password.removed";

async fn remove(identity: Identity, mut call: Call) -> Result<Answer, Fault> {
    let signed_in = identity.sessions.signed_in_with_csrf(&call).await?;
    let body: ProofBody = call.form(BODY_LIMIT).await?;
    let connection = identity.store.read("account.find").await?;
    let stored = accounts::find_with_password(&connection, signed_in.user).await?.ok_or_else(Fault::unauthorized)?;
    drop(connection);
    if !stored.account.has_password {
        return Err(Fault::bad_request("noPassword", "This account has no password"));
    }
    if stored.account.passkeys == 0 {
        return Err(passkey::passkey_required());
    }
    let shown = body.shown()?;
    let passkey = proving::again(&identity, &call, signed_in, &stored, shown, EVENT).await?;
    let work = RemovePassword {
        user: signed_in.user,
        token_version: signed_in.token_version,
        passkey,
        spared: signing_in::spared(&identity, &call, signed_in),
        source: identity.source(&call),
    };
    let removed = identity.store.run(&work).await?;
    let kept = proving::unless_stale(&identity, &call, signed_in, removed, EVENT).await?;
    signing_in::renew(&identity, signed_in, kept, Answer::ok(&sentence(&call, "The password is removed"))?)
}
