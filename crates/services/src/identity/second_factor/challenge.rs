//! The challenge: what is required after a password that was right.

use super::{new_code, pending};
use crate::identity::{IdentityContext, RequestContext, counters::LoginResult, notices, session_start::record_suspicion};
use domain::{
    identity::{
        Account, Email, Recipient,
        device::SuspicionReason,
        mail::NoticeKind,
        one_time::Kind as OneTime,
        second_factor::{ATTEMPTS, Mailed, Method, Pending, RESEND_AFTER},
    },
    shared::Fault,
};
use futures_util::{join, try_join};
use jiff::Timestamp;
use secrecy::ExposeSecret;
use std::time::Duration;
use storage::{
    End,
    identity::{
        accounts,
        lockout::{self, Conclusion, PendingAttempt},
        mails,
        one_time::{self, Hash, NewOneTime},
        pending_logins,
    },
    transact_if,
};

/// What a challenge is created from.
pub struct ChallengeParams {
    /// The second factor that is required.
    pub method: Method,
    /// Whether the browser is to keep the session when it is closed.
    pub remember: bool,
    /// Why the sign-in is suspicious; empty when it is not.
    pub reasons: Vec<SuspicionReason>,
    /// The old and the new hash of the password, when the costs of hashing have changed.
    pub rehashed: Option<(String, String)>,
    /// The attempt at the password, which succeeded.
    pub pending_attempt: Option<PendingAttempt>,
    /// The hash of the device cookie, if the account knows the browser by it.
    pub known_browser: Option<Hash>,
}

/// A second factor that is required to finish a login.
#[derive(Debug)]
pub struct Challenge {
    pub method: Method,
    /// The token that names the pending login.
    pub login_token: String,
    /// Where the code was mailed to, as `a***@example.org`; `None` when none was mailed.
    pub email_hint: Option<String>,
    /// When the pending login expires.
    pub expires_at: Timestamp,
    /// How long to wait before another code can be mailed; `None` when none was mailed.
    pub resend_after: Option<Duration>,
}

/// Creates a challenge. A code that is mailed voids those of earlier logins, so that a stranger who has learned the password cannot collect chances to guess one.
/// `None` when the account was deleted since its password was compared.
pub(in crate::identity) async fn challenge(
    ctx: &IdentityContext,
    request: &RequestContext,
    account: &Account,
    params: ChallengeParams,
) -> Result<Option<Challenge>, Fault> {
    let ChallengeParams { method, remember, reasons, rehashed, pending_attempt, known_browser } = params;
    let (id, at) = (ctx.entropy.uuid(), request.at());
    let (token, hash) = crypto::opaque_token::generate(ctx.entropy.as_ref());
    // A stranger who has learned the password may never show a code of the app, so the owner is told now. A mailed code tells by itself.
    let is_notified = method == Method::Totp && !reasons.is_empty();
    let (mailed, mail) = match method {
        Method::Totp if is_notified => (None, notices::compose(ctx, request, account, NoticeKind::SignIn)?),
        Method::Totp => (None, None),
        Method::Email => {
            ctx.limits.login_code_to(&ctx.store, account.id, known_browser.as_ref()).await?;
            let (hash, content) = new_code(ctx, id);
            (Some(Mailed { hash, at, before: 0 }), ctx.mail_queue.compose(&Recipient::from(account), content)?)
        }
    };
    let pending = Pending { method, remember, token_version: account.token_version, is_notified, mailed };
    let row = NewOneTime {
        payload: pending::payload(&pending)?,
        attempts: Some(ATTEMPTS),
        ..NewOneTime::of(OneTime::PendingLogin, account.id, hash, id, at)
    };
    let is_mailed = method == Method::Email;
    let challenge = Challenge {
        method,
        login_token: token.expose_secret().to_owned(),
        email_hint: is_mailed.then(|| hint(&account.email)),
        expires_at: row.expires_at(),
        resend_after: is_mailed.then_some(RESEND_AFTER),
    };
    let (row, mail, reasons, rehashed) = (&row, &mail, &reasons, &rehashed);
    let is_there = transact_if!(ctx, "second_factor.challenge", async |tx| {
        let rehash = async {
            match rehashed {
                Some((old, new)) => accounts::replace_hash(tx, account.id, old, new).await,
                None => Ok(()),
            }
        };
        let writes = async {
            try_join!(
                async {
                    let voids = is_mailed.then(|| pending_logins::expire_mailed_codes(tx, account.id, Some(row.id), at));
                    match voids {
                        Some(voids) => voids.await.map(|_| ()),
                        None => Ok(()),
                    }
                },
                one_time::add(tx, row),
                rehash,
                lockout::conclude(tx, pending_attempt.map(Conclusion::Succeeded)),
                record_suspicion(tx, reasons, request.source.attempt(Some(account.id))),
                mails::add_if(tx, mail.as_ref()),
            )
        };
        // All statements travel together, the lock first. Without an account the others say that their rows belong to nothing.
        let (is_there, writes) = join!(accounts::lock_row(tx, account.id), writes);
        if !is_there? {
            return Ok(End::RollBack(false));
        }
        writes.map(|_| End::Commit(true))
    })
    .await?;
    if !is_there {
        return Ok(None);
    }
    ctx.counters.login("password", LoginResult::SecondFactorRequired);
    Ok(Some(challenge))
}

/// An address as its owner recognises it and a stranger does not learn it: `a***@example.org`.
pub(super) fn hint(email: &Email) -> String {
    let (local, domain) = email.as_str().split_once('@').unwrap_or_default();
    let first: String = local.chars().take(1).collect();
    format!("{first}***@{domain}")
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
