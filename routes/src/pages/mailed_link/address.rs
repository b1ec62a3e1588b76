//! `/confirm-email`: changes the address of an account, by the link that was mailed to the new one: after a
//! click where the account is signed in, and after its password anywhere else, because a stranger may read
//! that mail (`domain::identity::address_change`).

use super::{expired, forget, kept_token, opener, take_token};
use crate::{
    identity::session_cookies,
    pages::{Form, Pages, Visitor, is_of_form, sign_in, status, typed, with_retry},
    web::{ApiRequest, ApiResponse, cookie::MailedLink},
};
use domain::shared::Fault;
use http::StatusCode;
use pages::{
    Problems,
    mailed_link::{ConfirmView, Confirming, confirm_page},
};
use services::identity::address_change::{self, ConfirmedAddress};

/// The page.
pub(crate) async fn show(pages: Pages, visitor: Visitor, request: ApiRequest) -> Result<ApiResponse, Fault> {
    if let Some(redirect) = take_token(&pages, &request, MailedLink::Address, request.path())? {
        return Ok(redirect);
    }
    address_page(&pages, visitor, &request, StatusCode::OK, Problems::default()).await
}

/// The page for the link of the cookie, or the one of an expired link. It names the new address, which the
/// link went to, and not the account's own.
async fn address_page(
    pages: &Pages,
    visitor: Visitor,
    request: &ApiRequest,
    status: StatusCode,
    problems: Problems,
) -> Result<ApiResponse, Fault> {
    let hash = kept_token(pages, request, MailedLink::Address);
    let context = pages.identity.request_context(request);
    let Some(link) = address_change::look_at(&pages.identity.ctx, &context, hash).await? else {
        return expired(pages, visitor, MailedLink::Address);
    };
    let asks_password = link.asks_password(&opener(pages, &visitor, request).await?);
    let view = ConfirmView { confirming: Confirming::New, problems, email: link.email().as_str(), asks_password };
    Ok(visitor.page(pages, status, |frame| confirm_page(frame, &view)))
}

/// Changes the address. A session of the same account in this browser is kept: 303 to the account, else to
/// the page to sign in with.
pub(crate) async fn confirm(pages: Pages, visitor: Visitor, mut request: ApiRequest) -> Result<ApiResponse, Fault> {
    let form = Form::read(&pages, &visitor, &mut request).await?;
    let identity = &pages.identity;
    let hash = kept_token(&pages, &request, MailedLink::Address);
    let signed_in = if visitor.is_signed_in() { Some(identity.sessions.signed_in(&request).await?) } else { None };
    let (context, owner) = (identity.request_context(&request), signed_in.map(|signed_in| signed_in.claims()));
    match Box::pin(address_change::confirm(&identity.ctx, &context, hash, owner, form.secret("password"))).await {
        Ok(Some(ConfirmedAddress { email, session })) => {
            let response = match (signed_in, session) {
                (Some(signed_in), Some(times)) => {
                    session_cookies::reissue(identity, signed_in, times, ApiResponse::see_other("/account?done=address")?)?
                }
                // A person who is signed in with another account would skip the page.
                (Some(_), None) => typed::keep(&pages, email.as_str(), sign_in::redirect("address&prompt=login", None)?)?,
                (None, _) => typed::keep(&pages, email.as_str(), sign_in::redirect("address", None)?)?,
            };
            forget(&pages, MailedLink::Address, response)
        }
        Ok(None) => expired(&pages, visitor, MailedLink::Address),
        Err(fault) if is_of_form(&fault) => {
            let problems = Problems::of(visitor.language(), &fault, &["password"]);
            Ok(with_retry(address_page(&pages, visitor, &request, status(&fault), problems).await?, &fault))
        }
        Err(fault) => Err(fault),
    }
}
