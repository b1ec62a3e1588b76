//! The response to a fault where people are shown pages.

use super::ApiResponse;
use domain::{
    identity::ReturnTo,
    shared::{Code, Fault, Kind},
};
use http::{HeaderMap, header};
use pages::sign_in::in_query;

/// Where a person is led instead of an error: one who is not signed in, or too long ago, to the page to sign
/// in with, and one who has to prove who they are to the page for that, and back afterwards.
pub(super) fn elsewhere(fault: &Fault, path: &str) -> Option<ApiResponse> {
    let page = match (fault.kind(), fault.code) {
        // A person who is signed in would be led on at once without `prompt`.
        (_, Code::ReauthenticationRequired) => "/login?prompt=login&notice=administer",
        (Kind::Unauthorized, _) => "/login?notice=sign-in",
        (_, Code::ProofRequired) => "/account/prove?",
        _ => return None,
    };
    ApiResponse::see_other(&with_way_back(page, path)).ok()
}

/// A page, whose address ends with its query, and the way back to the page that led there: with its query,
/// unless that holds characters that lead nowhere.
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
