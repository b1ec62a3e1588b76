//! The challenge: what is required after a password that was right, and mailing another code for it. The code
//! before it is void; the attempts stay as few.

use super::{
    Unfinished, new_code,
    pending::{self, hint},
};
use crate::identity::{
    IdentityContext, RequestContext,
    counters::LoginResult,
    notices,
    session_start::{LoginAttempt, record_suspicion},
};
use domain::{
    identity::{
        Account, Recipient,
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
        lockout::{self, Conclusion},
        mails,
        one_time::{self, NewOneTime},
        pending_logins,
    },
    transact, transact_if,
};

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

/// Creates a challenge. A code that is mailed voids those of earlier logins, so that a stranger who has
/// learned the password cannot collect chances to guess one. `None` when the account was deleted since its
/// password was compared. The attempt is that of the password, which was right.
pub(in crate::identity) async fn challenge(
    ctx: &IdentityContext,
    request: &RequestContext,
    account: &Account,
    (method, attempt): (Method, &LoginAttempt),
) -> Result<Option<Challenge>, Fault> {
    let (id, at) = (ctx.entropy.uuid(), request.at());
    let (token, hash) = crypto::opaque_token::generate(ctx.entropy.as_ref());
    // A stranger who has learned the password may never show a code of the app, so the owner is told now. A
    // mailed code tells by itself.
    let is_notified = method == Method::Totp && !attempt.reasons.is_empty();
    let (mailed, mail) = match method {
        Method::Totp if is_notified => (None, notices::compose(ctx, request, account, NoticeKind::SignIn)?),
        Method::Totp => (None, None),
        Method::Email => {
            let known_browser = attempt.recognition.and_then(|recognition| request.known_browser(recognition));
            ctx.limits.login_code_to(&ctx.store, account.id, known_browser).await?;
            let (hash, content) = new_code(ctx, id);
            (Some(Mailed { hash, at, before: 0 }), ctx.mail_queue.compose(&Recipient::from(account), content)?)
        }
    };
    let LoginAttempt { remember, token_version, .. } = *attempt;
    let pending = Pending { method, remember, token_version, is_notified, mailed };
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
    let (row, mail) = (&row, &mail);
    let is_there = transact_if!(ctx, "second_factor.challenge", async |tx| {
        let rehash = async {
            match &attempt.rehashed {
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
                lockout::conclude(tx, attempt.pending_attempt.map(Conclusion::Succeeded)),
                record_suspicion(tx, &attempt.reasons, request.source.attempt(Some(account.id))),
                mails::add_if(tx, mail.as_ref()),
            )
        };
        // All statements travel together, the lock first. Without an account the others say that their rows
        // belong to nothing.
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

/// Mails another code, and starts the time of the pending login anew. Answers how long to wait before another
/// one can be mailed; `None` when the login cannot be finished any more. 429 when that is too soon or once
/// too often.
pub async fn resend(ctx: &IdentityContext, request: &RequestContext, login_token: &str) -> Result<Option<Duration>, Fault> {
    let login = match pending::find(ctx, request, login_token, Method::Email).await {
        Ok(login) => login,
        Err(Unfinished::Over) => return Ok(None),
        Err(Unfinished::Fault(fault)) => return Err(fault),
    };
    let (login, at) = (&login, request.at());
    let (hash, content) = new_code(ctx, login.row.id);
    let pending = login.pending.resent(hash, at)?;
    ctx.limits.login_code_to(&ctx.store, login.user, request.known_browser(login.recognition)).await?;
    let connection = ctx.store.connection("account.find").await?;
    let Some(account) = accounts::find(&connection, login.user).await? else { return Ok(None) };
    drop(connection);
    let mail = &ctx.mail_queue.compose(&Recipient::from(&account), content)?;
    let payload = &pending::payload(&pending)?;
    let is_resent = transact!(ctx, "second_factor.resend", async |tx| {
        // The new code is to live as long as the first one did.
        if !one_time::renew(tx, OneTime::PendingLogin, &login.row, payload, at).await? {
            return Ok(false);
        }
        mails::add_if(tx, mail.as_ref()).await?;
        Ok(true)
    })
    .await?;
    if !is_resent {
        return Err(Fault::too_many(RESEND_AFTER));
    }
    Ok(Some(RESEND_AFTER))
}
