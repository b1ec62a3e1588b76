//! A login between the password that was right and the second factor: asked for, guessed at, over.
//!
//! What the browser holds meanwhile is an opaque token, in the body and as a cookie. It names a pending login and nothing else: no endpoint takes
//! it for a session.

use crate::{
    identity::{
        Identity,
        counters::LoginResult,
        guarding::Admitted,
        signing_in::{Notice, Opening, Proved, notice},
    },
    web::{
        Answer, Call,
        cookie::{self, Keep},
    },
};
use crypto::{codes, link};
use domain::{
    identity::{
        Account, Addressee, Email, Letter, Proof,
        device::Reason,
        letter::Occasion,
        one_time::{Kind as OneTime, State},
        second_factor::{GUESSES, MailCodes, Mailed, Method, Pending, RESEND_AFTER, challenge_expired},
    },
    shared::{Detail, Fault, Kind, UserId, timestamp},
};
use http::{HeaderValue, header};
use jiff::Timestamp;
use secrecy::{ExposeSecret, SecretString};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::future::Future;
use storage::identity::{
    Source, guesses,
    one_time::{self, Hash, NewOneTime, Seen, Taken},
    second_factor::{Ask, Finish, Finished, Guess, RightCode},
};
use uuid::Uuid;

/// What is asked for, and what else is known of the login.
pub(super) struct Asked {
    pub(super) method: Method,
    pub(super) remember: bool,
    pub(super) reasons: Vec<Reason>,
    pub(super) rehashed: Option<(String, String)>,
    pub(super) forgiven: Option<guesses::Key>,
    pub(super) known_browser: Option<Hash>,
}

/// What is sent to finish a login.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase", expecting = "an object")]
pub(super) struct CodeBody {
    code: Option<String>,
    login_token: Option<String>,
}

impl CodeBody {
    /// The code and the token; 400 without a code.
    pub(super) fn read(self) -> Result<(String, Option<String>), Fault> {
        let code = self.code.ok_or_else(|| Fault::required("code", "Send the code"))?;
        Ok((code, self.login_token))
    }
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Body {
    two_factor_required: bool,
    method: Method,
    methods: &'static [&'static str],
    login_token: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    email_hint: Option<String>,
    #[serde(serialize_with = "timestamp::serialize")]
    expires_at: Timestamp,
    #[serde(skip_serializing_if = "Option::is_none")]
    resend_after: Option<u64>,
}

impl Identity {
    /// When codes are mailed: never as long as no mail is.
    pub(super) fn mail_codes(&self) -> MailCodes {
        if self.post.is_on() { self.settings.mail_codes } else { MailCodes::Off }
    }
}

/// Asks for it. `None` when the account was deleted since its password was compared.
pub(super) async fn ask(identity: &Identity, call: &Call, account: &Account, asked: Asked) -> Result<Option<Answer>, Fault> {
    let (id, at) = (identity.entropy.uuid(), identity.clock.now());
    let (token, hash) = link::generate(identity.entropy.as_ref());
    // Who is asked for an app may never show its code, and the owner is to know that somebody has the password. A mailed code says so itself.
    let told = asked.method == Method::Totp && !asked.reasons.is_empty();
    let (mailed, letter) = match asked.method {
        Method::Totp if told => (None, notice(identity, call, account, Occasion::SignIn)?),
        Method::Totp => (None, None),
        Method::Email => {
            identity.limits.login_code_to(account.id, asked.known_browser.as_ref())?;
            let (hash, letter) = new_code(identity, id);
            (Some(Mailed { hash, at, before: 0 }), identity.post.letter(&Addressee::from(account), letter)?)
        }
    };
    let pending = Pending { method: asked.method, remember: asked.remember, token_version: account.token_version, told, mailed };
    let row = NewOneTime {
        payload: payload(&pending)?,
        attempts: Some(GUESSES),
        ..NewOneTime::of(OneTime::PendingLogin, account.id, hash, id, at)
    };
    let is_mailed = asked.method == Method::Email;
    let body = Body {
        two_factor_required: true,
        method: asked.method,
        methods: asked.method.methods(),
        login_token: token.expose_secret().to_owned(),
        email_hint: is_mailed.then(|| hint(&account.email)),
        expires_at: row.expires_at(),
        resend_after: is_mailed.then_some(RESEND_AFTER.as_secs()),
    };
    let work = Ask {
        user: account.id,
        pending: row,
        letter,
        rehashed: asked.rehashed,
        reasons: asked.reasons,
        forgiven: asked.forgiven,
        source: Source { at, ..identity.source(call) },
    };
    if !identity.store.run(&work).await? {
        return Ok(None);
    }
    identity.counters.login("password", LoginResult::Asked);

    Ok(Some(Answer::ok(&body)?.with(header::SET_COOKIE, pending_cookie(identity, &body.login_token)?)))
}

