//! Protection against cross-site request forgery: a signed double-submit cookie, bound to the session, and
//! before login to a cookie of its own (OWASP CSRF Prevention Cheat Sheet, "Signed Double-Submit Cookie").

use super::{
    ApiRequest,
    cookie::{self, CSRF, Cookies, Keep},
};
use crypto::keys::{Key, Keys};
use domain::shared::{Code, Entropy, Fault, SessionId};
use http::{HeaderMap, HeaderValue, header};
use secrecy::ExposeSecret;
use std::fmt;

/// The length of a pre-session's id, in hexadecimal characters.
const PRE_SESSION: usize = 40;

/// What a token is bound to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Binding {
    Session(SessionId),
    /// A browser without one.
    PreSession(String),
}

impl Binding {
    /// SHA-256 of what the browser is recognised by as long as it has this session or pre-session.
    pub(crate) fn browser_hash(&self) -> [u8; 32] {
        crypto::digest::sha256(self.to_string().as_bytes())
    }

    /// The session that the browser holds, if it is signed in.
    pub(crate) fn session(&self) -> Option<SessionId> {
        match self {
            Self::Session(id) => Some(*id),
            Self::PreSession(_) => None,
        }
    }
}

impl fmt::Display for Binding {
    /// The prefix keeps the two apart, so that the id of a session cannot be used as that of a pre-session.
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
    /// `base_url` is the public URL of the server (`APP_BASE_URL`).
    pub(crate) fn new(keys: &Keys, base_url: &str, cookies: Cookies) -> Self {
        Self { key: keys.derive("csrf/1"), own_origin: origin_of(base_url), cookies }
    }

    /// The token of a binding and its cookie.
    pub(crate) fn issue(&self, binding: &Binding) -> Result<(String, HeaderValue), Fault> {
        let token = crypto::csrf::issue(&self.key, &binding.to_string());
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

    /// 403 `csrfInvalid` unless the request was sent by a page of this origin, and its `X-CSRF-Token` equals
    /// the cookie and has this binding.
    pub(crate) fn check(&self, request: &ApiRequest, binding: Option<&Binding>) -> Result<(), Fault> {
        let valid = !self.is_foreign(request) && binding.is_some_and(|binding| self.is_submitted(request, binding));
        if valid { Ok(()) } else { Err(invalid()) }
    }

    /// The same for a form, whose field `csrf_token` holds the token.
    pub(crate) fn check_form(&self, request: &ApiRequest, binding: &Binding, sent: Option<&str>) -> Result<(), Fault> {
        let valid = !self.is_foreign(request) && self.is_token_of(request, binding, sent);
        if valid { Ok(()) } else { Err(invalid()) }
    }

    fn is_submitted(&self, request: &ApiRequest, binding: &Binding) -> bool {
        self.is_token_of(request, binding, request.header("x-csrf-token"))
    }

    fn is_token_of(&self, request: &ApiRequest, binding: &Binding, sent: Option<&str>) -> bool {
        let (Some(sent), Some(kept)) = (sent, cookie::find(&request.headers, CSRF)) else { return false };
        // The caller sent both, so the time of this comparison reveals nothing; the comparison with the
        // signature is in constant time.
        sent == kept && crypto::csrf::verify(&self.key, &binding.to_string(), sent)
    }

    /// Whether the browser says that another origin sent the request (`Sec-Fetch-Site`, else `Origin`). A
    /// client that sends neither header is no browser; it still needs the token.
    fn is_foreign(&self, request: &ApiRequest) -> bool {
        match request.header("sec-fetch-site") {
            Some("same-origin" | "none") => return false,
            Some("cross-site") => return true,
            _ => {}
        }
        let Some(origin) = request.headers.get(header::ORIGIN) else { return false };
        let Ok(origin) = origin.to_str() else { return true };
        // `Host` is the server that the browser believes to talk to; a page of another origin cannot choose
        // it.
        let is_own_host = origin.split_once("://").is_some_and(|(scheme, host)| {
            // A page that was loaded over http may have been written by anybody on the way, so it does not
            // count as ours when the site has https.
            Some(host) == request.header(header::HOST) && (scheme == "https" || !self.own_origin.starts_with("https://"))
        });
        !(is_own_host || origin.eq_ignore_ascii_case(&self.own_origin))
    }
}

pub(super) fn invalid() -> Fault {
    Fault::of(Code::CsrfInvalid)
}

/// Scheme and authority of a URL.
fn origin_of(url: &str) -> String {
    let Some((scheme, rest)) = url.split_once("://") else { return url.to_owned() };
    let authority = rest.split('/').next().unwrap_or_default();
    format!("{scheme}://{authority}").to_ascii_lowercase()
}
