//! `POST /api/webauthn/register/start`: what a browser needs to make a passkey for a signed-in person.

use crate::{
    identity::{BODY_LIMIT, Identity, respond},
    web::{ApiRequest, ApiResponse, Endpoint, request::api_request},
};
use domain::{identity::passkey, shared::Fault};
use serde::Deserialize;
use services::identity::passkeys;
use warp::Filter;

pub(super) fn route(identity: &Identity) -> Endpoint {
    let identity = identity.clone();
    warp::path!("api" / "webauthn" / "register" / "start")
        .and(warp::post())
        .and(api_request())
        .then(move |request: ApiRequest| respond(request.meta, start(identity.clone(), request)))
        .boxed()
}

#[derive(Default, Deserialize)]
#[serde(expecting = "an object")]
struct Body {
    name: Option<String>,
}

async fn start(identity: Identity, mut request: ApiRequest) -> Result<ApiResponse, Fault> {
    identity.ctx.limits.passkey_from(request.meta.ip)?;
    let signed_in = identity.sessions.signed_in_with_csrf(&request).await?;
    let body: Body = request.json_fields_or_default(BODY_LIMIT).await?;
    let name = passkey::name(body.name.as_deref())?;
    super::respond(passkeys::start_registration(&identity.ctx, signed_in.claimed(), name).await?)
}
