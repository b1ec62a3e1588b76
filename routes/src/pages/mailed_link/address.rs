//! `/confirm-email`: changes the address of an account, by the link that was mailed to the new one. It takes a click, because some mail programs open
//! links before their readers do.

use super::{forget, kept_token, take_token};
use crate::{
    identity::session_cookies,
    pages::{Form, Pages, Visitor, is_of_form, sign_in, status, with_retry},
    web::{ApiRequest, ApiResponse, cookie::MailedLink},
};
use domain::shared::{Code, Fault};
use http::StatusCode;
use pages::{
    Problems,
    mailed_link::{Expired, confirm_page, expired_page},
};
use services::identity::address_change;

/// The page.
pub(crate) async fn show(pages: Pages, visitor: Visitor, request: ApiRequest) -> Result<ApiResponse, Fault> {
    if let Some(redirect) = take_token(&pages, &request, MailedLink::Address, request.path())? {
        return Ok(redirect);
    }
    if kept_token(&pages, &request, MailedLink::Address).is_none() {
        return expired(&pages, visitor);
    }
    Ok(visitor.ok(&pages, |frame| confirm_page(frame, &Problems::default())))
}

fn expired(pages: &Pages, visitor: Visitor) -> Result<ApiResponse, Fault> {
    let page = visitor.page(pages, StatusCode::BAD_REQUEST, |frame| expired_page(frame, Expired::Address));
    forget(pages, MailedLink::Address, page)
}

/// Changes the address. The person need not be signed in; a session of the same account in this browser is kept.
pub(crate) async fn confirm(pages: Pages, visitor: Visitor, mut request: ApiRequest) -> Result<ApiResponse, Fault> {
    Form::read(&pages, &visitor, &mut request).await?;
    let identity = &pages.identity;
    let hash = kept_token(&pages, &request, MailedLink::Address);
    let signed_in = if visitor.is_signed_in() { Some(identity.sessions.signed_in(&request).await?) } else { None };
    let owner = signed_in.map(|signed_in| signed_in.claims());
    match address_change::confirm(&identity.ctx, &identity.request_context(&request), hash, owner).await {
        Ok(times) => {
            let response = match (signed_in, times) {
                (Some(signed_in), Some(times)) => {
                    session_cookies::reissue(identity, signed_in, times, ApiResponse::see_other("/account?done=address")?)?
                }
                _ => sign_in::redirect("address", None)?,
            };
            forget(&pages, MailedLink::Address, response)
        }
        Err(fault) if fault.code == Code::StaleLink => expired(&pages, visitor),
        Err(fault) if is_of_form(&fault) => {
            let problems = Problems::of(visitor.language(), &fault, &[]);
            Ok(with_retry(visitor.page(&pages, status(&fault), |frame| confirm_page(frame, &problems)), &fault))
        }
        Err(fault) => Err(fault),
    }
}
