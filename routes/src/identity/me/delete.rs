//! `DELETE /api/me`: the account and everything that hangs on it goes. Its entries in the audit trail stay.

use crate::{
    identity::{BODY_LIMIT, Identity, reauth_body::ReauthBody, respond, success},
    web::{ApiRequest, ApiResponse, Endpoint, Message, request::api_request},
};
use domain::shared::Fault;
use services::identity::reauth;
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
    let body: ReauthBody = request.json_fields(BODY_LIMIT).await?;
    let connection = identity.ctx.store.connection("account.find").await?;
    let stored = accounts::find_with_password(&connection, signed_in.user).await?.ok_or_else(Fault::unauthorized)?;
    drop(connection);
    // The password where there is one, and only else a passkey.
    let credential = body.required(stored.account.has_password)?;
    let context = identity.request_context(&request);
    let passkey = reauth::reauthenticate(&identity.ctx, &context, signed_in.claimed(), &stored, credential, EVENT).await?;
    let work = Leave { owner: signed_in.claimed(), passkey, source: context.source.clone() };
    let left = identity.ctx.store.transact(&work).await?;
    reauth::unless_stale(&identity.ctx, &context, signed_in.user, left, EVENT).await?;
    Ok(identity.sessions.clear_cookies(ApiResponse::ok(&success(&request, Message::AccountDeleted))?))
}
