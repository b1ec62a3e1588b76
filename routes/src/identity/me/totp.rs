//! `/api/me/totp`: the authenticator app of the signed-in person, and its backup codes.

use crate::{
    identity::{BODY_LIMIT, Identity, reauth_body},
    web::{ApiRequest, ApiResponse, SignedIn},
};
use domain::shared::{Code, Detail, Fault, FieldCode};
use secrecy::{ExposeSecret, SecretString};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use services::identity::totp::{self, ReplacementProof};

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

#[derive(Deserialize)]
#[serde(rename_all = "camelCase", expecting = "an object")]
struct ConfirmBody {
    /// Of the new app.
    code: Option<String>,
    /// Of the app that is in use.
    current_code: Option<String>,
    #[serde(default, deserialize_with = "crate::identity::auth::password")]
    password: Option<SecretString>,
    backup_code: Option<String>,
    challenge: Option<String>,
    credential: Option<Value>,
}

/// Enables the app whose first code is sent. Returns its backup codes. While another app is in use, the body
/// also proves who has that one.
pub(super) async fn confirm(identity: Identity, signed_in: SignedIn, mut request: ApiRequest) -> Result<ApiResponse, Fault> {
    let sent = request.strict_json::<ConfirmBody>(BODY_LIMIT).await;
    let state = totp::state(&identity.ctx, signed_in.user).await?;
    let proofs: &[&str] = match (state.is_pending, state.is_enabled) {
        // Whatever the code, nothing can be confirmed.
        (false, _) => &["code"],
        // What replaces an app that is in use is checked, and so it is a proof. A code of the new app is
        // none: the person at the browser has just made that.
        (true, true) => &["currentCode", "password", "credential"],
        (true, false) => &[],
    };
    let mut body = reauth_body::proved_by(&identity, &signed_in, sent, proofs).await?.read()?;
    let code = required(body.code.take())?;
    let context = identity.request_context(&request);
    respond_codes(&totp::confirm(&identity.ctx, &context, signed_in.claims(), &code, body.proof()).await?)
}

impl ConfirmBody {
    /// What replaces the app that is in use, if anything was sent. 400 `validation` for more than one thing,
    /// because it would be a guess which one is meant, and for a password or a backup code alone.
    fn proof(self) -> Result<Option<ReplacementProof>, Fault> {
        let Self { current_code, password, backup_code, challenge, credential, .. } = self;
        Ok(Some(match (current_code, credential, password, backup_code) {
            (None, None, None, None) => return Ok(None),
            (Some(code), None, None, None) => ReplacementProof::Code(code),
            (None, Some(credential), None, None) => ReplacementProof::Passkey { challenge, credential },
            (None, None, Some(password), Some(code)) => ReplacementProof::PasswordAndBackupCode { password, code },
            (None, None, Some(_), None) => return Err(Fault::required("backupCode", "Send a backup code with the password")),
            (None, None, None, Some(_)) => return Err(Fault::required("password", "Send the password with the backup code")),
            _ => {
                let wrong = vec![Detail::new("currentCode", FieldCode::Present, "and another proof are too much")];
                let message = "Send a code of the app that is in use, or a passkey, or the password and a backup code";
                return Err(Fault::new(Code::Validation, message).about(wrong));
            }
        }))
    }
}

/// Makes a new set of backup codes, given a code of the app. The old set is void.
pub(super) async fn renew_backup_codes(
    identity: Identity,
    signed_in: SignedIn,
    mut request: ApiRequest,
) -> Result<ApiResponse, Fault> {
    let sent = request.strict_json::<CodeBody>(BODY_LIMIT).await;
    let body = reauth_body::proved_by(&identity, &signed_in, sent, &["code"]).await?.read()?;
    let code = required(body.code)?;
    let context = identity.request_context(&request);
    respond_codes(&totp::renew_backup_codes(&identity.ctx, &context, signed_in.claims(), &code).await?)
}

#[derive(Serialize)]
struct Removed {
    enabled: bool,
}

/// Removes the app, for one of its codes or a backup code.
pub(super) async fn remove(identity: Identity, signed_in: SignedIn, mut request: ApiRequest) -> Result<ApiResponse, Fault> {
    let code = code_of(&mut request).await?;
    totp::remove(&identity.ctx, &identity.request_context(&request), signed_in.claims(), &code).await?;
    ApiResponse::ok(&Removed { enabled: false })
}

#[derive(Deserialize)]
#[serde(expecting = "an object")]
struct CodeBody {
    code: Option<String>,
}

/// The code in the body; 400 without one.
async fn code_of(request: &mut ApiRequest) -> Result<String, Fault> {
    let body = request.strict_json::<CodeBody>(BODY_LIMIT).await?.read()?;
    required(body.code)
}

fn required(code: Option<String>) -> Result<String, Fault> {
    code.ok_or_else(|| Fault::required("code", "Send the code"))
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
