//! `POST /api/admin/users/{id}/invite-link` and `/reset-link`: a link for a person who has none that works.

use crate::{
    identity::Identity,
    web::{ApiRequest, ApiResponse, SignedIn},
};
use domain::shared::{Fault, UserId, timestamp};
use jiff::Timestamp;
use secrecy::ExposeSecret;
use serde::Serialize;
use services::identity::admin::user_access::{LinkPurpose, make_link};

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct LinkView<'a> {
    /// Whether it was mailed; else the link is here, and whoever makes the request passes it on.
    sent: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    invite_link: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    reset_link: Option<&'a str>,
    #[serde(serialize_with = "timestamp::serialize")]
    expires_at: Timestamp,
}

/// Invites again: 200.
pub(in crate::identity::admin) async fn invite(
    identity: Identity,
    signed_in: SignedIn,
    id: UserId,
    request: ApiRequest,
) -> Result<ApiResponse, Fault> {
    respond(&identity, signed_in, (id, LinkPurpose::Invitation), &request).await
}

/// A link for a new password: 200.
pub(in crate::identity::admin) async fn reset(
    identity: Identity,
    signed_in: SignedIn,
    id: UserId,
    request: ApiRequest,
) -> Result<ApiResponse, Fault> {
    respond(&identity, signed_in, (id, LinkPurpose::PasswordReset), &request).await
}

async fn respond(
    identity: &Identity,
    signed_in: SignedIn,
    (id, purpose): (UserId, LinkPurpose),
    request: &ApiRequest,
) -> Result<ApiResponse, Fault> {
    let made = make_link(identity.acting(&identity.request_context(request), signed_in.claims()), id, purpose).await?;
    let link = made.link.as_ref().map(ExposeSecret::expose_secret);
    let of = |wanted: LinkPurpose| link.filter(|_| purpose == wanted);
    ApiResponse::ok(&LinkView {
        sent: link.is_none(),
        invite_link: of(LinkPurpose::Invitation),
        reset_link: of(LinkPurpose::PasswordReset),
        expires_at: made.expires_at,
    })
}
