//! `DELETE /api/me`: the account and everything that hangs on it goes. Its entries in the audit trail stay.

use crate::{
    identity::{
        BODY_LIMIT, Identity,
        proving::{self, ProofBody},
        respond, success,
    },
    web::{ApiRequest, ApiResponse, Endpoint, Message, request::api_request},
};
use domain::shared::Fault;
use storage::identity::{accounts, leaving::Leave};
use warp::Filter;

pub(super) fn route(identity: &Identity) -> Endpoint {
    let identity = identity.clone();
    warp::path!("api" / "me")
        .and(warp::delete())
        .and(api_request())
        .then(move |request: ApiRequest| respond(request.meta, delete(identity.clone(), request)))
        .boxed()
}

/// What is tried.
const EVENT: &str = "account.deleted";

async fn delete(identity: Identity, mut request: ApiRequest) -> Result<ApiResponse, Fault> {
    let signed_in = identity.sessions.signed_in_with_csrf(&request).await?;
    let body: ProofBody = request.json_fields(BODY_LIMIT).await?;
    let connection = identity.ctx.store.connection("account.find").await?;
    let stored = accounts::find_with_password(&connection, signed_in.user).await?.ok_or_else(Fault::unauthorized)?;
    drop(connection);
    // The password where there is one, and only else a passkey.
    let shown = body.required(stored.account.has_password)?;
    let passkey = proving::again(&identity, &request, signed_in, &stored, shown, EVENT).await?;
    let work = Leave { owner: signed_in.claimed(), passkey, source: identity.source(&request) };
    let left = identity.ctx.store.transact(&work).await?;
    proving::unless_stale(&identity, &request, signed_in, left, EVENT).await?;
    Ok(identity.sessions.clear_cookies(ApiResponse::ok(&success(&request, Message::AccountDeleted))?))
}