/// The cookie of a pending login whose time begins now.
pub(super) fn pending_cookie(identity: &Identity, token: &str) -> Result<HeaderValue, Fault> {
    let cookies = identity.sessions.cookies();
    cookies.set(cookies.login_pending(), token, Keep::For(OneTime::PendingLogin.lives_for()))
}

/// A pending login as it is stored.
pub(super) fn payload(pending: &Pending) -> Result<Value, Fault> {
    serde_json::to_value(pending).map_err(|error| Fault::internal(format!("pending login: {error}")))
}

/// A new code for a pending login: what is stored of it, and the letter.
pub(super) fn new_code(identity: &Identity, pending: Uuid) -> (String, Letter) {
    let code = codes::login_code(identity.entropy.as_ref());
    let hash = mailed_hash(identity, pending, &code);
    (hash, Letter::LoginCode { code: code.expose_secret().to_owned() })
}

/// What is stored of a mailed code.
pub(super) fn mailed_hash(identity: &Identity, pending: Uuid, code: &SecretString) -> String {
    codes::hash_text(&identity.secrets.codes, &format!("login {pending}"), code)
}

/// What a person recognises of an address and a stranger does not learn: `a***@example.org`.
fn hint(email: &Email) -> String {
    let (local, domain) = email.as_str().split_once('@').unwrap_or_default();
    let first: String = local.chars().take(1).collect();
    format!("{first}***@{domain}")
}

/// A pending login as it was found.
pub(super) struct Found {
    /// Its row.
    pub(super) row: Taken,
    /// Whose.
    pub(super) user: UserId,
    /// What it waits for.
    pub(super) pending: Pending,
    /// What names it to the browser.
    pub(super) token: String,
    hash: Hash,
}

/// Finds the pending login of a request that waits for one method: by the token in its body, else by its cookie. 401 when there is none that
/// could still be finished, 429 when it has no guess left.
pub(super) async fn find(identity: &Identity, call: &Call, token: Option<&str>, method: Method) -> Result<Found, Fault> {
    let token = token.or_else(|| cookie::find(&call.headers, identity.sessions.cookies().login_pending()));
    let token = token.unwrap_or_default().to_owned();
    let hash = link::hash(&token).ok_or_else(challenge_expired)?;
    let connection = identity.store.read("one_time.find").await?;
    let seen = one_time::find(&connection, OneTime::PendingLogin, &hash).await?;
    let row = still_open(seen, identity.clock.now())?;
    let pending = read(&row)?;
    match row.user {
        Some(user) if pending.method == method => Ok(Found { row, user, pending, token, hash }),
        _ => Err(challenge_expired()),
    }
}

fn read(row: &Taken) -> Result<Pending, Fault> {
    serde_json::from_value(row.payload.clone()).map_err(|error| Fault::internal(format!("pending login: {error}")))
}

fn still_open(seen: Option<Seen>, now: Timestamp) -> Result<Taken, Fault> {
    let Some(seen) = seen else { return Err(challenge_expired()) };
    if seen.state(now) == State::Open {
        return Ok(seen.it);
    }
    if seen.used_at.is_none() && seen.it.attempts_left == Some(0) && seen.it.expires_at > now {
        let left = seen.it.expires_at.duration_since(now).unsigned_abs();
        return Err(Fault::new(Kind::TooMany, "rateLimited", "No guess is left; sign in again").retry(left));
    }
    Err(challenge_expired())
}

/// A guess that was paid for: one of the few of its pending login, and one of the account's.
pub(super) struct Guessed {
    /// The pending login.
    pub(super) found: Found,
    left: i32,
    admitted: Admitted,
}

