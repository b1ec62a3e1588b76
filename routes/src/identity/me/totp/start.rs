//! `POST /api/me/totp/start`: a new secret, in place of one that waits for its first code. The app that is in use stays.

use crate::{
    identity::{Identity, respond},
    web::{ApiRequest, ApiResponse, Endpoint, request::api_request},
};
use domain::shared::Fault;
use secrecy::ExposeSecret;
use serde::Serialize;
use services::identity::totp;
use warp::Filter;

pub(super) fn route(identity: &Identity) -> Endpoint {
    let identity = identity.clone();
    warp::path!("api" / "me" / "totp" / "start")
        .and(warp::post())
        .and(api_request())
        .then(move |request: ApiRequest| respond(request.meta, start(identity.clone(), request)))
        .boxed()
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Started<'a> {
    secret: &'a str,
    otpauth_uri: &'a str,
}

async fn start(identity: Identity, request: ApiRequest) -> Result<ApiResponse, Fault> {
    let signed_in = identity.sessions.signed_in_with_csrf(&request).await?;
    let started = totp::start(&identity.ctx, signed_in.user).await?;
    ApiResponse::ok(&Started { secret: started.secret.expose_secret(), otpauth_uri: started.uri.expose_secret() })
}
