//! Invitations: `/api/auth/invite`, `/api/auth/accept-invite`.

use super::LinkBody;
use crate::{
    identity::{BODY_LIMIT, Identity, session_cookies},
    web::{Anonymous, ApiRequest, ApiResponse, csrf::Binding},
};
use domain::{
    identity::invite::Unacceptable,
    shared::{Fault, timestamp},
};
use jiff::Timestamp;
use serde::Serialize;
use services::identity::invites;

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct InviteView {
    email: String,
    first_name: String,
    #[serde(serialize_with = "timestamp::serialize")]
    expires_at: Timestamp,
}

/// The account of an invitation, for the page that accepts it.
pub(super) async fn read(identity: Identity, _: Anonymous, request: ApiRequest) -> Result<ApiResponse, Fault> {
    let hash = super::token(request.query()?.get("token"))?;
    let read = invites::read(&identity.ctx, &identity.request_context(&request), hash).await?;
    let invitation = read.ok_or(Unacceptable::Stale)?;
    let (email, first_name) = (invitation.account.email.as_str().to_owned(), invitation.account.first_name);
    ApiResponse::ok(&InviteView { email, first_name, expires_at: invitation.expires_at })
}

/// Sets the first password of an invited account, and signs in.
pub(super) async fn accept(identity: Identity, browser: Binding, mut request: ApiRequest) -> Result<ApiResponse, Fault> {
    let LinkBody { token, new_password } = request.json_fields(BODY_LIMIT).await?;
    let hash = super::token(token.as_deref())?;
    let started = invites::accept(&identity.ctx, &identity.sign_in_context(&request, &browser), hash, new_password).await?;
    session_cookies::respond(&identity, started)
}
