//! The session of a signed-in person: a cookie that names a row, and the row that says whether it lives (decisions 20).
//!
//! A session ends a fixed time after login (14 days; 24 hours when the browser is not to remember it), or earlier: when nobody used it for 7 days,
//! with the account's `token_version`, a suspension, or a logout.

use super::{
    ApiRequest, ApiResponse, Cookies,
    access::{Access, Security},
    cookie::{self, Keep},
    csrf::{self, Binding, Csrf},
};
use actors::identity::last_seen_writer::LastSeenBuffer;
use crypto::{
    keys::Keys,
    session::{Claims, SessionTokens},
};
use domain::shared::{Fault, Kind, SessionId, SharedClock, UserId};
use http::{HeaderValue, Method, header};
use std::{sync::Arc, time::Duration};
use storage::{Store, shared::sessions};

/// How long a session lives when the person asked to be remembered.
pub(crate) const REMEMBERED: Duration = Duration::from_hours(14 * 24);
/// How long it lives otherwise; the browser forgets it earlier, when it is closed.
pub(crate) const NOT_REMEMBERED: Duration = Duration::from_hours(24);

/// Where browsers see us and how.
#[derive(Debug, Clone)]
pub struct SiteSettings {
    /// `APP_BASE_URL`, without a trailing slash: the issuer of session tokens, and the origin that requests may come from.
    pub base_url: String,
    /// `APP_COOKIE_SECURE`.
    pub cookie_secure: bool,
}

/// A signed-in person.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SignedIn {
    /// Who.
    pub user: UserId,
    /// By which session.
    pub session: SessionId,
    /// The account's `token_version`: what is written later has to meet the same one, or the session ended in between.
    pub token_version: i32,
    /// Whether the account's address was proved.
    pub email_verified: bool,
    /// Whether the account may administer; read anew with each request.
    pub is_admin: bool,
}

impl SignedIn {
    /// The claim that what is written later has to find true still.
    pub fn claimed(&self) -> sessions::Claimed {
        sessions::Claimed { session: self.session, user: self.user, token_version: self.token_version }
    }
}

/// Finds out who is signed in. Cheap to clone.
#[derive(Clone)]
pub struct Sessions {
    inner: Arc<Inner>,
}

struct Inner {
    store: Store,
    last_seen: LastSeenBuffer,
    clock: SharedClock,
    tokens: SessionTokens,
    cookies: Cookies,
    csrf: Csrf,
}

/// An access rule: the caller is signed in, and for everything but GET the request has the session's CSRF token.
///
/// 401 without an active session, then 403 `csrfInvalid`.
#[derive(Debug, Clone, Copy)]
pub struct BySession;

impl<S: AsRef<Sessions> + Sync> Access<S> for BySession {
    type Scope = ();
    type Caller = SignedIn;

    fn security(&self, method: &Method) -> Security {
        if *method == Method::GET { &[&["session"]] } else { &[&["session", "csrf"]] }
    }

    async fn authorize(&self, state: &S, request: &ApiRequest, (): ()) -> Result<SignedIn, Fault> {
        let sessions = state.as_ref();
        if request.method == Method::GET { sessions.signed_in(request).await } else { sessions.signed_in_with_csrf(request).await }
    }
}

/// An access rule: the request has a CSRF token, of a session or of a browser without one. 403 `csrfInvalid` without it.
#[derive(Debug, Clone, Copy)]
pub struct ByCsrfToken;

impl<S: AsRef<Sessions> + Sync> Access<S> for ByCsrfToken {
    type Scope = ();
    type Caller = Binding;

    fn security(&self, _: &Method) -> Security {
        &[&["csrf"]]
    }

    async fn authorize(&self, state: &S, request: &ApiRequest, (): ()) -> Result<Binding, Fault> {
        state.as_ref().check_csrf(request).await
    }
}

impl Sessions {
    /// Takes what it needs.
    pub fn new(store: Store, last_seen: LastSeenBuffer, keys: &Keys, clock: SharedClock, site: &SiteSettings) -> Self {
        let cookies = Cookies::new(site.cookie_secure);
        let tokens = SessionTokens::new(keys, &site.base_url);
        let csrf = Csrf::new(keys, &site.base_url, cookies);
        Self { inner: Arc::new(Inner { store, last_seen, clock, tokens, cookies, csrf }) }
    }

