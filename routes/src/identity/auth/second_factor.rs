//! The second factor of a login: `/api/auth/verify-totp`, `/api/auth/verify-login-code`,
//! `/api/auth/resend-login-code`.

use crate::{
    identity::{BODY_LIMIT, Identity, session_cookies},
    web::{ApiRequest, ApiResponse, Message, cookie, csrf::Binding},
};
use domain::{
    identity::second_factor::challenge_expired,
    shared::{Code, Detail, Fault, FieldCode},
};
use http::header;
use serde::{Deserialize, Serialize};
use services::identity::second_factor::{self, VerificationOutcome};

/// Finishes a login with a code of the authenticator app, or with a backup code.
pub(super) async fn verify_totp(identity: Identity, browser: Binding, mut request: ApiRequest) -> Result<ApiResponse, Fault> {
    let (code, login_token) = request.json_fields::<CodeBody>(BODY_LIMIT).await?.read()?;
    let login_token = login_token_of(&identity, &request, login_token);
    let context = identity.sign_in_context(&request, &browser);
    let verified = second_factor::verify_totp(&identity.ctx, &context, &login_token, &code).await?;
    respond(&identity, verified)
}

/// Finishes a login with the code that was mailed.
pub(super) async fn verify_mailed_code(
    identity: Identity,
    browser: Binding,
    mut request: ApiRequest,
) -> Result<ApiResponse, Fault> {
    let (code, login_token) = request.json_fields::<CodeBody>(BODY_LIMIT).await?.read()?;
    let login_token = login_token_of(&identity, &request, login_token);
    let context = identity.sign_in_context(&request, &browser);
    let verified = second_factor::verify_mailed_code(&identity.ctx, &context, &login_token, &code).await?;
    respond(&identity, verified)
}

#[derive(Default, Deserialize)]
#[serde(rename_all = "camelCase", expecting = "an object")]
struct ResendBody {
    login_token: Option<String>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Resent {
    message: &'static str,
    resend_after: u64,
}

/// Mails another code for the same login.
pub(super) async fn resend_code(identity: Identity, _: Binding, mut request: ApiRequest) -> Result<ApiResponse, Fault> {
    let body: ResendBody = request.json_fields_or_default(BODY_LIMIT).await?;
    let login_token = login_token_of(&identity, &request, body.login_token);
    let resent = second_factor::resend(&identity.ctx, &identity.request_context(&request), &login_token).await?;
    let after = resent.ok_or_else(challenge_expired)?;
    let resent = Resent { message: Message::CodeSent.in_language(request.meta.language), resend_after: after.as_secs() };
    // The pending login was extended, so its cookie is, too.
    Ok(ApiResponse::ok(&resent)?.with(header::SET_COOKIE, super::login_cookie(&identity, &login_token)?))
}

/// The body that finishes a login.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase", expecting = "an object")]
struct CodeBody {
    code: Option<String>,
    login_token: Option<String>,
}

impl CodeBody {
    /// Returns the code and the token; 400 without a code.
    fn read(self) -> Result<(String, Option<String>), Fault> {
        let code = self.code.ok_or_else(|| Fault::required("code", "Send the code"))?;
        Ok((code, self.login_token))
    }
}

/// The token of the pending login: from the body, else from the cookie, else empty.
fn login_token_of(identity: &Identity, request: &ApiRequest, sent: Option<String>) -> String {
    let from_cookie = || cookie::find(&request.headers, identity.sessions.cookies().login_pending()).map(str::to_owned);
    sent.or_else(from_cookie).unwrap_or_default()
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct BackupCodesLeft {
    backup_codes_remaining: i64,
}

/// The response with the session; 401 `invalidCode` with the number of attempts that are left when the code
/// is wrong, and 401 when the login is over.
fn respond(identity: &Identity, verified: VerificationOutcome) -> Result<ApiResponse, Fault> {
    match verified {
        VerificationOutcome::SignedIn { session, backup_codes_left: None } => session_cookies::respond(identity, *session),
        VerificationOutcome::SignedIn { session, backup_codes_left: Some(backup_codes_remaining) } => {
            session_cookies::respond_with(identity, *session, BackupCodesLeft { backup_codes_remaining })
        }
        VerificationOutcome::WrongCode { attempts_left } => {
            let left = Detail::new("code", FieldCode::AttemptsLeft, attempts_left.to_string());
            Err(Fault::of(Code::InvalidLoginCode).about(vec![left]))
        }
        VerificationOutcome::Over => Err(challenge_expired()),
    }
}
