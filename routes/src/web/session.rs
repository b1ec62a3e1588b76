//! The session of a signed-in person: a signed cookie that names a row, and the row that says whether the
//! session is active.
//!
//! A session ends a fixed time after login (14 days; 24 hours when the browser is not to remember it), or
//! earlier: after 7 days without a request, with a new `token_version` of the account, with a suspension, or
//! with a logout.

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
use domain::shared::{Code, Fault, Kind, ProofRule, SessionId, SharedClock, UserId, proof};
use http::{HeaderValue, Method, StatusCode, header};
use jiff::Timestamp;
use std::{sync::Arc, time::Duration};
use storage::{Store, shared::sessions};

/// The address of the site for browsers.
#[derive(Debug, Clone)]
pub struct SiteSettings {
    /// `APP_BASE_URL`, without a trailing slash: the issuer of session tokens, and the origin that requests
    /// may come from.
    pub base_url: String,
    /// `APP_COOKIE_SECURE`.
    pub cookie_secure: bool,
    /// `APP_ADMIN_SESSION_MAX_AGE`: how long after signing in a session may administer.
    pub admin_session_max_age: Duration,
    /// `APP_REAUTH_SECONDS`: how long a proof is recent.
    pub proofs: ProofRule,
}

/// A signed-in person.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SignedIn {
    pub user: UserId,
    /// The session that the request came with.
    pub session: SessionId,
    /// The account's `token_version`. A later write checks that the account still has it; otherwise the
    /// session has ended in between.
    pub token_version: i32,
    /// Whether the account's mail address is verified.
    pub email_verified: bool,
    /// Whether the account is an administrator; read with each request.
    pub is_admin: bool,
    /// When the person authenticated.
    pub auth_at: Timestamp,
    /// When the person last proved who they are: by signing in, or since.
    pub proved_at: Timestamp,
}

impl SignedIn {
    /// What a later transaction checks again: that this session still exists, and that the account still has
    /// this `token_version`.
    pub fn claims(&self) -> sessions::SessionClaims {
        sessions::SessionClaims { session: self.session, user: self.user, token_version: self.token_version }
    }
}

/// Finds the session of a request. Cheap to clone.
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
    base_url: String,
    admin_session_max_age: Duration,
    proofs: ProofRule,
}

/// An access rule: the caller is signed in, and for everything but GET the request has the session's CSRF
/// token.
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

    fn refusals(&self, method: &Method) -> Vec<StatusCode> {
        if *method == Method::GET { vec![StatusCode::UNAUTHORIZED] } else { vec![StatusCode::UNAUTHORIZED, StatusCode::FORBIDDEN] }
    }

    async fn authorize(&self, state: &S, request: &ApiRequest, (): ()) -> Result<SignedIn, Fault> {
        let sessions = state.as_ref();
        if request.method == Method::GET { sessions.signed_in(request).await } else { sessions.signed_in_with_csrf(request).await }
    }
}

/// An access rule: the caller is an administrator who signed in not too long ago, and for everything but GET
/// the request has the session's CSRF token.
///
/// 401 without an active session, then what [`Sessions::check_administrator`] refuses, then 403
/// `csrfInvalid`.
#[derive(Debug, Clone, Copy)]
pub struct ByAdministrator;

impl<S: AsRef<Sessions> + Sync> Access<S> for ByAdministrator {
    type Scope = ();
    type Caller = SignedIn;

    fn security(&self, method: &Method) -> Security {
        Access::<S>::security(&BySession, method)
    }

    fn refusals(&self, _: &Method) -> Vec<StatusCode> {
        vec![StatusCode::UNAUTHORIZED, StatusCode::FORBIDDEN]
    }

    async fn authorize(&self, state: &S, request: &ApiRequest, (): ()) -> Result<SignedIn, Fault> {
        let sessions = state.as_ref();
        let signed_in = sessions.signed_in(request).await?;
        sessions.check_administrator(&signed_in)?;
        if request.method != Method::GET {
            sessions.inner.csrf.check(request, Some(&Binding::Session(signed_in.session)))?;
        }
        Ok(signed_in)
    }
}

/// An access rule: the request has a CSRF token, of a session or of a browser without one. 403 `csrfInvalid`
/// without it.
#[derive(Debug, Clone, Copy)]
pub struct ByCsrfToken;

impl<S: AsRef<Sessions> + Sync> Access<S> for ByCsrfToken {
    type Scope = ();
    type Caller = Binding;

    fn security(&self, _: &Method) -> Security {
        &[&["csrf"]]
    }

    fn refusals(&self, _: &Method) -> Vec<StatusCode> {
        vec![StatusCode::FORBIDDEN]
    }

    async fn authorize(&self, state: &S, request: &ApiRequest, (): ()) -> Result<Binding, Fault> {
        state.as_ref().check_csrf(request).await
    }
}

impl Sessions {
    /// Derives the keys of tokens.
    pub fn new(store: Store, last_seen: LastSeenBuffer, keys: &Keys, clock: SharedClock, site: &SiteSettings) -> Self {
        let cookies = Cookies::new(site.cookie_secure);
        let tokens = SessionTokens::new(keys, &site.base_url);
        let csrf = Csrf::new(keys, &site.base_url, cookies);
        let (admin_session_max_age, proofs) = (site.admin_session_max_age, site.proofs);
        let base_url = site.base_url.clone();
        let inner = Inner { store, last_seen, clock, tokens, cookies, csrf, base_url, admin_session_max_age, proofs };
        Self { inner: Arc::new(inner) }
    }

