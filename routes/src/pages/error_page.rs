//! The response to a fault of a page.

use crate::web::{ApiResponse, problem};
use domain::{
    identity::ReturnTo,
    shared::{Fault, Kind, Language},
};
use http::{HeaderMap, header};
use pages::{Frame, OwnPath, Site, sign_in::in_query};
use uuid::Uuid;

/// The page of an error. A person who is not signed in, or too long ago, is led to the page to sign in with, and back afterwards. `path` has the query.
pub(crate) fn response(site: &Site, language: Language, fault: &Fault, request_id: Uuid, path: &OwnPath) -> ApiResponse {
    if fault.kind == Kind::Unauthorized
        && let Ok(redirect) = ApiResponse::see_other(&sign_in(fault, path.as_str()))
    {
        return redirect;
    }
    let frame = Frame { site, language, path, csrf_token: "", is_administrator: false };
    problem::page_response(fault, request_id, pages::error::page(&frame, fault, &request_id.to_string()))
}

/// The page to sign in with, and back to the page that asked for it: with its query, unless that holds characters that lead nowhere.
fn sign_in(fault: &Fault, path: &str) -> String {
    // A person who is signed in would be led on at once without `prompt`.
    let notice = if fault.code == "reauthenticationRequired" { "prompt=login&notice=administer" } else { "notice=sign-in" };
    let whole = path.parse::<ReturnTo>();
    let back = whole.or_else(|_| path.split('?').next().unwrap_or(path).parse());
    back.map_or_else(|_| format!("/login?{notice}"), |back| format!("/login?{notice}&return_to={}", in_query(back.as_str())))
}

/// Whether the caller shows pages: browsers name HTML when they are led to an address.
pub(crate) fn is_wanted(headers: &HeaderMap) -> bool {
    headers.get(header::ACCEPT).and_then(|accept| accept.to_str().ok()).is_some_and(|accept| accept.contains("text/html"))
}
