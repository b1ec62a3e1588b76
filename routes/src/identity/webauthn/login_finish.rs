//! `POST /api/webauthn/login/finish`: signs in with a passkey.

use crate::{
    identity::{BODY_LIMIT, Identity, respond, session_cookies},
    web::{ApiRequest, ApiResponse, Endpoint, request::api_request},
};
use domain::shared::Fault;
use serde::Deserialize;
use serde_json::Value;
use services::identity::passkeys::{self, PasskeyLogin};
use warp::Filter;

pub(super) fn route(identity: &Identity) -> Endpoint {
    let identity = identity.clone();
    warp::path!("api" / "webauthn" / "login" / "finish")
        .and(warp::post())
        .and(api_request())
        .then(move |request: ApiRequest| respond(request.meta, finish(identity.clone(), request)))
        .boxed()
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase", expecting = "an object")]
struct Body {
    challenge: Option<String>,
    credential: Option<Value>,
    remember_me: Option<bool>,
}

async fn finish(identity: Identity, mut request: ApiRequest) -> Result<ApiResponse, Fault> {
    identity.ctx.limits.passkey_from(request.meta.ip)?;
    let browser = identity.sessions.check_csrf(&request).await?;
    let Body { challenge, credential, remember_me } = request.json_fields(BODY_LIMIT).await?;
    let login = PasskeyLogin { challenge, credential: super::credential(credential)?, remember: remember_me != Some(false) };
    let context = identity.request_context(&request);
    let started = passkeys::finish_login(&identity.ctx, &context, &browser.to_string(), login).await?;
    session_cookies::respond(&identity, started)
}
