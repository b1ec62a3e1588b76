//! The response to a fault of a page.

use crate::web::{ApiResponse, problem};
use domain::shared::{Fault, Kind, Language};
use http::{HeaderMap, header};
use pages::{Frame, Site};
use uuid::Uuid;

/// The page of an error. A person who is not signed in is led to the page to sign in with, and back afterwards.
pub(crate) fn response(site: &Site, language: Language, fault: &Fault, request_id: Uuid, path: &str) -> ApiResponse {
    if fault.kind == Kind::Unauthorized
        && let Ok(redirect) = ApiResponse::see_other(&format!("/login?notice=sign-in&return_to={path}"))
    {
        return redirect;
    }
    let frame = Frame { site, language, path, csrf_token: "" };
    problem::page_response(fault, request_id, pages::error::page(&frame, fault, &request_id.to_string()))
}

/// Whether the caller shows pages: browsers name HTML when they are led to an address.
pub(crate) fn is_wanted(headers: &HeaderMap) -> bool {
    headers.get(header::ACCEPT).and_then(|accept| accept.to_str().ok()).is_some_and(|accept| accept.contains("text/html"))
}
