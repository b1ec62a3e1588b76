//! The address and the password of the signed-in person, and proving again who they are: `/api/me/email`,
//! `/api/me/password`, `/api/me/password-reauth`, `/api/me/reauthenticate`.

use crate::{
    identity::{BODY_LIMIT, Identity, reauth_body::ReauthBody, session_cookies, success, webauthn},
    web::{ApiRequest, ApiResponse, Message, SignedIn},
};
use domain::shared::{Fault, timestamp};
use http::StatusCode;
use jiff::Timestamp;
use secrecy::SecretString;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use services::identity::{
    address_change::{self, AddressChangeOutcome},
    password,
    prove::{Purpose, prove},
    reauth,
};

#[derive(Deserialize)]
#[serde(rename_all = "camelCase", expecting = "an object")]
struct EmailBody {
    new_email: Option<String>,
    #[serde(default, deserialize_with = "crate::identity::auth::password")]
    password: Option<SecretString>,
    challenge: Option<String>,
    credential: Option<Value>,
}

/// 202 when a link was mailed; 200 while mail is off.
pub(super) async fn change_email(identity: Identity, signed_in: SignedIn, mut request: ApiRequest) -> Result<ApiResponse, Fault> {
    let EmailBody { new_email, password, challenge, credential } = request.strict_json(BODY_LIMIT).await?.read()?;
    let reauth = ReauthBody { password, challenge, credential };
    let (context, credential) = (identity.request_context(&request), |has_password| reauth.required(has_password));
    match address_change::request(&identity.ctx, &context, signed_in.claims(), new_email.as_deref(), credential).await? {
        AddressChangeOutcome::LinkSent => ApiResponse::json(StatusCode::ACCEPTED, &success(&request, Message::AddressLinkSent)),
        AddressChangeOutcome::Changed(times) => {
            let response = ApiResponse::ok(&success(&request, Message::AddressChanged))?;
            session_cookies::reissue(&identity, signed_in, times, response)
        }
    }
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase", expecting = "an object")]
struct PasswordBody {
    #[serde(default, deserialize_with = "crate::identity::auth::password")]
    current_password: Option<SecretString>,
    #[serde(default, deserialize_with = "crate::identity::auth::password")]
    new_password: Option<SecretString>,
}

/// Changes the password, or sets the first one. Every other session of the account ends.
pub(super) async fn change_password(
    identity: Identity,
    signed_in: SignedIn,
    mut request: ApiRequest,
) -> Result<ApiResponse, Fault> {
    let PasswordBody { current_password, new_password } = request.strict_json(BODY_LIMIT).await?.read()?;
    let context = identity.request_context(&request);
    let changed = password::change(&identity.ctx, &context, signed_in.claims(), current_password, new_password).await?;
    let changed = changed.ok_or_else(reauth::wrong_password)?;
    let message = if changed.had_password { Message::PasswordChanged } else { Message::PasswordSet };
    session_cookies::reissue(&identity, signed_in, changed.session, ApiResponse::ok(&success(&request, message))?)
}

/// Removes the password, so that only a passkey signs in. Every other session of the account ends.
pub(super) async fn remove_password(
    identity: Identity,
    signed_in: SignedIn,
    mut request: ApiRequest,
) -> Result<ApiResponse, Fault> {
    let body = request.strict_json::<ReauthBody>(BODY_LIMIT).await?.read()?;
    let context = identity.request_context(&request);
    let times = password::remove(&identity.ctx, &context, signed_in.claims(), body.one()).await?;
    session_cookies::reissue(&identity, signed_in, times, ApiResponse::ok(&success(&request, Message::PasswordRemoved))?)
}

/// The options with which a browser re-authenticates with a passkey: to remove the password, or, without one,
/// to change the address or delete the account.
pub(super) async fn start_reauth(identity: Identity, signed_in: SignedIn, request: ApiRequest) -> Result<ApiResponse, Fault> {
    webauthn::respond(reauth::start(&identity.ctx, &identity.request_context(&request), signed_in.claims()).await?)
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Proved {
    message: &'static str,
    /// `null` where no proof is ever asked for.
    #[serde(serialize_with = "timestamp::option::serialize")]
    proved_until: Option<Timestamp>,
}

/// 200 when the password, or what a passkey answered to `/api/me/password-reauth`, was right.
pub(super) async fn reauthenticate(identity: Identity, signed_in: SignedIn, mut request: ApiRequest) -> Result<ApiResponse, Fault> {
    let body = request.strict_json::<ReauthBody>(BODY_LIMIT).await?.read()?;
    let context = identity.request_context(&request);
    prove(&identity.ctx, &context, signed_in.claims(), |_| body.one(), Purpose::Session).await?;
    let proved_until = identity.sessions.proofs().recent_until(context.at());
    ApiResponse::ok(&Proved { message: Message::Proved.in_language(request.meta.language), proved_until })
}
