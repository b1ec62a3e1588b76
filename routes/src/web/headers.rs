//! The headers that every answer has.

use super::ErrorFormat;
use bytes::Bytes;
use http::{HeaderMap, HeaderName, HeaderValue, header};
use http_body::Body as _;
use warp::reply::Response;

/// On every answer: we serve data, nothing of it is to be run, framed, or guessed at.
const ALWAYS: [(HeaderName, HeaderValue); 3] = [
    (header::X_CONTENT_TYPE_OPTIONS, HeaderValue::from_static("nosniff")),
    (header::REFERRER_POLICY, HeaderValue::from_static("no-referrer")),
    (header::CONTENT_SECURITY_POLICY, HeaderValue::from_static("default-src 'none'; frame-ancestors 'none'")),
];

/// On every answer of a site that is served over https only: browsers come in no other way for a year.
pub(crate) const HTTPS_ONLY: (HeaderName, HeaderValue) =
    (header::STRICT_TRANSPORT_SECURITY, HeaderValue::from_static("max-age=31536000"));

/// Adds what is missing. The delivery API is read from any web page: it knows no cookies, only tokens.
pub(crate) fn add_defaults(headers: &mut HeaderMap, format: ErrorFormat) {
    for (name, value) in ALWAYS {
        headers.entry(name).or_insert(value);
    }
    match format {
        ErrorFormat::Delivery => {
            headers.insert(header::ACCESS_CONTROL_ALLOW_ORIGIN, HeaderValue::from_static("*"));
            headers.insert(header::ACCESS_CONTROL_EXPOSE_HEADERS, HeaderValue::from_static("ETag, Total, Per-Page, X-Request-Id"));
        }
        // Nothing of these is for a cache, neither on the way nor in a shared browser.
        ErrorFormat::Management | ErrorFormat::Identity => {
            headers.entry(header::CACHE_CONTROL).or_insert(HeaderValue::from_static("no-store"));
        }
    }
}

/// What a browser wants to know before it sends a request from another origin.
pub(crate) fn add_preflight(response: &mut Response) {
    let headers = response.headers_mut();
    headers.insert(header::ACCESS_CONTROL_ALLOW_METHODS, HeaderValue::from_static("GET, HEAD, OPTIONS"));
    headers.insert(header::ACCESS_CONTROL_ALLOW_HEADERS, HeaderValue::from_static("*"));
    headers.insert(header::ACCESS_CONTROL_MAX_AGE, HeaderValue::from_static("86400"));
}

/// The answer to HEAD: the headers of GET, its length too, and nothing after them.
pub(crate) fn without_body(response: Response) -> Response {
    let (mut head, body) = response.into_parts();
    if let Some(length) = body.size_hint().exact() {
        head.headers.entry(header::CONTENT_LENGTH).or_insert(HeaderValue::from(length));
    }
    Response::from_parts(head, Bytes::new().into())
}
