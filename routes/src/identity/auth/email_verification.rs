//! Proving the mail address of an account: `/api/auth/verify-email`, `/api/auth/resend-verification`.

use super::{invalid_token, read_mail_request};
use crate::{
    identity::{Identity, success},
    web::{Anonymous, ApiRequest, ApiResponse, Message, csrf::Binding},
};
use domain::shared::Fault;
use http::header;
use services::identity::link_requests::request_verification;
use storage::identity::links::{Verified, VerifyEmail};

/// Proves an address. The link of a mail leads here, so it changes something although it is a GET; and it leads to the login page, whatever
/// else its query says.
pub(super) async fn verify(identity: Identity, _: Anonymous, request: ApiRequest) -> Result<ApiResponse, Fault> {
    let token = request.query()?.get("token").unwrap_or_default().to_owned();
    let verified = match crypto::opaque_token::hash(&token) {
        Some(hash) => identity.ctx.store.transact(&VerifyEmail { hash, source: identity.source(&request) }).await?,
        None => Verified::Not,
    };
    if verified != Verified::Not {
        return Ok(ApiResponse::found("/login?verified=1"));
    }
    identity.ctx.limits.link_from(request.meta.ip)?;
    if is_browser(&request) { Ok(ApiResponse::found("/login?verified=0&reason=invalid")) } else { Err(invalid_token()) }
}

/// Mails another verification link; those of before are void. The answer is always the same.
pub(super) async fn resend(identity: Identity, _: Binding, mut request: ApiRequest) -> Result<ApiResponse, Fault> {
    let email = read_mail_request(&mut request).await?;
    request_verification(&identity.ctx, &identity.request_context(&request), &email).await?;
    ApiResponse::ok(&success(&request, Message::VerificationLinkSentIfUnverified))
}

/// Whether a person is there to read a page.
fn is_browser(request: &ApiRequest) -> bool {
    request.header(header::ACCEPT).is_some_and(|accept| accept.contains("text/html"))
}
