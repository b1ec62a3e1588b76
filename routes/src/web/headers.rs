//! The headers that every response has.

use super::ErrorFormat;
use bytes::Bytes;
use http::{HeaderMap, HeaderName, HeaderValue, header};
use http_body::Body as _;
use url::Url;
use warp::reply::Response;

/// On every response: it is data, which a browser must not run, frame, or guess the type of.
const ALWAYS: [(HeaderName, HeaderValue); 3] = [
    (header::X_CONTENT_TYPE_OPTIONS, HeaderValue::from_static("nosniff")),
    (header::REFERRER_POLICY, HeaderValue::from_static("no-referrer")),
    (header::CONTENT_SECURITY_POLICY, HeaderValue::from_static("default-src 'none'; frame-ancestors 'none'")),
];

/// What scripts of other origins may read of the Delivery API's responses, besides what they always may.
const EXPOSED: &str = "ETag, Total, Per-Page, X-Image-Frames, X-Image-Original, X-Request-Id";

/// On every page instead: it loads scripts and styles from this server alone, and runs nothing that is
/// written into it (Content Security Policy Level 3). Its forms have to be sent with their origin, which a
/// page with `no-referrer` does not tell to browsers without `Sec-Fetch-Site`.
const PAGE: [(HeaderName, HeaderValue); 3] = [
    (header::CONTENT_SECURITY_POLICY, HeaderValue::from_static(PAGE_POLICY)),
    (header::REFERRER_POLICY, HeaderValue::from_static("same-origin")),
    (OPENER_POLICY, HeaderValue::from_static("same-origin")),
];

const OPENER_POLICY: HeaderName = HeaderName::from_static("cross-origin-opener-policy");
const RESOURCE_POLICY: HeaderName = HeaderName::from_static("cross-origin-resource-policy");

const PAGE_POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; base-uri 'none'; frame-ancestors 'none'; form-action 'self'";

/// The policy of a page that shows images of another source as well, or whose forms lead to one; `None` for a
/// source that is no header value.
pub(crate) fn page_policy(images: Option<&str>, leads_to: Option<&str>) -> Option<HeaderValue> {
    let with = |directive: &str, source: Option<&str>| {
        source.map_or_else(|| directive.to_owned(), |source| format!("{directive} {source}"))
    };
    let policy: Vec<String> = PAGE_POLICY
        .split("; ")
        .map(|directive| match directive.split(' ').next() {
            Some("img-src") => with(directive, images),
            Some("form-action") => with(directive, leads_to),
            _ => directive.to_owned(),
        })
        .collect();
    HeaderValue::try_from(policy.join("; ")).ok()
}

/// The source in a Content-Security-Policy that allows a URI: its origin, or, for that of an app without a
/// host, its scheme.
pub(crate) fn source_of(uri: &str) -> Option<String> {
    let url = Url::parse(uri).ok()?;
    Some(if matches!(url.scheme(), "http" | "https") { url.origin().ascii_serialization() } else { format!("{}:", url.scheme()) })
}

/// The policy of a page that shows a document of this server in a frame.
pub(crate) fn framing_policy() -> Option<HeaderValue> {
    HeaderValue::try_from(format!("{PAGE_POLICY}; frame-src 'self'")).ok()
}

/// What the studio may load and show beside its own files: pictures and films of any host, which content
/// names; and what its libraries make HTML of, each by a policy of its own (Trusted Types).
const STUDIO_POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; font-src 'none'; \
    img-src 'self' data: blob: https:; media-src 'self' data: blob: https:; worker-src 'none'; form-action 'self'; base-uri 'none'; \
    frame-ancestors 'none'; require-trusted-types-for 'script'; \
    trusted-types svelte-trusted-html ProseMirrorClipboard lectern-paste";

/// The policy of the studio, which frames its own pages and those of these sources; `None` for a source that
/// is no header value.
pub(crate) fn studio_policy(frames: &[String]) -> Option<HeaderValue> {
    let frames = [&["'self'".to_owned()], frames].concat().join(" ");
    HeaderValue::try_from(format!("{STUDIO_POLICY}; frame-src {frames}")).ok()
}

/// The policy of a mail in such a frame: its styles are its own, it loads and runs nothing, and it is a
/// document of no origin.
pub(crate) const MAIL_POLICY: HeaderValue =
    HeaderValue::from_static("default-src 'none'; style-src 'unsafe-inline'; img-src data:; frame-ancestors 'self'; sandbox");

/// On every response of a site that is served over https only: for a year, browsers use nothing else (RFC
/// 6797).
pub(crate) const HTTPS_ONLY: (HeaderName, HeaderValue) =
    (header::STRICT_TRANSPORT_SECURITY, HeaderValue::from_static("max-age=31536000"));

/// Leaves the browser its link to the window that opened it: an application may sign people in by a popup,
/// and one response with a policy, on the whole way there and back, cuts the popup off for good (HTML,
/// "Cross-origin opener policies").
pub(crate) fn keep_opener(headers: &mut HeaderMap) {
    headers.remove(OPENER_POLICY);
}

