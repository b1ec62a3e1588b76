//! The list of what a new server still needs, on the page where the first administrator lands.

use crate::{
    pages::Pages,
    web::{
        ApiRequest, ApiResponse, SignedIn,
        cookie::{self, Keep},
    },
};
use domain::{
    identity::origin::Origin,
    shared::{Fault, PageRequest, SpaceFilter},
};
use http::header;
use pages::account::first_steps::{Address, FirstSpace, FirstSteps};
use std::time::Duration;
use storage::shared::listed_spaces;

/// The value of the cookie of an administrator who has hidden the list.
const HIDDEN: &str = "hidden";

/// The list for an administrator, until everything is done or the list was hidden in this browser.
pub(super) async fn for_page<'a>(
    pages: &'a Pages,
    signed_in: SignedIn,
    request: &ApiRequest,
) -> Result<Option<FirstSteps<'a>>, Fault> {
    if !signed_in.is_admin || cookie::find(&request.headers, cookie::FIRST_STEPS) == Some(HIDDEN) {
        return Ok(None);
    }
    let base_url = &pages.identity.oidc.settings.issuer;
    let connection = pages.identity.ctx.store.connection("space.exists").await?;
    let there = SpaceFilter { is_deleted: Some(false), ..SpaceFilter::default() };
    let steps = FirstSteps {
        sends_mail: pages.identity.ctx.mail_queue.is_on(),
        address: match Origin::parse(base_url) {
            Some(origin) if !origin.is_loopback() => Address::Public(base_url),
            _ => Address::Loopback(base_url),
        },
        space: match listed_spaces::list(&connection, &there, PageRequest { page: 1, per_page: 1 }).await?.total {
            0 if pages.has_studio => FirstSpace::InStudio,
            0 => FirstSpace::ByApi,
            _ => FirstSpace::Made,
        },
        has_client: !pages.identity.ctx.settings.clients.is_empty(),
    };
    Ok(Some(steps).filter(|steps| !steps.is_done()))
}

/// Hides it in this browser for a year: 303 to the page without it.
pub(super) fn hide(pages: &Pages) -> Result<ApiResponse, Fault> {
    let keep = Keep::For(Duration::from_hours(365 * 24));
    let cookie = pages.identity.sessions.cookies().set(cookie::FIRST_STEPS, HIDDEN, keep)?;
    Ok(ApiResponse::see_other("/account")?.with(header::SET_COOKIE, cookie))
}
