//! A session for who was proved, however that was done; and a new cookie for a session that outlives the others of its account.

use super::{Identity, browser::Browser, profile::Profile};
use crate::web::{
    ApiRequest, ApiResponse, SignedIn,
    cookie::Keep,
    csrf::Binding,
    session::{NOT_REMEMBERED, REMEMBERED},
};
use crypto::{link, session::Claims};
use domain::{
    identity::{
        Account, MailContent, Proof, Recipient,
        device::{self, Reason, Recognition},
        mail::NoticeKind,
    },
    shared::{Fault, SessionId, UserId},
};
use http::{HeaderValue, header};
use jiff::Timestamp;
use secrecy::ExposeSecret;
use serde::Serialize;
use storage::identity::{
    NewMail, Source, accounts, guesses,
    known_devices::KNOWN_FOR,
    sessions::{Kept, Spared},
    sign_in::{SignIn, Told, unless_changed},
};

/// An account whose owner was proved.
pub struct Proved {
    /// Which.
    pub user: UserId,
    /// Its `token_version` when that was done. What ends sessions ends this as well.
    pub token_version: i32,
    /// How it was done.
    pub proof: Proof,
    /// The hash that the password was compared with and one to take its place, when the costs have changed.
    pub rehashed: Option<(String, String)>,
    /// Whether the browser is to hold the session when it is closed.
    pub remember: bool,
    /// What was found out about the browser before, and why the sign-in is strange if that is still to be noted.
    pub seen: Option<(Recognition, Vec<Reason>)>,
    /// Whether the owner is written to.
    pub notice: Notice,
    /// Whose failures are forgiven.
    pub forgiven: Option<guesses::Key>,
}

impl Proved {
    /// A session of an account that was proved just so, held by a browser that was not told to forget it.
    pub fn of(user: UserId, token_version: i32, proof: Proof) -> Self {
        let notice = Notice::IfStrange;
        Self { user, token_version, proof, rehashed: None, remember: true, seen: None, notice, forgiven: None }
    }
}

/// When the owner of an account is written to about a sign-in.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Notice {
    /// When the browser is a new one, or something else is strange.
    IfStrange,
    /// In any case, and of this.
    Of(NoticeKind),
    /// Not again.
    Never,
}

/// A session that is not written yet. `work` can run alone, or within the transaction of another one.
pub struct Opening {
    /// Writes it.
    pub work: SignIn,
    remember: bool,
    browser_token: String,
}

/// A session that is written, and what its browser has to be told.
pub struct Opened {
    body: Body,
    cookies: Vec<HeaderValue>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Body {
    user: Profile,
    csrf_token: String,
}

/// The body with more members.
#[derive(Serialize)]
struct With<T> {
    #[serde(flatten)]
    body: Body,
    #[serde(flatten)]
    more: T,
}

/// Opens a session. `None` when the account changed since its owner was proved: its password, or that it is suspended.
pub async fn open(identity: &Identity, request: &ApiRequest, proved: Proved) -> Result<Option<Opened>, Fault> {
    let opening = Opening::of(identity, request, proved).await?;
    let account = unless_changed(identity.ctx.store.transact(&opening.work).await)?;
    account.map(|account| opening.done(identity, account)).transpose()
}

impl Opening {
    /// Prepares it. Its id was never used before, whatever the browser sent.
    pub async fn of(identity: &Identity, request: &ApiRequest, proved: Proved) -> Result<Self, Fault> {
        let at = identity.ctx.clock.now();
        let lives_for = if proved.remember { REMEMBERED } else { NOT_REMEMBERED };
        let expires_at = at.checked_add(lives_for).map_err(|error| Fault::internal(format!("session expiry: {error}")))?;
        let browser = Browser::of(identity, request);
        let (recognition, reasons) = if let Some(seen) = proved.seen {
            seen
        } else {
            let recognition = browser.recognised_by(identity, proved.user).await?;
            (recognition, recognition.reasons(false))
        };
        let is_new_device = recognition.is_new_device();
        let kind = match proved.notice {
            Notice::IfStrange => (is_new_device || !reasons.is_empty()).then_some(NoticeKind::SignIn),
            Notice::Of(kind) => Some(kind),
            Notice::Never => None,
        };
        let letter = match kind {
            Some(kind) => notice_to(identity, request, proved.user, kind).await?,
            None => None,
        };
        // A token that another account, or nobody, gave this browser is not taken over: somebody may have planted it.
        let known = browser.token.filter(|_| recognition.by_cookie).zip(browser.device.hash);
        let (browser_token, cookie) = known.unwrap_or_else(|| {
            let (token, hash) = link::generate(identity.ctx.entropy.as_ref());
            (token.expose_secret().to_owned(), hash)
        });
        let work = SignIn {
            user: proved.user,
            token_version: proved.token_version,
            proof: proved.proof,
            rehashed: proved.rehashed,
            session: SessionId(identity.ctx.entropy.uuid()),
            expires_at,
            cookie,
            device: browser.device,
            told: Told { reasons, is_new_device, letter },
            forgiven: proved.forgiven,
            source: Source { at, ..identity.source(request) },
        };
        Ok(Self { work, remember: proved.remember, browser_token })
    }

