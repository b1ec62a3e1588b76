//! `POST /api/webauthn/login/start`: what a browser needs to sign in with a passkey. Nobody says who they are: the authenticator knows. An address that
//! is sent changes nothing, so nobody learns whether it has an account. The answer is good in the browser that asked, and in no other.

use crate::{
    identity::{Identity, ceremony::Asked, respond},
    web::{ApiRequest, ApiResponse, Endpoint, request::api_request},
};
use domain::{identity::one_time::Kind as OneTime, shared::Fault};
use warp::Filter;

pub(super) fn route(identity: &Identity) -> Endpoint {
    let identity = identity.clone();
    warp::path!("api" / "webauthn" / "login" / "start")
        .and(warp::post())
        .and(api_request())
        .then(move |request: ApiRequest| respond(request.meta, start(identity.clone(), request)))
        .boxed()
}

async fn start(identity: Identity, request: ApiRequest) -> Result<ApiResponse, Fault> {
    identity.ctx.limits.passkey_from(request.meta.ip)?;
    let browser = identity.sessions.check_csrf(&request).await?;
    let started = identity.ctx.passkeys.start_authentication(&[])?;
    identity.ask(OneTime::PasskeyLogin, Asked::Browser(&browser), started, None).await
}