    /// The person who sent this request; 401 without an active session.
    pub async fn signed_in(&self, request: &ApiRequest) -> Result<SignedIn, Fault> {
        let now = self.inner.clock.now();
        let claimed = self.claimed(request).ok_or_else(Fault::unauthorized)?;
        // Read with each request, on the connection that all of them share, so that a session that any
        // process revoked is refused at once.
        let connection = self.inner.store.shared("session.find").await?;
        let active = sessions::find_active(&connection, claimed, now).await?.ok_or_else(Fault::unauthorized)?;
        if now.duration_since(active.last_seen_at) >= sessions::SEEN_EVERY {
            self.inner.last_seen.note(claimed.session, now);
        }
        Ok(SignedIn {
            user: claimed.user,
            session: claimed.session,
            token_version: claimed.token_version,
            email_verified: active.email_verified,
            is_admin: active.is_admin,
            auth_at: active.auth_at,
            proved_at: active.proved_at,
        })
    }

    /// Whether a signed-in person may administer: 403 `forbidden` for one who is no administrator, then 401
    /// `reauthenticationRequired` for one who signed in too long ago.
    pub fn check_administrator(&self, signed_in: &SignedIn) -> Result<(), Fault> {
        if !signed_in.is_admin {
            return Err(Fault::forbidden("Only administrators may do this"));
        }
        if self.inner.clock.now().duration_since(signed_in.auth_at).unsigned_abs() > self.inner.admin_session_max_age {
            let message = "You signed in too long ago to administer; sign in again";
            return Err(Fault::new(Code::ReauthenticationRequired, message));
        }
        Ok(())
    }

    /// The address of this server for browsers, without a trailing slash.
    pub(crate) fn base_url(&self) -> &str {
        &self.inner.base_url
    }

    /// The rule about recent proofs.
    pub(crate) fn proofs(&self) -> ProofRule {
        self.inner.proofs
    }

    /// Whether a signed-in person has proved who they are a short while ago.
    pub(crate) fn is_proved(&self, signed_in: &SignedIn) -> bool {
        self.inner.proofs.is_recent(signed_in.proved_at, self.inner.clock.now())
    }

    /// 403 `proofRequired` unless a signed-in person has proved who they are a short while ago; it names the
    /// ways to prove.
    pub(crate) async fn check_proved(&self, signed_in: &SignedIn) -> Result<(), Fault> {
        if self.is_proved(signed_in) {
            return Ok(());
        }
        let connection = self.inner.store.shared("session.proof_methods").await?;
        let methods = sessions::proof_methods(&connection, signed_in.session).await?.ok_or_else(Fault::unauthorized)?;
        Err(proof::required(methods))
    }

    /// The session that the cookie of a request claims, if the cookie is one of this server and has not
    /// expired. Whether the session is active, its row decides.
    pub(crate) fn claimed(&self, request: &ApiRequest) -> Option<sessions::SessionClaims> {
        let token = cookie::find(&request.headers, self.inner.cookies.session())?;
        let claims = self.inner.tokens.verify(token, self.inner.clock.now().as_second())?;
        Some(sessions::SessionClaims { session: claims.sid, user: claims.sub, token_version: claims.tv })
    }

    /// The same for a request that changes something: 401 without an active session, then 403 `csrfInvalid`
    /// without its CSRF token.
    pub async fn signed_in_with_csrf(&self, request: &ApiRequest) -> Result<SignedIn, Fault> {
        let signed_in = self.signed_in(request).await?;
        self.inner.csrf.check(request, Some(&Binding::Session(signed_in.session)))?;
        Ok(signed_in)
    }

    /// The binding that a CSRF token of this request must have: the active session, else the browser's
    /// pre-session, if it has one.
    pub(crate) async fn binding(&self, request: &ApiRequest) -> Result<Option<Binding>, Fault> {
        match self.signed_in(request).await {
            Ok(signed_in) => Ok(Some(Binding::Session(signed_in.session))),
            Err(fault) if fault.kind() == Kind::Unauthorized => Ok(self.inner.csrf.pre_session(&request.headers)),
            Err(fault) => Err(fault),
        }
    }

    /// 403 `csrfInvalid` without a CSRF token, for requests that need no session. Answers the binding of the
    /// token.
    pub(crate) async fn check_csrf(&self, request: &ApiRequest) -> Result<Binding, Fault> {
        let binding = self.binding(request).await?;
        self.inner.csrf.check(request, binding.as_ref())?;
        binding.ok_or_else(csrf::invalid)
    }

    /// Clears the cookies from before login: the session has begun, and CSRF tokens from before must not be
    /// valid any more.
    pub(crate) fn clear_pre_session(&self, response: ApiResponse) -> ApiResponse {
        let cookies = self.inner.cookies;
        delete(response, cookies, [cookies.pre_session(), cookies.login_pending()])
    }

    /// Whether the browser sent a session cookie, of an active session or not.
    pub(crate) fn has_cookie(&self, request: &ApiRequest) -> bool {
        cookie::find(&request.headers, self.inner.cookies.session()).is_some()
    }

    /// Clears all cookies but the one that recognises the browser.
    pub(crate) fn clear_cookies(&self, response: ApiResponse) -> ApiResponse {
        let cookies = self.inner.cookies;
        delete(response, cookies, [cookies.session(), cookies.pre_session(), cookies.login_pending(), cookie::CSRF])
    }

    /// The names and attributes of cookies.
    pub(crate) fn cookies(&self) -> Cookies {
        self.inner.cookies
    }

    /// Issues and checks CSRF tokens.
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

fn delete<const N: usize>(response: ApiResponse, cookies: Cookies, names: [&str; N]) -> ApiResponse {
    names
        .into_iter()
        // Our names with an empty value always make a valid header.
        .filter_map(|name| cookies.set(name, "", Keep::Delete).ok())
        .fold(response, |response, cookie| response.with(header::SET_COOKIE, cookie))
}
