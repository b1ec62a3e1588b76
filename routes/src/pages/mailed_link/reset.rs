//! `/forgot-password` asks for a link to set a new password, and `/reset-password` sets it.

use super::{forget, kept_token, take_token};
use crate::{
    identity::auth::parse_address,
    pages::{Form, Pages, Visitor, is_of_form, sign_in, status, typed, with_retry},
    web::{ApiRequest, ApiResponse, cookie::MailedLink},
};
use domain::shared::{Code, Fault};
use http::StatusCode;
use pages::{
    Problems,
    mailed_link::{Expired, Request, RequestView, expired_page, request_page, reset_page},
};
use services::identity::{link_requests::request_password_reset, redeem};

/// The page that asks for a link.
pub(crate) async fn show_request(pages: Pages, visitor: Visitor, request: ApiRequest) -> Result<ApiResponse, Fault> {
    let email = typed::kept(&pages, &request);
    let view = RequestView { is_sent: request.query()?.get("sent") == Some("1"), email: &email, ..base(&pages) };
    Ok(visitor.ok(&pages, |frame| request_page(frame, &view)))
}

fn base(pages: &Pages) -> RequestView<'static> {
    let is_mail_on = pages.identity.ctx.mail_queue.is_on();
    RequestView { request: Request::PasswordReset, problems: Problems::default(), email: "", is_sent: false, is_mail_on }
}

/// Mails a link, if the address has an account; the answer is always the same.
pub(crate) async fn send(pages: Pages, visitor: Visitor, mut request: ApiRequest) -> Result<ApiResponse, Fault> {
    let form = Form::read(&pages, &visitor, &mut request).await?;
    let sent = async {
        let email = parse_address(form.given("email"))?;
        request_password_reset(&pages.identity.ctx, &pages.identity.request_context(&request), &email).await
    };
    match sent.await {
        Ok(()) => typed::keep(&pages, form.text("email"), ApiResponse::see_other("/forgot-password?sent=1")?),
        Err(fault) if is_of_form(&fault) => {
            let problems = Problems::of(visitor.language(), &fault, &["email"]);
            let view = RequestView { problems, email: form.text("email"), ..base(&pages) };
            Ok(with_retry(visitor.page(&pages, status(&fault), |frame| request_page(frame, &view)), &fault))
        }
        Err(fault) => Err(fault),
    }
}

/// The page that sets the password; the one of an expired link offers another.
pub(crate) async fn show(pages: Pages, visitor: Visitor, request: ApiRequest) -> Result<ApiResponse, Fault> {
    if let Some(redirect) = take_token(&pages, &request, MailedLink::PasswordReset, request.path())? {
        return Ok(redirect);
    }
    let hash = kept_token(&pages, &request, MailedLink::PasswordReset);
    match redeem::check_reset_link(&pages.identity.ctx, &pages.identity.request_context(&request), hash).await {
        Ok(()) => {
            let rules = &pages.identity.ctx.settings.password_rules;
            Ok(visitor.ok(&pages, |frame| reset_page(frame, &Problems::default(), rules)))
        }
        Err(fault) if fault.code == Code::StaleLink => expired(&pages, visitor),
        Err(fault) => Err(fault),
    }
}

fn expired(pages: &Pages, visitor: Visitor) -> Result<ApiResponse, Fault> {
    let page = visitor.page(pages, StatusCode::BAD_REQUEST, |frame| expired_page(frame, Expired::PasswordReset));
    forget(pages, MailedLink::PasswordReset, page)
}

/// Sets the password: 303 to the page to sign in with.
pub(crate) async fn reset(pages: Pages, visitor: Visitor, mut request: ApiRequest) -> Result<ApiResponse, Fault> {
    let form = Form::read(&pages, &visitor, &mut request).await?;
    let hash = kept_token(&pages, &request, MailedLink::PasswordReset);
    let context = pages.identity.request_context(&request);
    match Box::pin(redeem::reset_password(&pages.identity.ctx, &context, hash, form.secret("newPassword"))).await {
        Ok(email) => {
            // Every session of the account has ended, and that of this browser may have been one of them.
            let response = pages.identity.sessions.clear_cookies(sign_in::redirect("reset", None)?);
            typed::keep(&pages, email.as_str(), forget(&pages, MailedLink::PasswordReset, response)?)
        }
        Err(fault) if fault.code == Code::StaleLink => expired(&pages, visitor),
        Err(fault) if is_of_form(&fault) => {
            let problems = Problems::of(visitor.language(), &fault, &["newPassword"]);
            let rules = &pages.identity.ctx.settings.password_rules;
            Ok(with_retry(visitor.page(&pages, status(&fault), |frame| reset_page(frame, &problems, rules)), &fault))
        }
        Err(fault) => Err(fault),
    }
}
