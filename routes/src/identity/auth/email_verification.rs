//! Verifying the mail address of an account: `/api/auth/verify-email`, `/api/auth/resend-verification`.

use super::read_mail_request;
use crate::{
    identity::{Identity, success},
    web::{Anonymous, ApiRequest, ApiResponse, Message, csrf::Binding},
};
use domain::shared::Fault;
use http::header;
use services::identity::{link_requests::request_verification, redeem};

/// Verifies an address. A link in a mail leads here, so this GET writes. It redirects to the login page and nowhere else, whatever the query says.
pub(super) async fn verify(identity: Identity, _: Anonymous, request: ApiRequest) -> Result<ApiResponse, Fault> {
    let hash = crypto::opaque_token::hash(request.query()?.get("token").unwrap_or_default());
    if redeem::verify_email(&identity.ctx, &identity.request_context(&request), hash).await? {
        return Ok(ApiResponse::found("/login?verified=1"));
    }
    if is_browser(&request) { Ok(ApiResponse::found("/login?verified=0&reason=invalid")) } else { Err(redeem::invalid_token()) }
}

/// Mails another verification link; those of before are void. The answer is always the same.
pub(super) async fn resend(identity: Identity, _: Binding, mut request: ApiRequest) -> Result<ApiResponse, Fault> {
    let email = read_mail_request(&mut request).await?;
    request_verification(&identity.ctx, &identity.request_context(&request), &email).await?;
    ApiResponse::ok(&success(&request, Message::VerificationLinkSentIfUnverified))
}

/// Whether the caller wants a page.
fn is_browser(request: &ApiRequest) -> bool {
    request.header(header::ACCEPT).is_some_and(|accept| accept.contains("text/html"))
}
