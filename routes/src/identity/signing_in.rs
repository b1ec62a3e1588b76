//! A session for who was proved, however that was done; and a new cookie for a session that outlives the others of its account.

use super::{Identity, profile::Profile, user_agent};
use crate::web::{
    Answer, Call, SignedIn,
    cookie::Keep,
    csrf::Binding,
    session::{NOT_REMEMBERED, REMEMBERED},
};
use crypto::session::Claims;
use domain::{
    identity::{Account, Proof},
    shared::{Fault, SessionId, UserId},
};
use http::{HeaderValue, header};
use jiff::Timestamp;
use serde::Serialize;
use storage::identity::{sessions::Kept, sign_in::SignIn};

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
}

/// A session that is not written yet. `work` can run alone, or within the transaction of another one.
pub struct Opening {
    /// Writes it.
    pub work: SignIn,
    remember: bool,
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
pub async fn open(identity: &Identity, call: &Call, proved: Proved) -> Result<Option<Opened>, Fault> {
    let opening = Opening::of(identity, call, proved)?;
    let account = identity.store.run(&opening.work).await?;
    account.map(|account| opening.done(identity, account)).transpose()
}

impl Opening {
    /// Prepares it. Its id was never used before, whatever the browser sent.
    pub fn of(identity: &Identity, call: &Call, proved: Proved) -> Result<Self, Fault> {
        let at = identity.clock.now();
        let lives_for = if proved.remember { REMEMBERED } else { NOT_REMEMBERED };
        let expires_at = at.checked_add(lives_for).map_err(|error| Fault::internal(format!("session expiry: {error}")))?;
        let work = SignIn {
            user: proved.user,
            token_version: proved.token_version,
            proof: proved.proof,
            rehashed: proved.rehashed,
            session: SessionId(identity.entropy.uuid()),
            expires_at,
            origin: call.origin(),
            user_agent: user_agent(call),
            at,
        };
        Ok(Self { work, remember: proved.remember })
    }

    /// After the transaction: the account as it answered it.
    pub fn done(self, identity: &Identity, account: Account) -> Result<Opened, Fault> {
        let sessions = &identity.sessions;
        let SignIn { session, token_version, at, expires_at, .. } = self.work;
        let keep = if self.remember { Keep::For(REMEMBERED) } else { Keep::Session };
        let row = Kept { token_version, auth_at: at, created_at: at, expires_at };
        let claims = claims(account.id, session, row, at);
        let session_cookie = sessions.cookie(claims, keep)?;
        let (csrf_token, csrf_cookie) = sessions.csrf().issue(&Binding::Session(session), identity.entropy.as_ref())?;
        let user = Profile::of(account, &identity.settings.locales);
        Ok(Opened { body: Body { user, csrf_token }, cookies: vec![session_cookie, csrf_cookie] })
    }
}

impl Opened {
    /// The profile and the cookies. What held before the session does not hold any more.
    pub fn answer(self, identity: &Identity) -> Result<Answer, Fault> {
        Ok(give(Answer::ok(&self.body)?, self.cookies, identity))
    }

    /// The same with more members in the body.
    pub fn answer_with(self, identity: &Identity, more: impl Serialize) -> Result<Answer, Fault> {
        Ok(give(Answer::ok(&With { body: self.body, more })?, self.cookies, identity))
    }
}

fn give(answer: Answer, cookies: Vec<HeaderValue>, identity: &Identity) -> Answer {
    let answer = cookies.into_iter().fold(answer, |answer, cookie| answer.with(header::SET_COOKIE, cookie));
    identity.sessions.forget_pre_session(answer)
}

/// Adds the new cookie of a session that outlived the others of its account; see [`storage::identity::sessions::end_others`]. The session
/// is the same one: its CSRF token holds.
pub fn renew(identity: &Identity, signed_in: SignedIn, kept: Kept, answer: Answer) -> Result<Answer, Fault> {
    let now = identity.clock.now();
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
