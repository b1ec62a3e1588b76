//! `POST /api/webauthn/login/start`: what a browser needs to sign in with a passkey. An address that is sent changes nothing, so the answer does not tell
//! whether it has an account.

use crate::{
    identity::{Identity, respond},
    web::{ApiRequest, ApiResponse, Endpoint, request::api_request},
};
use domain::shared::Fault;
use services::identity::passkeys;
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
    super::respond(passkeys::start_login(&identity.ctx, &browser.to_string()).await?)
}
