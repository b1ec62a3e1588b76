//! `DELETE /api/me/password`: from now on only a passkey signs in. Every other session of the account ends.

use crate::{
    identity::{
        BODY_LIMIT, Identity,
        proving::{self, ProofBody},
        respond, signing_in, success,
    },
    web::{ApiRequest, ApiResponse, Endpoint, Message, request::api_request},
};
use domain::{identity::passkey, shared::Fault};
use storage::identity::{accounts, passwords::RemovePassword};
use warp::Filter;

pub(super) fn route(identity: &Identity) -> Endpoint {
    let identity = identity.clone();
    warp::path!("api" / "me" / "password")
        .and(warp::delete())
        .and(api_request())
        .then(move |request: ApiRequest| respond(request.meta, remove(identity.clone(), request)))
        .boxed()
}

/// What is tried.
const EVENT: &str = "auth.password.removed";

async fn remove(identity: Identity, mut request: ApiRequest) -> Result<ApiResponse, Fault> {
    let signed_in = identity.sessions.signed_in_with_csrf(&request).await?;
    let body: ProofBody = request.json_fields(BODY_LIMIT).await?;
    let connection = identity.ctx.store.connection("account.find").await?;
    let stored = accounts::find_with_password(&connection, signed_in.user).await?.ok_or_else(Fault::unauthorized)?;
    drop(connection);
    if !stored.account.has_password {
        return Err(Fault::bad_request("noPassword", "This account has no password"));
    }
    if stored.account.passkeys == 0 {
        return Err(passkey::passkey_required());
    }
    let shown = body.shown()?;
    let passkey = proving::again(&identity, &request, signed_in, &stored, shown, EVENT).await?;
    let work = RemovePassword {
        user: signed_in.user,
        token_version: signed_in.token_version,
        passkey,
        spared: signing_in::spared(&identity, &request, signed_in),
        source: identity.source(&request),
    };
    let removed = identity.ctx.store.transact(&work).await?;
    let kept = proving::unless_stale(&identity, &request, signed_in, removed, EVENT).await?;
    signing_in::renew(&identity, signed_in, kept, ApiResponse::ok(&success(&request, Message::PasswordRemoved))?)
}
