//! `/verify-email` asks for a link that verifies an address. The link leads back to it, and on to
//! `/verify-email/confirm`, which verifies the address after a click, and after the password where a stranger
//! may have registered (`domain::identity::verification`).

use super::{answer_request, expired, forget, kept_token, opener, take_token};
use crate::{
    identity::auth::parse_address,
    pages::{Form, Pages, Visitor, is_of_form, status, typed, with_retry},
    web::{ApiRequest, ApiResponse, cookie::MailedLink},
};
use domain::shared::Fault;
use http::StatusCode;
use pages::{
    Problems,
    mailed_link::{ConfirmView, Confirming, Request, confirm_page},
};
use services::identity::{
    links::request_verification,
    verification::{self, LinkState, LinkUse},
};

/// The page that verifies.
const CONFIRM: &str = "/verify-email/confirm";

/// The page that asks for a link.
pub(crate) async fn show(pages: Pages, visitor: Visitor, request: ApiRequest) -> Result<ApiResponse, Fault> {
    if let Some(redirect) = take_token(&pages, &request, MailedLink::Verification, CONFIRM)? {
        return Ok(redirect);
    }
    super::show_request(&pages, visitor, &request, Request::Verification)
}

/// Mails another link, if the address has an account that needs one; the answer is always the same.
pub(crate) async fn send(pages: Pages, visitor: Visitor, mut request: ApiRequest) -> Result<ApiResponse, Fault> {
    let form = Form::read(&pages, &visitor, &mut request).await?;
    let sent = async {
        let email = parse_address(form.given("email"))?;
        request_verification(&pages.identity.ctx, &pages.identity.request_context(&request), &email).await
    };
    let sent = sent.await;
    answer_request(&pages, visitor, &request, (Request::Verification, &form, sent))
}

/// The page of a link.
pub(crate) async fn show_link(pages: Pages, visitor: Visitor, request: ApiRequest) -> Result<ApiResponse, Fault> {
    verification_page(&pages, visitor, &request, StatusCode::OK, Problems::default()).await
}

/// The page for the link of the cookie, or the one of an expired link.
async fn verification_page(
    pages: &Pages,
    visitor: Visitor,
    request: &ApiRequest,
    status: StatusCode,
    problems: Problems,
) -> Result<ApiResponse, Fault> {
    let hash = kept_token(pages, request, MailedLink::Verification);
    match verification::look_at(&pages.identity.ctx, &pages.identity.request_context(request), hash).await? {
        LinkState::Open(link) => {
            let asks_password = link.asks_password(&opener(pages, &visitor, request).await?);
            let email = link.account().email.as_str();
            let view = ConfirmView { confirming: Confirming::Registered, problems, email, asks_password };
            // The page leads to that of a forgotten password.
            typed::keep(pages, email, visitor.page(pages, status, |frame| confirm_page(frame, &view)))
        }
        LinkState::Done => done(pages, &visitor),
        LinkState::Invalid => expired(pages, visitor, MailedLink::Verification),
    }
}

/// To the page to sign in with, which tells it. A person who is signed in, with this or another account,
/// would skip that page.
fn done(pages: &Pages, visitor: &Visitor) -> Result<ApiResponse, Fault> {
    let again = if visitor.is_signed_in() { "&prompt=login" } else { "" };
    forget(pages, MailedLink::Verification, ApiResponse::see_other(&format!("/login?verified=1{again}"))?)
}

/// Verifies the address: 303 to the page to sign in with.
pub(crate) async fn confirm(pages: Pages, visitor: Visitor, mut request: ApiRequest) -> Result<ApiResponse, Fault> {
    let form = Form::read(&pages, &visitor, &mut request).await?;
    let hash = kept_token(&pages, &request, MailedLink::Verification);
    let (ctx, context) = (&pages.identity.ctx, pages.identity.request_context(&request));
    let opener = opener(&pages, &visitor, &request).await?;
    match Box::pin(verification::confirm(ctx, &context, hash, opener, form.secret("password"))).await {
        Ok(LinkUse::Verified(email)) => typed::keep(&pages, email.as_str(), done(&pages, &visitor)?),
        Ok(LinkUse::Repeated) => typed::keep(&pages, "", done(&pages, &visitor)?),
        Ok(LinkUse::Invalid) => expired(&pages, visitor, MailedLink::Verification),
        Err(fault) if is_of_form(&fault) => {
            let problems = Problems::of(visitor.language(), &fault, &["password"]);
            Ok(with_retry(verification_page(&pages, visitor, &request, status(&fault), problems).await?, &fault))
        }
        Err(fault) => Err(fault),
    }
}
