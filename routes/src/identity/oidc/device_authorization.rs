//! `POST /oidc/device_authorization` (RFC 8628, section 3.1).

use super::{client_credentials, client_form, dpop};
use crate::{
    identity::Identity,
    web::{Anonymous, ApiRequest, ApiResponse, body::FORM_LIMIT},
};
use domain::shared::{Fault, Parameters};
use secrecy::ExposeSecret;
use serde::Serialize;
use services::identity::oidc::{client_auth, device};
use warp::reply::Response;

#[derive(Serialize)]
struct DeviceAuthorizationBody<'a> {
    device_code: &'a str,
    user_code: &'a str,
    verification_uri: &'a str,
    verification_uri_complete: String,
    expires_in: u64,
    interval: u32,
}

/// 200 with the codes; 400 or 401 in the words of RFC 6749, section 5.2. Scripts of a public client may read
/// either.
pub(super) async fn authorize(identity: Identity, _: Anonymous, request: ApiRequest) -> Result<Response, Fault> {
    Ok(client_form::answer(&identity, request, FORM_LIMIT, |identity, request, form| Box::pin(begin(identity, request, form)))
        .await)
}

async fn begin(identity: &Identity, request: &ApiRequest, form: &Parameters) -> Result<ApiResponse, Fault> {
    let credentials = client_credentials::read(request, form)?;
    let context = identity.request_context(request);
    let client = client_auth::authenticate_to_store(&identity.oidc, &context, &credentials).await?;
    let dpop_jkt = dpop::verify(identity, request, None).await?;
    let begun = device::authorize(&identity.oidc, &client, form, dpop_jkt, context.at()).await?;
    let verification_uri = format!("{}/device", identity.oidc.settings.issuer);
    let user_code = begun.user_code.shown();
    ApiResponse::ok(&DeviceAuthorizationBody {
        device_code: begun.device_code.expose_secret(),
        user_code: &user_code,
        verification_uri_complete: format!("{verification_uri}?user_code={user_code}"),
        verification_uri: &verification_uri,
        expires_in: begun.expires_in.as_secs(),
        interval: begun.interval,
    })
}