/// An extension of a response that keeps this link where only its handler knows that it has to.
#[derive(Debug, Clone, Copy)]
pub(crate) struct KeptOpener;

/// Adds those that are missing. The Delivery API may be read from any web page, because it uses tokens and no
/// cookies.
pub(crate) fn add_defaults(headers: &mut HeaderMap, format: ErrorFormat) {
    if format == ErrorFormat::Page {
        for (name, value) in PAGE {
            headers.entry(name).or_insert(value);
        }
    }
    for (name, value) in ALWAYS {
        headers.entry(name).or_insert(value);
    }
    match format {
        ErrorFormat::Delivery => {
            headers.insert(header::ACCESS_CONTROL_ALLOW_ORIGIN, HeaderValue::from_static("*"));
            headers.insert(header::ACCESS_CONTROL_EXPOSE_HEADERS, HeaderValue::from_static(EXPOSED));
        }
        // These responses belong in no cache, neither in a proxy nor in a shared browser.
        ErrorFormat::Management | ErrorFormat::Identity | ErrorFormat::OAuth | ErrorFormat::Page => {
            if format != ErrorFormat::Management {
                // About people: no page of another origin loads them as if they were images or scripts of its
                // own (Fetch, "Cross-Origin-Resource-Policy header").
                headers.entry(RESOURCE_POLICY).or_insert(HeaderValue::from_static("same-origin"));
            }
            headers.entry(header::CACHE_CONTROL).or_insert(HeaderValue::from_static("no-store"));
        }
    }
}

/// Adds what a browser asks for before it sends a request from another origin (Fetch, "CORS-preflight
/// request").
pub(crate) fn add_preflight(response: &mut Response) {
    let headers = response.headers_mut();
    headers.insert(header::ACCESS_CONTROL_ALLOW_METHODS, HeaderValue::from_static("GET, HEAD, OPTIONS"));
    headers.insert(header::ACCESS_CONTROL_ALLOW_HEADERS, HeaderValue::from_static("*"));
    headers.insert(header::ACCESS_CONTROL_MAX_AGE, HeaderValue::from_static("86400"));
}

/// The same for the OpenID provider. Any page may send its requests, which carry no cookies; which page may
/// read a response, the response says.
pub(crate) fn add_provider_preflight(response: &mut Response) {
    let headers = response.headers_mut();
    headers.insert(header::ACCESS_CONTROL_ALLOW_ORIGIN, HeaderValue::from_static("*"));
    headers.insert(header::ACCESS_CONTROL_ALLOW_METHODS, HeaderValue::from_static("GET, POST, HEAD, OPTIONS"));
    headers.insert(header::ACCESS_CONTROL_ALLOW_HEADERS, HeaderValue::from_static("Authorization, Content-Type, DPoP"));
    headers.insert(header::ACCESS_CONTROL_MAX_AGE, HeaderValue::from_static("86400"));
}

/// Lets every web page read the response of an endpoint for scripts, unless it varies by origin: then it
/// names a client, and the handler has said whose pages may read it. No cookie plays a part in these
/// requests.
pub(crate) fn allow_every_page(headers: &mut HeaderMap) {
    let mut varies = headers.get_all(header::VARY).iter().filter_map(|value| value.to_str().ok());
    if varies.any(|value| value.eq_ignore_ascii_case("origin")) {
        return;
    }
    headers.insert(header::ACCESS_CONTROL_ALLOW_ORIGIN, HeaderValue::from_static("*"));
    headers.insert(header::ACCESS_CONTROL_EXPOSE_HEADERS, EXPOSED_BY_PROVIDER);
}

/// The headers of the OpenID provider's responses that scripts may read, where they may read the response.
pub(crate) const EXPOSED_BY_PROVIDER: HeaderValue = HeaderValue::from_static("WWW-Authenticate, DPoP-Nonce, X-Request-Id");

/// Makes the response to a HEAD of that to a GET: the same headers, with the length, and no body.
pub(crate) fn without_body(response: Response) -> Response {
    let (mut head, body) = response.into_parts();
    if let Some(length) = body.size_hint().exact() {
        head.headers.entry(header::CONTENT_LENGTH).or_insert(HeaderValue::from(length));
    }
    Response::from_parts(head, Bytes::new().into())
}

#[cfg(test)]
mod tests {
    use super::source_of;

    #[test]
    fn the_source_of_a_redirect_uri_is_its_origin_or_its_scheme() {
        for (uri, source) in [
            ("https://app.example/cb?a=b", "https://app.example"),
            ("https://app.example:8443/cb", "https://app.example:8443"),
            ("http://127.0.0.1:51004/cb", "http://127.0.0.1:51004"),
            ("com.example.app:/cb", "com.example.app:"),
            ("com.example.app://cb", "com.example.app:"),
        ] {
            assert_eq!(source_of(uri).as_deref(), Some(source), "{uri}");
        }
        assert_eq!(source_of("no uri"), None);
    }
}
