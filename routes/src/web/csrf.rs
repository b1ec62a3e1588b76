//! Cross-site request forgery: a signed double submit bound to the session, and before login to a cookie of its own (facts, 3.2).

use super::{
    ApiRequest,
    cookie::{self, CSRF, Cookies, Keep},
};
use crypto::keys::{Key, Keys};
use domain::shared::{Entropy, Fault, Kind, SessionId};
use http::{HeaderMap, HeaderValue, header};
use secrecy::ExposeSecret;
use std::fmt;

/// Hexadecimal characters of a pre-session's id.
const PRE_SESSION: usize = 40;

/// What a token is bound to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Binding {
    /// A signed-in session.
    Session(SessionId),
    /// A browser without one.
    PreSession(String),
}

impl fmt::Display for Binding {
    /// The prefix keeps the two apart: nobody can choose a pre-session that is somebody's session.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Session(id) => write!(f, "session:{id}"),
            Self::PreSession(id) => write!(f, "presession:{id}"),
        }
    }
}

/// Issues and checks CSRF tokens.
pub(crate) struct Csrf {
    key: Key,
    own_origin: String,
    cookies: Cookies,
}

impl Csrf {
    /// `base_url` is where browsers see us (`APP_BASE_URL`).
    pub(crate) fn new(keys: &Keys, base_url: &str, cookies: Cookies) -> Self {
        Self { key: keys.derive("csrf/1"), own_origin: origin_of(base_url), cookies }
    }

    /// A new token and its cookie.
    pub(crate) fn issue(&self, binding: &Binding, entropy: &dyn Entropy) -> Result<(String, HeaderValue), Fault> {
        let token = crypto::csrf::issue(&self.key, &binding.to_string(), entropy);
        let cookie = self.cookies.set(CSRF, &token, Keep::Session)?;
        Ok((token, cookie))
    }

    /// The pre-session of this browser, if it has one.
    pub(crate) fn pre_session(&self, headers: &HeaderMap) -> Option<Binding> {
        let id = cookie::find(headers, self.cookies.pre_session())?;
        let is_ours = id.len() == PRE_SESSION && id.bytes().all(|byte| byte.is_ascii_hexdigit());
        is_ours.then(|| Binding::PreSession(id.to_owned()))
    }

    /// A new pre-session and its cookie.
    pub(crate) fn new_pre_session(&self, entropy: &dyn Entropy) -> Result<(Binding, HeaderValue), Fault> {
        let id = crypto::token::generate("", entropy).expose_secret().to_owned();
        let cookie = self.cookies.set(self.cookies.pre_session(), &id, Keep::Session)?;
        Ok((Binding::PreSession(id), cookie))
    }

    /// 403 `csrfInvalid` unless the request comes from our own pages: not sent by a foreign site, and `X-CSRF-Token` equals the cookie
    /// and is bound to what it must be.
    pub(crate) fn check(&self, request: &ApiRequest, binding: Option<&Binding>) -> Result<(), Fault> {
        let valid = !self.is_foreign(request) && binding.is_some_and(|binding| self.is_submitted(request, binding));
        if valid { Ok(()) } else { Err(invalid()) }
    }

    fn is_submitted(&self, request: &ApiRequest, binding: &Binding) -> bool {
        let (Some(sent), Some(kept)) = (request.header("x-csrf-token"), cookie::find(&request.headers, CSRF)) else { return false };
        // The caller sent both, so this comparison tells nothing; the one with what we compute is in constant time.
        sent == kept && crypto::csrf::verify(&self.key, &binding.to_string(), sent)
    }

    /// What the browser itself says about where the request comes from. A client that says nothing is no browser, and has the
    /// token to show.
    fn is_foreign(&self, request: &ApiRequest) -> bool {
        match request.header("sec-fetch-site") {
            Some("same-origin" | "none") => return false,
            Some("cross-site") => return true,
            _ => {}
        }
        let Some(origin) = request.headers.get(header::ORIGIN) else { return false };
        let Ok(origin) = origin.to_str() else { return true };
        // The Host header is what the browser believes to talk to; a foreign page cannot choose it.
        let is_own_host = origin.split_once("://").is_some_and(|(scheme, host)| {
            // A page that came in clear may be anybody's who stands between, so it is none of ours when we are served over https.
            Some(host) == request.header(header::HOST) && (scheme == "https" || !self.own_origin.starts_with("https://"))
        });
        !(is_own_host || origin.eq_ignore_ascii_case(&self.own_origin))
    }
}

pub(super) fn invalid() -> Fault {
    Fault::new(
        Kind::Forbidden,
        "csrfInvalid",
        "The CSRF token is missing or not valid for this session; fetch one from /api/csrf-token and send it as X-CSRF-Token",
    )
}

/// Scheme and authority of a URL.
fn origin_of(url: &str) -> String {
    let Some((scheme, rest)) = url.split_once("://") else { return url.to_owned() };
    let authority = rest.split('/').next().unwrap_or_default();
    format!("{scheme}://{authority}").to_ascii_lowercase()
}
