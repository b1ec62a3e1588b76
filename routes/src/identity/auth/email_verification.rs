//! Verifying the mail address of an account: `/api/auth/verify-email`, `/api/auth/resend-verification`.
//!
//! Mails link to the page `/verify-email`, which asks for a click. This GET verifies at once, so it does that
//! for programs, which call it on purpose, and for the browser that the account was registered in when a
//! person goes there. Any other browser is led to the page: programs that look at mails open links like one.

use super::read_mail_request;
use crate::{
    identity::{Identity, success},
    web::{Anonymous, ApiRequest, ApiResponse, Message, csrf::Binding},
};
use domain::shared::Fault;
use http::{HeaderMap, header};
use services::identity::{
    links::request_verification,
    redeem::stale_link,
    verification::{self, LinkState},
};

/// The page that asks for a click, with the token that it takes out of its URL.
const PAGE: &str = "/verify-email";

/// Verifies an address, or leads to the page that does. It redirects to pages of this server and nowhere
/// else, whatever the query says.
pub(super) async fn verify(identity: Identity, _: Anonymous, request: ApiRequest) -> Result<ApiResponse, Fault> {
    let query = request.query()?;
    let token = query.get("token").unwrap_or_default();
    let hash = crypto::opaque_token::hash(token);
    let opening = LinkOpening::of(&request.headers);
    if let (LinkOpening::Prefetch, Some(_)) = (opening, hash) {
        return confirm_page(token);
    }
    let context = identity.request_context(&request);
    let (hash, link) = match (hash, verification::look_at(&identity.ctx, &context, hash).await?) {
        (Some(hash), LinkState::Open(link)) => (hash, link),
        (_, LinkState::Done) => return Ok(verified()),
        _ => return refuse(opening),
    };
    let may_verify = match opening {
        LinkOpening::Program => true,
        LinkOpening::Navigation => {
            let browser = identity.sessions.binding(&request).await?;
            link.was_registered_in(browser.map(|browser| browser.browser_hash()))
        }
        LinkOpening::Prefetch | LinkOpening::OfBrowser => false,
    };
    if !may_verify {
        return confirm_page(token);
    }
    if verification::verify(&identity.ctx, &context, hash).await? { Ok(verified()) } else { refuse(opening) }
}

/// The page; only a token's own characters are repeated.
fn confirm_page(token: &str) -> Result<ApiResponse, Fault> {
    ApiResponse::see_other(&format!("{PAGE}?token={token}"))
}

fn verified() -> ApiResponse {
    ApiResponse::found("/login?verified=1")
}

fn refuse(opening: LinkOpening) -> Result<ApiResponse, Fault> {
    match opening {
        LinkOpening::Program => Err(stale_link()),
        _ => Ok(ApiResponse::found("/login?verified=0&reason=invalid")),
    }
}

/// Mails another verification link; those of before are void. The answer is always the same.
pub(super) async fn resend(identity: Identity, _: Binding, mut request: ApiRequest) -> Result<ApiResponse, Fault> {
    let email = read_mail_request(&mut request).await?;
    request_verification(&identity.ctx, &identity.request_context(&request), &email).await?;
    ApiResponse::ok(&success(&request, Message::VerificationLinkSentIfUnverified))
}

/// How a link is opened, as the headers say it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum LinkOpening {
    /// By a browser that fetches a page before anybody wants to see it.
    Prefetch,
    /// By a person who goes to it.
    Navigation,
    /// By a browser for any other reason, such as a script or an image.
    OfBrowser,
    /// By a program that does not claim to be a browser.
    Program,
}

/// Headers by which browsers tell that the page was not asked for yet.
const PREFETCH: [&str; 4] = ["sec-purpose", "purpose", "x-purpose", "x-moz"];

impl LinkOpening {
    fn of(headers: &HeaderMap) -> Self {
        let text = |name: &str| headers.get(name).and_then(|value| value.to_str().ok());
        let is_early =
            |value: &str| ["prefetch", "prerender", "preview"].iter().any(|word| value.to_ascii_lowercase().contains(word));
        if PREFETCH.iter().filter_map(|name| text(name)).any(is_early) {
            return Self::Prefetch;
        }
        // Browsers leave these headers out of requests in clear text to another host than localhost.
        if headers.keys().any(|name| name.as_str().starts_with("sec-fetch-")) {
            let goes_there =
                text("sec-fetch-mode") == Some("navigate") && text("sec-fetch-dest").is_none_or(|dest| dest == "document");
            return if goes_there { Self::Navigation } else { Self::OfBrowser };
        }
        let wants_page = text(header::ACCEPT.as_str()).is_some_and(|accept| accept.contains("text/html"));
        if wants_page { Self::Navigation } else { Self::Program }
    }
}

#[cfg(test)]
mod tests {
    use super::LinkOpening;
    use http::HeaderMap;

    #[test]
    fn headers_tell_how_a_link_is_opened() {
        let html = ("accept", "text/html,*/*;q=0.8");
        for (headers, expected) in [
            (&[][..], LinkOpening::Program),
            (&[("accept", "*/*")], LinkOpening::Program),
            (&[("accept", "application/json"), ("user-agent", "Mozilla/5.0")], LinkOpening::Program),
            (&[html], LinkOpening::Navigation),
            (
                &[html, ("sec-fetch-mode", "navigate"), ("sec-fetch-dest", "document"), ("sec-fetch-site", "none")],
                LinkOpening::Navigation,
            ),
            (&[("sec-fetch-mode", "navigate")], LinkOpening::Navigation),
            (&[html, ("sec-fetch-mode", "navigate"), ("sec-fetch-dest", "iframe")], LinkOpening::OfBrowser),
            (&[html, ("sec-fetch-mode", "cors"), ("sec-fetch-dest", "empty")], LinkOpening::OfBrowser),
            (&[html, ("sec-fetch-site", "same-origin")], LinkOpening::OfBrowser),
            (
                &[html, ("sec-fetch-mode", "navigate"), ("sec-fetch-dest", "document"), ("sec-purpose", "prefetch;prerender")],
                LinkOpening::Prefetch,
            ),
            (&[html, ("purpose", "prefetch")], LinkOpening::Prefetch),
            (&[("x-moz", "Prefetch")], LinkOpening::Prefetch),
            (&[("x-purpose", "preview")], LinkOpening::Prefetch),
        ] {
            let map: HeaderMap =
                headers.iter().map(|(name, value)| (name.parse::<http::HeaderName>().unwrap(), value.parse().unwrap())).collect();
            assert_eq!(LinkOpening::of(&map), expected, "{headers:?}");
        }
    }
}
