//! `POST /api/me/password-reauth`: what a browser needs to re-authenticate with a passkey: to remove the password, or, without one, to change the address or
//! delete the account.

use crate::{
    identity::{Identity, respond, webauthn},
    web::{ApiRequest, ApiResponse, Endpoint, request::api_request},
};
use domain::shared::Fault;
use services::identity::reauth;
use warp::Filter;

pub(super) fn route(identity: &Identity) -> Endpoint {
    let identity = identity.clone();
    warp::path!("api" / "me" / "password-reauth")
        .and(warp::post())
        .and(api_request())
        .then(move |request: ApiRequest| respond(request.meta, start(identity.clone(), request)))
        .boxed()
}

async fn start(identity: Identity, request: ApiRequest) -> Result<ApiResponse, Fault> {
    identity.ctx.limits.passkey_from(request.meta.ip)?;
    let signed_in = identity.sessions.signed_in_with_csrf(&request).await?;
    webauthn::respond(reauth::start(&identity.ctx, signed_in.claimed()).await?)
}
