//! `POST /api/webauthn/register/finish`: adds the passkey that a browser has made.

use crate::{
    identity::{BODY_LIMIT, Identity, me::PasskeyView, respond},
    web::{ApiRequest, ApiResponse, Endpoint, request::api_request},
};
use domain::{identity::passkey, shared::Fault};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use services::identity::passkeys::{self, PasskeyRegistration};
use warp::Filter;

pub(super) fn route(identity: &Identity) -> Endpoint {
    let identity = identity.clone();
    warp::path!("api" / "webauthn" / "register" / "finish")
        .and(warp::post())
        .and(api_request())
        .then(move |request: ApiRequest| respond(request.meta, finish(identity.clone(), request)))
        .boxed()
}

#[derive(Deserialize)]
#[serde(expecting = "an object")]
struct Body {
    challenge: Option<String>,
    credential: Option<Value>,
    name: Option<String>,
}

#[derive(Serialize)]
struct Registered {
    verified: bool,
    passkey: PasskeyView,
}

async fn finish(identity: Identity, mut request: ApiRequest) -> Result<ApiResponse, Fault> {
    identity.ctx.limits.passkey_from(request.meta.ip)?;
    let signed_in = identity.sessions.signed_in_with_csrf(&request).await?;
    let Body { challenge, credential, name } = request.json_fields(BODY_LIMIT).await?;
    let name = passkey::name(name.as_deref())?;
    let registration = PasskeyRegistration { challenge, credential: super::credential(credential)?, name };
    let context = identity.request_context(&request);
    let added = passkeys::finish_registration(&identity.ctx, &context, signed_in.claimed(), registration).await?;
    ApiResponse::ok(&Registered { verified: true, passkey: added.into() })
}
