//! `/api/me/password` and `/api/me/password-reauth`: the password of the signed-in person.

use crate::{
    identity::{BODY_LIMIT, Identity, reauth_body::ReauthBody, session_cookies, success, webauthn},
    web::{ApiRequest, ApiResponse, Message, SignedIn},
};
use domain::shared::Fault;
use secrecy::SecretString;
use serde::Deserialize;
use services::identity::{password, reauth};

#[derive(Deserialize)]
#[serde(rename_all = "camelCase", expecting = "an object")]
struct ChangeBody {
    #[serde(default, deserialize_with = "crate::identity::auth::password")]
    current_password: Option<SecretString>,
    #[serde(default, deserialize_with = "crate::identity::auth::password")]
    new_password: Option<SecretString>,
}

/// Changes the password, or sets the first one. Every other session of the account ends.
pub(super) async fn change(identity: Identity, signed_in: SignedIn, mut request: ApiRequest) -> Result<ApiResponse, Fault> {
    let ChangeBody { current_password, new_password } = request.strict_json(BODY_LIMIT).await?.read()?;
    let context = identity.request_context(&request);
    let changed = password::change(&identity.ctx, &context, signed_in.claims(), current_password, new_password).await?;
    let changed = changed.ok_or_else(reauth::wrong_password)?;
    let message = if changed.had_password { Message::PasswordChanged } else { Message::PasswordSet };
    session_cookies::reissue(&identity, signed_in, changed.session, ApiResponse::ok(&success(&request, message))?)
}

/// Removes the password, so that only a passkey signs in. Every other session of the account ends.
pub(super) async fn remove(identity: Identity, signed_in: SignedIn, mut request: ApiRequest) -> Result<ApiResponse, Fault> {
    let body = request.strict_json::<ReauthBody>(BODY_LIMIT).await?.read()?;
    let context = identity.request_context(&request);
    let times = password::remove(&identity.ctx, &context, signed_in.claims(), body.one()).await?;
    session_cookies::reissue(&identity, signed_in, times, ApiResponse::ok(&success(&request, Message::PasswordRemoved))?)
}

/// The options with which a browser re-authenticates with a passkey: to remove the password, or, without one, to change the address or delete the
/// account.
pub(super) async fn start_reauth(identity: Identity, signed_in: SignedIn, request: ApiRequest) -> Result<ApiResponse, Fault> {
    webauthn::respond(reauth::start(&identity.ctx, &identity.request_context(&request), signed_in.claims()).await?)
}
