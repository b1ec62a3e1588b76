//! What mailed links do: set a new password (`/api/auth/password/…`), change the address of an account
//! (`/api/auth/confirm-email`), and accept an invitation (`/api/auth/invite`, `/api/auth/accept-invite`).

use super::{LinkBody, read_mail_request};
use crate::{
    identity::{BODY_LIMIT, Identity, session_cookies, success},
    web::{Anonymous, ApiRequest, ApiResponse, Message, csrf::Binding},
};
use domain::{
    identity::invite::Unacceptable,
    shared::{Fault, Kind, timestamp},
};
use jiff::Timestamp;
use secrecy::SecretString;
use serde::{Deserialize, Serialize};
use services::identity::{
    address_change, invites,
    links::request_password_reset,
    redeem::{self, stale_link},
};

/// Mails a link to set a new password. The answer is always the same, whether there is such an account or
/// not.
pub(super) async fn forgot(identity: Identity, _: Binding, mut request: ApiRequest) -> Result<ApiResponse, Fault> {
    let email = read_mail_request(&mut request).await?;
    request_password_reset(&identity.ctx, &identity.request_context(&request), &email).await?;
    ApiResponse::ok(&success(&request, Message::ResetLinkSentIfKnown))
}

/// Sets a new password by a mailed link. It starts no session: the person signs in with the new password.
pub(super) async fn reset(identity: Identity, _: Binding, mut request: ApiRequest) -> Result<ApiResponse, Fault> {
    let LinkBody { token, new_password } = request.json_fields(BODY_LIMIT).await?;
    let hash = super::token(token.as_deref())?;
    let reset = redeem::reset_password(&identity.ctx, &identity.request_context(&request), hash, new_password).await?;
    reset.ok_or_else(redeem::stale_link)?;
    ApiResponse::ok(&success(&request, Message::PasswordReset))
}

#[derive(Deserialize)]
#[serde(expecting = "an object")]
struct ConfirmBody {
    token: Option<String>,
    #[serde(default, deserialize_with = "super::password")]
    password: Option<SecretString>,
}

/// 200, with a new cookie for the session that is kept.
pub(super) async fn confirm(identity: Identity, _: Binding, mut request: ApiRequest) -> Result<ApiResponse, Fault> {
    let body: ConfirmBody = request.json_fields(BODY_LIMIT).await?;
    let hash = super::token(body.token.as_deref())?;
    let signed_in = match identity.sessions.signed_in(&request).await {
        Ok(signed_in) => Some(signed_in),
        Err(fault) if fault.kind() == Kind::Unauthorized => None,
        Err(fault) => return Err(fault),
    };
    let owner = signed_in.map(|signed_in| signed_in.claims());
    let context = identity.request_context(&request);
    let confirmed = Box::pin(address_change::confirm(&identity.ctx, &context, hash, owner, body.password)).await?;
    let confirmed = confirmed.ok_or_else(stale_link)?;
    let response = ApiResponse::ok(&success(&request, Message::AddressChanged))?;
    match (signed_in, confirmed.session) {
        (Some(signed_in), Some(times)) => session_cookies::reissue(&identity, signed_in, times, response),
        _ => Ok(response),
    }
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct InviteView {
    email: String,
    first_name: String,
    #[serde(serialize_with = "timestamp::serialize")]
    expires_at: Timestamp,
}

/// The account of an invitation, for the page that accepts it.
pub(super) async fn read_invite(identity: Identity, _: Anonymous, request: ApiRequest) -> Result<ApiResponse, Fault> {
    let hash = super::token(request.query()?.get("token"))?;
    let read = invites::read(&identity.ctx, &identity.request_context(&request), hash).await?;
    let invitation = read.ok_or(Unacceptable::Stale)?;
    let (email, first_name) = (invitation.account.email.as_str().to_owned(), invitation.account.first_name);
    ApiResponse::ok(&InviteView { email, first_name, expires_at: invitation.expires_at })
}

/// Sets the first password of an invited account, and signs in.
pub(super) async fn accept_invite(identity: Identity, browser: Binding, mut request: ApiRequest) -> Result<ApiResponse, Fault> {
    let LinkBody { token, new_password } = request.json_fields(BODY_LIMIT).await?;
    let hash = super::token(token.as_deref())?;
    let started = invites::accept(&identity.ctx, &identity.sign_in_context(&request, &browser), hash, new_password).await?;
    session_cookies::respond(&identity, started)
}