/// Pays for a guess, before anybody looks at it. 429 when too many were wrong, whoever made them.
pub(super) async fn guess(identity: &Identity, call: &Call, found: Found) -> Result<Guessed, Fault> {
    let admitted = match found.pending.method {
        Method::Totp => identity.admit_code(call, found.user).await?,
        Method::Email => identity.admit_mailed_code(call, found.user).await?,
    };
    identity.or_take_back(admitted.key, attempt(identity, found, admitted)).await
}

async fn attempt(identity: &Identity, found: Found, admitted: Admitted) -> Result<Guessed, Fault> {
    let at = identity.clock.now();
    let Some(row) = identity.store.run(&Guess { hash: found.hash, at }).await? else {
        // Others guessed in between.
        let connection = identity.store.read("one_time.find").await?;
        let seen = one_time::find(&connection, OneTime::PendingLogin, &found.hash).await?;
        return Err(still_open(seen, at).err().unwrap_or_else(challenge_expired));
    };
    let left = row.attempts_left.unwrap_or_default();
    // Read again: another code may have been mailed in between.
    let pending = read(&row)?;
    Ok(Guessed { found: Found { row, pending, ..found }, left, admitted })
}

impl Guessed {
    /// Looks at the code. A failure is none of the guess.
    pub(super) async fn look<T>(&self, identity: &Identity, work: impl Future<Output = Result<T, Fault>>) -> Result<T, Fault> {
        identity.or_take_back(self.admitted.key, work).await
    }

    /// 401: the code is wrong, or was used before.
    pub(super) async fn wrong(self, identity: &Identity, call: &Call, method: &'static str) -> Result<Answer, Fault> {
        identity.limits.login_failed_from(call.arrival.ip);
        identity.counters.login(method, LoginResult::Failure);
        identity.refuse_sign_in(call, Some(self.found.user), "invalidCode", None).await?;
        let left = Detail::new("code", "attemptsLeft", self.left.to_string());
        Err(Fault::new(Kind::Unauthorized, "invalidCode", "The code is wrong, or was used before").about(vec![left]))
    }

    /// A session, if the code was not used before and the account is still the same.
    pub(super) async fn right(
        self,
        identity: &Identity,
        call: &Call,
        code: RightCode,
        method: &'static str,
    ) -> Result<Answer, Fault> {
        let Pending { remember, token_version, told, .. } = self.found.pending;
        let (proof, notice) = match code {
            RightCode::Mailed => (Proof::PasswordAndMailedCode, Notice::IfStrange),
            RightCode::Totp { .. } if told => (Proof::PasswordAndCode, Notice::Never),
            RightCode::Totp { .. } => (Proof::PasswordAndCode, Notice::IfStrange),
            RightCode::Backup(_) => (Proof::PasswordAndCode, Notice::Of(Occasion::BackupCodeSignIn)),
        };
        let proved = Proved {
            remember,
            // What is strange was noted when the password was right.
            seen: Some((self.admitted.seen, Vec::new())),
            notice,
            forgiven: self.admitted.key,
            ..Proved::of(self.found.user, token_version, proof)
        };
        let finished = async {
            let opening = Opening::of(identity, call, proved).await?;
            let finished = identity.store.run(&Finish { pending: self.found.row.id, code, sign_in: &opening.work }).await?;
            Ok((finished, opening))
        };
        // Too large for whoever awaits it to carry.
        let (finished, opening) = Box::pin(self.look(identity, finished)).await?;
        match finished {
            Finished::SignedIn { account, backup_codes_left } => {
                identity.counters.login(method, LoginResult::Success);
                let opened = opening.done(identity, *account)?;
                match backup_codes_left {
                    Some(backup_codes_remaining) => opened.answer_with(identity, Left { backup_codes_remaining }),
                    None => opened.answer(identity),
                }
            }
            Finished::WrongCode => self.wrong(identity, call, method).await,
        }
    }
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Left {
    backup_codes_remaining: i64,
}

#[cfg(test)]
mod tests {
    use super::hint;
    use domain::identity::Email;

    #[test]
    fn a_hint_shows_one_letter() {
        for (email, shown) in [("ann.bee@example.org", "a***@example.org"), ("x@b.example", "x***@b.example")] {
            assert_eq!(hint(&Email::parse(email).unwrap()), shown);
        }
    }
}
