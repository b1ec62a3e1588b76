//! The pages that mailed links lead to. The token of a link is moved from the URL into a cookie of its kind
//! by a redirect; the cookie is deleted once the token was used up.

pub(super) mod address;
pub(super) mod invite;
pub(super) mod join;
pub(super) mod reset;
pub(super) mod verification;

use super::{Form, Pages, Visitor, refuse, typed};
use crate::web::{
    ApiRequest, ApiResponse,
    cookie::{self, Keep, MailedLink},
};
use domain::{identity::verification::Opener, shared::Fault};
use http::{StatusCode, header};
use pages::{
    Problems,
    mailed_link::{Expired, Request, RequestView, expired_page, request_page},
};
use std::time::Duration;
use storage::identity::one_time::Hash;

/// How long a browser keeps the token of a link. The link itself may be valid for longer, and works again.
const KEPT_FOR: Duration = Duration::from_hours(1);

impl MailedLink {
    fn expired(self) -> Expired {
        match self {
            Self::Address => Expired::Address,
            Self::Invite => Expired::Invite,
            Self::SpaceInvite => Expired::SpaceInvite,
            Self::PasswordReset => Expired::PasswordReset,
            Self::Verification => Expired::Verification,
        }
    }
}

/// The page of a link that cannot be used; its cookie goes.
fn expired(pages: &Pages, visitor: Visitor, link: MailedLink) -> Result<ApiResponse, Fault> {
    forget(pages, link, visitor.page(pages, StatusCode::BAD_REQUEST, |frame| expired_page(frame, link.expired())))
}

/// The page that asks for a link.
fn show_request(pages: &Pages, visitor: Visitor, request: &ApiRequest, asked: Request) -> Result<ApiResponse, Fault> {
    let email = typed::typed_before(pages, request);
    let is_sent = request.query()?.get("sent") == Some("1");
    let view = RequestView { request: asked, problems: Problems::default(), email: &email, is_sent, is_mail_on: is_mail_on(pages) };
    Ok(visitor.ok(pages, |frame| request_page(frame, &view)))
}

/// The same page after its form was sent: that a link was, or what is wrong.
fn answer_request(
    pages: &Pages,
    visitor: Visitor,
    request: &ApiRequest,
    (asked, form, sent): (Request, &Form, Result<(), Fault>),
) -> Result<ApiResponse, Fault> {
    let email = form.text("email");
    let Err(fault) = sent else {
        return typed::keep(pages, email, ApiResponse::see_other(&format!("{}?sent=1", request.path()))?);
    };
    refuse(pages, visitor, fault, &["email"], |frame, problems| {
        request_page(frame, &RequestView { request: asked, problems, email, is_sent: false, is_mail_on: is_mail_on(pages) })
    })
}

fn is_mail_on(pages: &Pages) -> bool {
    pages.identity.ctx.mail_queue.is_on()
}

/// The redirect to the page of the link that takes the token out of the URL, if it holds one.
fn take_token(pages: &Pages, request: &ApiRequest, link: MailedLink, page: &str) -> Result<Option<ApiResponse>, Fault> {
    let query = request.query()?;
    let Some(token) = query.get("token") else { return Ok(None) };
    let cookies = pages.identity.sessions.cookies();
    // A text that cannot be a token is not kept; the page then finds none.
    let (value, keep) = if crypto::opaque_token::hash(token).is_some() { (token, Keep::For(KEPT_FOR)) } else { ("", Keep::Delete) };
    let cookie = cookies.set(cookies.mailed_link(link), value, keep)?;
    Ok(Some(ApiResponse::see_other(page)?.with(header::SET_COOKIE, cookie)))
}

/// The hash of the token that the cookie holds.
fn kept_token(pages: &Pages, request: &ApiRequest, link: MailedLink) -> Option<Hash> {
    cookie::find(&request.headers, pages.identity.sessions.cookies().mailed_link(link)).and_then(crypto::opaque_token::hash)
}

/// Who opens a link that confirms an address.
async fn opener(pages: &Pages, visitor: &Visitor, request: &ApiRequest) -> Result<Opener, Fault> {
    let signed_in =
        if visitor.is_signed_in() { Some(pages.identity.sessions.signed_in(request).await?.claims().user) } else { None };
    Ok(Opener { browser: Some(visitor.binding.browser_hash()), signed_in })
}

/// Deletes the cookie.
fn forget(pages: &Pages, link: MailedLink, response: ApiResponse) -> Result<ApiResponse, Fault> {
    let cookies = pages.identity.sessions.cookies();
    Ok(response.with(header::SET_COOKIE, cookies.set(cookies.mailed_link(link), "", Keep::Delete)?))
}
