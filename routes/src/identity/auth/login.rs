//! `POST /api/auth/login`: signs in with a password.

use crate::{
    identity::{BODY_LIMIT, Identity, session_cookies},
    web::{ApiRequest, ApiResponse, csrf::Binding},
};
use domain::{
    identity::{Email, FieldErrors, email, second_factor::Method},
    shared::{Code, Detail, Fault, timestamp},
};
use http::header;
use jiff::Timestamp;
use secrecy::SecretString;
use serde::{Deserialize, Serialize};
use services::identity::{
    second_factor::Challenge,
    sign_in::{self, PasswordLogin, SignInOutcome},
};

#[derive(Deserialize)]
#[serde(rename_all = "camelCase", expecting = "an object")]
struct LoginBody {
    email: Option<String>,
    #[serde(default, deserialize_with = "super::password")]
    password: Option<SecretString>,
    remember_me: Option<bool>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct SecondFactorRequired {
    two_factor_required: bool,
    method: Method,
    methods: &'static [&'static str],
    login_token: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    email_hint: Option<String>,
    #[serde(serialize_with = "timestamp::serialize")]
    expires_at: Timestamp,
    #[serde(skip_serializing_if = "Option::is_none")]
    resend_after: Option<u64>,
}

/// 200 with the session, or with the challenge of a second factor; 403 when the account may not sign in.
pub(super) async fn login(identity: Identity, browser: Binding, mut request: ApiRequest) -> Result<ApiResponse, Fault> {
    let body: LoginBody = request.json_fields(BODY_LIMIT).await?;
    let (email, password) = credentials(body.email.as_deref(), body.password)?;
    let login = PasswordLogin { email, password, remember: body.remember_me != Some(false) };
    match sign_in::sign_in(&identity.ctx, &identity.sign_in_context(&request, &browser), login).await? {
        SignInOutcome::SecondFactorRequired(challenge) => challenged(&identity, challenge),
        SignInOutcome::SignedIn(session) => session_cookies::respond(&identity, *session),
        SignInOutcome::Barred(bar) => Err(Fault::of(bar.code())),
    }
}

/// The response with a challenge for a second factor; its token is in the body and in a cookie.
fn challenged(identity: &Identity, challenge: Challenge) -> Result<ApiResponse, Fault> {
    let cookie = super::login_cookie(identity, &challenge.login_token)?;
    let body = SecondFactorRequired {
        two_factor_required: true,
        method: challenge.method,
        methods: challenge.method.methods(),
        login_token: challenge.login_token,
        email_hint: challenge.email_hint,
        expires_at: challenge.expires_at,
        resend_after: challenge.resend_after.map(|after| after.as_secs()),
    };
    Ok(ApiResponse::ok(&body)?.with(header::SET_COOKIE, cookie))
}

/// 400 for credentials that no account can have.
pub(crate) fn credentials(email: Option<&str>, password: Option<SecretString>) -> Result<(Email, SecretString), Fault> {
    let mut errors = FieldErrors::default();
    let email = errors.collect(email::parse_field("email", email));
    let password = errors.collect(password.ok_or_else(|| Detail::required("password")));
    email.zip(password).ok_or_else(|| errors.into_fault(Code::Validation))
}
