//! The address that a person typed on one page, for the next one: it is not asked for a second time (WCAG
//! 2.2, success criterion 3.3.7). It is never in a URL, which is logged and kept in histories, but in a
//! cookie: sealed, only for this server, for some minutes, and gone once the person has signed in.

use super::Pages;
use crate::web::{
    ApiRequest, ApiResponse,
    cookie::{self, Keep},
};
use domain::{identity::Email, shared::Fault};
use http::header;
use std::time::Duration;

/// How long a browser keeps it.
const KEPT_FOR: Duration = Duration::from_mins(10);

/// Keeps what was typed for the pages that follow, if it is an address.
pub(super) fn keep(pages: &Pages, typed: &str, response: ApiResponse) -> Result<ApiResponse, Fault> {
    let Some(email) = Email::parse(typed) else { return Ok(response) };
    let ctx = &pages.identity.ctx;
    let sealed = ctx.secrets.seal_typed(email.as_str(), ctx.clock.now(), &ctx.entropy)?;
    let cookies = pages.identity.sessions.cookies();
    Ok(response.with(header::SET_COOKIE, cookies.set(cookies.typed(), &sealed, Keep::For(KEPT_FOR))?))
}

/// What was typed before, as people read it; empty without it.
pub(super) fn typed_before(pages: &Pages, request: &ApiRequest) -> String {
    let ctx = &pages.identity.ctx;
    let sealed = cookie::find(&request.headers, pages.identity.sessions.cookies().typed());
    let address = sealed.and_then(|sealed| ctx.secrets.open_typed(sealed, ctx.clock.now(), KEPT_FOR));
    address.map(|address| domain::shared::email::shown(&address)).unwrap_or_default()
}

/// Forgets it.
pub(super) fn forget(pages: &Pages, response: ApiResponse) -> Result<ApiResponse, Fault> {
    let cookies = pages.identity.sessions.cookies();
    Ok(response.with(header::SET_COOKIE, cookies.set(cookies.typed(), "", Keep::Delete)?))
}
