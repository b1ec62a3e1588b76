//! The response to a fault where people are shown pages.

use super::{
    ApiResponse,
    problem::{self, ErrorFormat, ErrorRenderer},
};
use domain::{
    identity::ReturnTo,
    shared::{Code, Fault, Kind},
};
use http::{HeaderMap, header};
use pages::{Frame, Site, sign_in::in_query};

/// The page of an error. A person who is not signed in, or too long ago, is led to the page to sign in with, and one who has to prove who they are to the page for
/// that, and back afterwards.
pub(super) fn response(errors: &ErrorRenderer, fault: &Fault) -> ApiResponse {
    let ErrorRenderer { language, request_id, site, path, .. } = errors;
    let elsewhere = match (fault.kind(), fault.code) {
        // A person who is signed in would be led on at once without `prompt`.
        (_, Code::ReauthenticationRequired) => Some("/login?prompt=login&notice=administer"),
        (Kind::Unauthorized, _) => Some("/login?notice=sign-in"),
        (_, Code::ProofRequired) => Some("/account/prove?"),
        _ => None,
    };
    if let Some(page) = elsewhere
        && let Ok(redirect) = ApiResponse::see_other(&with_way_back(page, path.as_str()))
    {
        return redirect;
    }
    let no_site = Site::default();
    let site = site.as_deref().unwrap_or(&no_site);
    let frame = Frame { site, language: *language, path, csrf_token: "", is_administrator: false, person: None };
    let html = pages::error::error_page(&frame, fault, &request_id.to_string());
    let status = problem::status(fault.kind(), ErrorFormat::Page);
    problem::with_hints(ApiResponse::bytes(status, "text/html; charset=utf-8", html), fault, ErrorFormat::Page)
}

/// A page, whose address ends with its query, and the way back to the page that led there: with its query, unless that holds characters that lead nowhere.
fn with_way_back(page: &str, path: &str) -> String {
    let whole = path.parse::<ReturnTo>();
    let Ok(back) = whole.or_else(|_| path.split('?').next().unwrap_or(path).parse::<ReturnTo>()) else { return page.to_owned() };
    let and = if page.ends_with('?') { "" } else { "&" };
    format!("{page}{and}return_to={}", in_query(back.as_str()))
}

/// Whether the caller shows pages: browsers name HTML when they are led to an address.
pub(crate) fn is_wanted(headers: &HeaderMap) -> bool {
    headers.get(header::ACCEPT).and_then(|accept| accept.to_str().ok()).is_some_and(|accept| accept.contains("text/html"))
}