    /// After the transaction: the account as it answered it.
    pub fn done(self, identity: &Identity, account: Account) -> Result<Opened, Fault> {
        let sessions = &identity.sessions;
        let SignIn { session, token_version, expires_at, source: Source { at, .. }, .. } = self.work;
        let keep = if self.remember { Keep::For(REMEMBERED) } else { Keep::Session };
        let row = Kept { token_version, auth_at: at, created_at: at, expires_at };
        let claims = claims(account.id, session, row, at);
        let session_cookie = sessions.cookie(claims, keep)?;
        let (csrf_token, csrf_cookie) = sessions.csrf().issue(&Binding::Session(session), identity.ctx.entropy.as_ref())?;
        let known_for = Keep::For(KNOWN_FOR.unsigned_abs());
        let device_cookie = sessions.cookies().set(sessions.cookies().device(), &self.browser_token, known_for)?;
        let user = Profile::of(account, &identity.ctx.settings.locales);
        Ok(Opened { body: Body { user, csrf_token }, cookies: vec![session_cookie, csrf_cookie, device_cookie] })
    }
}

impl Opened {
    /// The profile and the cookies. What held before the session does not hold any more.
    pub fn answer(self, identity: &Identity) -> Result<ApiResponse, Fault> {
        Ok(give(ApiResponse::ok(&self.body)?, self.cookies, identity))
    }

    /// The same with more members in the body.
    pub fn answer_with(self, identity: &Identity, more: impl Serialize) -> Result<ApiResponse, Fault> {
        Ok(give(ApiResponse::ok(&With { body: self.body, more })?, self.cookies, identity))
    }
}

/// The mail that tells the owner of an account what happens to it just now; `None` while mail is off.
pub(super) async fn notice_to(
    identity: &Identity,
    request: &ApiRequest,
    user: UserId,
    kind: NoticeKind,
) -> Result<Option<NewMail>, Fault> {
    if !identity.ctx.mail_queue.is_on() {
        return Ok(None);
    }
    let connection = identity.ctx.store.connection("account.find").await?;
    let Some(account) = accounts::find(&connection, user).await? else { return Ok(None) };
    notice(identity, request, &account, kind)
}

/// The same for an account that was read.
pub(super) fn notice(
    identity: &Identity,
    request: &ApiRequest,
    account: &Account,
    kind: NoticeKind,
) -> Result<Option<NewMail>, Fault> {
    let content = MailContent::NewLogin {
        notice: kind,
        at: identity.ctx.clock.now(),
        ip: Some(request.meta.ip),
        device: device::browser(request.header(header::USER_AGENT)),
        sessions_link: identity.ctx.mail_queue.url("/account/sessions"),
        reset_link: identity.ctx.mail_queue.url("/forgot-password"),
    };
    identity.ctx.mail_queue.compose(&Recipient::from(account), content)
}

fn give(answer: ApiResponse, cookies: Vec<HeaderValue>, identity: &Identity) -> ApiResponse {
    let answer = cookies.into_iter().fold(answer, |answer, cookie| answer.with(header::SET_COOKIE, cookie));
    identity.sessions.clear_pre_session(answer)
}

/// What is spared when who is signed in ends everything else of the account.
pub fn spared(identity: &Identity, request: &ApiRequest, signed_in: SignedIn) -> Spared {
    Spared { session: signed_in.session, browser: Browser::of(identity, request).device.hash }
}

/// Adds the new cookie of a session that outlived the others of its account; see [`storage::identity::sessions::end_others`]. The session
/// is the same one: its CSRF token holds.
pub fn renew(identity: &Identity, signed_in: SignedIn, kept: Kept, answer: ApiResponse) -> Result<ApiResponse, Fault> {
    let now = identity.ctx.clock.now();
    let claims = claims(signed_in.user, signed_in.session, kept, now);
    // Which of the two it was is told by its length.
    let was_remembered = kept.expires_at.duration_since(kept.created_at).unsigned_abs() > NOT_REMEMBERED;
    let left = kept.expires_at.duration_since(now);
    let keep = if was_remembered { Keep::For(left.try_into().unwrap_or_default()) } else { Keep::Session };
    Ok(answer.with(header::SET_COOKIE, identity.sessions.cookie(claims, keep)?))
}

fn claims(user: UserId, session: SessionId, row: Kept, now: Timestamp) -> Claims {
    Claims {
        sub: user,
        sid: session,
        tv: row.token_version,
        auth_time: row.auth_at.as_second(),
        iat: now.as_second(),
        exp: row.expires_at.as_second(),
    }
}
