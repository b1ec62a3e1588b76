//! `/api/webauthn/…`: registering a passkey, and signing in with one.

use super::{BODY_LIMIT, Identity, limits, me::PasskeyView, session_cookies};
use crate::web::{
    ApiRequest, ApiResponse, ByCsrfToken, BySession, Endpoints, ErrorFormat, SignedIn, access::checked, csrf::Binding, proved,
};
use domain::{identity::passkey, shared::Fault};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use services::identity::passkeys::{self, PasskeyChallenge, PasskeyLogin, PasskeyRegistration};

/// The endpoints below `/api/webauthn`.
pub(super) fn endpoints(identity: &Identity) -> Endpoints<Identity> {
    Endpoints::new(identity, ErrorFormat::Identity)
        .post("/api/webauthn/register/start", checked(limits::passkey_from, proved(BySession)), start_registration)
        .post("/api/webauthn/register/finish", checked(limits::passkey_from, proved(BySession)), finish_registration)
        .post("/api/webauthn/login/start", checked(limits::passkey_from, ByCsrfToken), start_login)
        .post("/api/webauthn/login/finish", checked(limits::passkey_from, ByCsrfToken), finish_login)
}

#[derive(Default, Deserialize)]
#[serde(expecting = "an object")]
struct RegistrationStart {
    name: Option<String>,
}

/// The options with which a browser makes a passkey for a signed-in person.
async fn start_registration(identity: Identity, signed_in: SignedIn, mut request: ApiRequest) -> Result<ApiResponse, Fault> {
    let body: RegistrationStart = request.json_fields_or_default(BODY_LIMIT).await?;
    let name = passkey::name(body.name.as_deref())?;
    let context = identity.request_context(&request);
    respond(passkeys::start_registration(&identity.ctx, &context, signed_in.claims(), name).await?)
}

#[derive(Deserialize)]
#[serde(expecting = "an object")]
struct RegistrationBody {
    challenge: Option<String>,
    credential: Option<Value>,
    name: Option<String>,
}

#[derive(Serialize)]
struct Registered {
    verified: bool,
    passkey: PasskeyView,
}

/// Adds the passkey that a browser has made.
async fn finish_registration(identity: Identity, signed_in: SignedIn, mut request: ApiRequest) -> Result<ApiResponse, Fault> {
    let RegistrationBody { challenge, credential, name } = request.json_fields(BODY_LIMIT).await?;
    let name = passkey::name(name.as_deref())?;
    let registration = PasskeyRegistration { challenge, credential: required(credential)?, name, device: None };
    let context = identity.request_context(&request);
    let added = passkeys::finish_registration(&identity.ctx, &context, signed_in.claims(), registration).await?;
    ApiResponse::ok(&Registered { verified: true, passkey: added.into() })
}

/// The options with which a browser signs in with a passkey. An address in the body is ignored, so the
/// response does not tell whether it has an account.
async fn start_login(identity: Identity, browser: Binding, request: ApiRequest) -> Result<ApiResponse, Fault> {
    respond(passkeys::start_login(&identity.ctx, &identity.request_context(&request), &browser.to_string()).await?)
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase", expecting = "an object")]
struct LoginBody {
    challenge: Option<String>,
    credential: Option<Value>,
    remember_me: Option<bool>,
}

/// Signs in with a passkey; 403 when the account may not sign in.
async fn finish_login(identity: Identity, browser: Binding, mut request: ApiRequest) -> Result<ApiResponse, Fault> {
    let LoginBody { challenge, credential, remember_me } = request.json_fields(BODY_LIMIT).await?;
    let remember = remember_me != Some(false);
    let login = PasskeyLogin { challenge, credential: required(credential)?, offer: None, remember };
    let context = identity.sign_in_context(&request, &browser);
    match passkeys::finish_login(&identity.ctx, &context, &browser.to_string(), login).await? {
        Ok(started) => session_cookies::respond(&identity, started),
        Err(bar) => Err(Fault::of(bar.code())),
    }
}

/// The response of the browser to a challenge; 400 `validation` without one.
fn required(sent: Option<Value>) -> Result<Value, Fault> {
    let missing = || Fault::required("credential", "Send what the browser answered as credential");
    sent.filter(|credential| !credential.is_null()).ok_or_else(missing)
}

#[derive(Serialize)]
struct Challenge {
    options: Value,
    challenge: String,
}

/// A challenge, for `navigator.credentials`.
pub(super) fn respond(challenge: PasskeyChallenge) -> Result<ApiResponse, Fault> {
    let PasskeyChallenge { options, challenge } = challenge;
    ApiResponse::ok(&Challenge { options, challenge })
}