    /// Who sent this request; 401 without a living session.
    pub async fn signed_in(&self, request: &ApiRequest) -> Result<SignedIn, Fault> {
        let now = self.inner.clock.now();
        let claims = cookie::find(&request.headers, self.inner.cookies.session())
            .and_then(|token| self.inner.tokens.verify(token, now.as_second()))
            .ok_or_else(Fault::unauthorized)?;
        let claimed = sessions::Claimed { session: claims.sid, user: claims.sub, token_version: claims.tv };
        // Asked anew with each request, on the connection that all of them share: what was revoked before is refused, by whichever process.
        let lane = self.inner.store.shared("session.find").await?;
        let living = sessions::find_living(&lane, claimed, now).await?.ok_or_else(Fault::unauthorized)?;
        if now.duration_since(living.last_seen_at) >= sessions::SEEN_EVERY {
            self.inner.last_seen.note(claims.sid, now);
        }
        Ok(SignedIn {
            user: claims.sub,
            session: claims.sid,
            token_version: claims.tv,
            email_verified: living.email_verified,
            is_admin: living.is_admin,
        })
    }

    /// Who sent this request that changes something: 401 without a living session, then 403 `csrfInvalid` without its CSRF token.
    pub async fn signed_in_with_csrf(&self, request: &ApiRequest) -> Result<SignedIn, Fault> {
        let signed_in = self.signed_in(request).await?;
        self.inner.csrf.check(request, Some(&Binding::Session(signed_in.session)))?;
        Ok(signed_in)
    }

    /// What a CSRF token of this request must be bound to: the living session, else the browser's pre-session, if it has one.
    pub(crate) async fn binding(&self, request: &ApiRequest) -> Result<Option<Binding>, Fault> {
        match self.signed_in(request).await {
            Ok(signed_in) => Ok(Some(Binding::Session(signed_in.session))),
            Err(fault) if fault.kind == Kind::Unauthorized => Ok(self.inner.csrf.pre_session(&request.headers)),
            Err(fault) => Err(fault),
        }
    }

    /// 403 `csrfInvalid` without a CSRF token, for requests that need no session. Answers what the token is bound to: the browser, as it is now.
    pub(crate) async fn check_csrf(&self, request: &ApiRequest) -> Result<Binding, Fault> {
        let binding = self.binding(request).await?;
        self.inner.csrf.check(request, binding.as_ref())?;
        binding.ok_or_else(csrf::invalid)
    }

    /// Takes away what was before the session: it has come, and CSRF tokens of before must not hold any more.
    pub(crate) fn forget_pre_session(&self, answer: ApiResponse) -> ApiResponse {
        let cookies = self.inner.cookies;
        delete(answer, cookies, [cookies.pre_session(), cookies.login_pending()])
    }

    /// Whether the browser sent a session cookie, living or not.
    pub(crate) fn has_cookie(&self, request: &ApiRequest) -> bool {
        cookie::find(&request.headers, self.inner.cookies.session()).is_some()
    }

    /// Takes every cookie of ours away.
    pub(crate) fn forget(&self, answer: ApiResponse) -> ApiResponse {
        let cookies = self.inner.cookies;
        delete(answer, cookies, [cookies.session(), cookies.pre_session(), cookies.login_pending(), cookie::CSRF])
    }

    /// Names and attributes of cookies.
    pub(crate) fn cookies(&self) -> Cookies {
        self.inner.cookies
    }

    /// CSRF tokens.
    pub(crate) fn csrf(&self) -> &Csrf {
        &self.inner.csrf
    }

    /// The cookie for a session; `keep` is how long the browser holds it.
    pub(crate) fn cookie(&self, claims: Claims, keep: Keep) -> Result<HeaderValue, Fault> {
        let token = self.inner.tokens.sign(claims)?;
        let cookies = self.inner.cookies;
        cookies.set(cookies.session(), &token, keep)
    }
}

fn delete<const N: usize>(answer: ApiResponse, cookies: Cookies, names: [&str; N]) -> ApiResponse {
    names
        .into_iter()
        // Names of ours without a value always make a header.
        .filter_map(|name| cookies.set(name, "", Keep::Delete).ok())
        .fold(answer, |answer, cookie| answer.with(header::SET_COOKIE, cookie))
}
