//! `/forgot-password` asks for a link to set a new password, and `/reset-password` sets it.

use super::{answer_request, expired, forget, kept_token, take_token};
use crate::{
    identity::auth::parse_address,
    pages::{Form, Pages, Visitor, refuse, sign_in, typed},
    web::{ApiRequest, ApiResponse, cookie::MailedLink},
};
use domain::shared::Fault;
use pages::{
    Problems,
    mailed_link::{Request, reset_page},
};
use services::identity::{links::request_password_reset, redeem};

/// The page that asks for a link.
pub(crate) async fn show_request(pages: Pages, visitor: Visitor, request: ApiRequest) -> Result<ApiResponse, Fault> {
    super::show_request(&pages, visitor, &request, Request::PasswordReset)
}

/// Mails a link, if the address has an account; the answer is always the same.
pub(crate) async fn send(pages: Pages, visitor: Visitor, mut request: ApiRequest) -> Result<ApiResponse, Fault> {
    let form = Form::read(&pages, &visitor, &mut request).await?;
    let sent = async {
        let email = parse_address(form.given("email"))?;
        request_password_reset(&pages.identity.ctx, &pages.identity.request_context(&request), &email).await
    };
    let sent = sent.await;
    answer_request(&pages, visitor, &request, (Request::PasswordReset, &form, sent))
}

/// The page that sets the password; the one of an expired link offers another.
pub(crate) async fn show(pages: Pages, visitor: Visitor, request: ApiRequest) -> Result<ApiResponse, Fault> {
    if let Some(redirect) = take_token(&pages, &request, MailedLink::PasswordReset, request.path())? {
        return Ok(redirect);
    }
    let hash = kept_token(&pages, &request, MailedLink::PasswordReset);
    if !redeem::is_reset_link(&pages.identity.ctx, &pages.identity.request_context(&request), hash).await? {
        return expired(&pages, visitor, MailedLink::PasswordReset);
    }
    let rules = &pages.identity.ctx.settings.password_rules;
    Ok(visitor.ok(&pages, |frame| reset_page(frame, &Problems::default(), rules)))
}

/// Sets the password: 303 to the page to sign in with.
pub(crate) async fn reset(pages: Pages, visitor: Visitor, mut request: ApiRequest) -> Result<ApiResponse, Fault> {
    let form = Form::read(&pages, &visitor, &mut request).await?;
    let hash = kept_token(&pages, &request, MailedLink::PasswordReset);
    let context = pages.identity.request_context(&request);
    match Box::pin(redeem::reset_password(&pages.identity.ctx, &context, hash, form.secret("newPassword"))).await {
        Ok(Some(email)) => {
            // Every session of the account has ended, and that of this browser may have been one of them.
            let response = pages.identity.sessions.clear_cookies(sign_in::redirect("reset", None)?);
            typed::keep(&pages, email.as_str(), forget(&pages, MailedLink::PasswordReset, response)?)
        }
        Ok(None) => expired(&pages, visitor, MailedLink::PasswordReset),
        Err(fault) => refuse(&pages, visitor, fault, &["newPassword"], |frame, problems| {
            reset_page(frame, &problems, &pages.identity.ctx.settings.password_rules)
        }),
    }
}
