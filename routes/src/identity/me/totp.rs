//! `/api/me/totp`: the authenticator app of the signed-in person, and its backup codes.

use crate::{
    identity::{BODY_LIMIT, Identity},
    web::{ApiRequest, ApiResponse, SignedIn},
};
use domain::shared::Fault;
use secrecy::ExposeSecret;
use serde::{Deserialize, Serialize};
use services::identity::totp;

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct StateView {
    enabled: bool,
    backup_codes_remaining: i64,
}

/// Whether there is an app, and how many backup codes are left.
pub(super) async fn state(identity: Identity, signed_in: SignedIn, _: ApiRequest) -> Result<ApiResponse, Fault> {
    let state = totp::state(&identity.ctx, signed_in.user).await?;
    ApiResponse::ok(&StateView { enabled: state.is_enabled, backup_codes_remaining: state.backup_codes_left })
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Started<'a> {
    secret: &'a str,
    otpauth_uri: &'a str,
}

/// Makes a new secret, in place of one that is not confirmed yet. The app that is in use stays.
pub(super) async fn start(identity: Identity, signed_in: SignedIn, _: ApiRequest) -> Result<ApiResponse, Fault> {
    let started = totp::start(&identity.ctx, signed_in.user).await?;
    ApiResponse::ok(&Started { secret: started.secret.expose_secret(), otpauth_uri: started.uri.expose_secret() })
}

/// Enables the app whose first code is sent. Returns its backup codes.
pub(super) async fn confirm(identity: Identity, signed_in: SignedIn, mut request: ApiRequest) -> Result<ApiResponse, Fault> {
    let code = code_of(&mut request).await?;
    let context = identity.request_context(&request);
    respond_codes(&totp::confirm(&identity.ctx, &context, signed_in.claimed(), &code).await?)
}

/// Makes a new set of backup codes, given a code of the app. The old set is void.
pub(super) async fn renew_backup_codes(
    identity: Identity,
    signed_in: SignedIn,
    mut request: ApiRequest,
) -> Result<ApiResponse, Fault> {
    let code = code_of(&mut request).await?;
    let context = identity.request_context(&request);
    respond_codes(&totp::renew_backup_codes(&identity.ctx, &context, signed_in.claimed(), &code).await?)
}

#[derive(Serialize)]
struct Removed {
    enabled: bool,
}

/// Removes the app, for one of its codes or a backup code.
pub(super) async fn remove(identity: Identity, signed_in: SignedIn, mut request: ApiRequest) -> Result<ApiResponse, Fault> {
    let code = code_of(&mut request).await?;
    totp::remove(&identity.ctx, &identity.request_context(&request), signed_in.claimed(), &code).await?;
    ApiResponse::ok(&Removed { enabled: false })
}

#[derive(Deserialize)]
#[serde(expecting = "an object")]
struct CodeBody {
    code: Option<String>,
}

/// The code in the body; 400 without one.
async fn code_of(request: &mut ApiRequest) -> Result<String, Fault> {
    let body: CodeBody = request.json_fields(BODY_LIMIT).await?;
    body.code.ok_or_else(|| Fault::required("code", "Send the code"))
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct BackupCodes<'a> {
    backup_codes: Vec<&'a str>,
}

/// New backup codes, which are shown only once.
fn respond_codes(codes: &totp::BackupCodes) -> Result<ApiResponse, Fault> {
    ApiResponse::ok(&BackupCodes { backup_codes: codes.0.iter().map(ExposeSecret::expose_secret).collect() })
}
