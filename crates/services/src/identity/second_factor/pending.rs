//! The pending login: the row that waits for its second factor.

use super::Unfinished;
use crate::identity::{IdentityContext, RequestContext, lockout::BUSY, secrets::AttemptTarget};
use domain::{
    identity::{
        Email,
        device::Recognition,
        one_time::{Kind as OneTime, State},
        second_factor::{Method, Pending},
    },
    shared::{Code, Fault, UserId},
};
use futures_util::future;
use jiff::Timestamp;
use serde_json::Value;
use std::time::Duration;
use storage::identity::{
    accounts, lockout,
    one_time::{self, Hash, OneTimeToken, StoredToken},
    pending_logins,
};

/// A pending login that can still be finished.
pub(super) struct PendingLogin {
    pub(super) row: OneTimeToken,
    pub(super) user: UserId,
    /// What it waits for.
    pub(super) pending: Pending,
    /// The hash of its token.
    pub(super) hash: Hash,
    /// What the account knows of the browser.
    pub(super) recognition: Recognition,
    /// The sealed secret of the account's authenticator app.
    pub(super) totp_secret: Option<Vec<u8>>,
}

/// Finds the pending login of a token that waits for one method, and counts that the address tries one. 429
/// when it has no attempt left or the address tries too many.
pub(super) async fn find(
    ctx: &IdentityContext,
    request: &RequestContext,
    login_token: &str,
    method: Method,
) -> Result<PendingLogin, Unfinished> {
    ctx.limits.peek_login_from(request.ip)?;
    let connection = ctx.store.connection("pending_login.find").await?;
    let hash = crypto::opaque_token::hash(login_token);
    let found = async {
        match &hash {
            Some(hash) => Ok(pending_logins::find(&connection, hash, &request.device, request.at()).await?),
            None => Ok::<_, Fault>(None),
        }
    };
    // Both are awaited: a connection with an answer that nothing waits for is not used again.
    let (counted, found) = future::join(ctx.limits.login_from(&connection, request.ip), found).await;
    counted?;
    let (hash, found) = hash.zip(found?).ok_or(Unfinished::Over)?;
    let now = ctx.clock.now();
    if let Some(user) = found.stored.token.user.filter(|_| is_exhausted(&found.stored, now)) {
        // One of the attempts that are being checked may be right, so the login is not over yet.
        let key = ctx.secrets.lockout_key(target(method, user), request.known_browser(found.recognition));
        if lockout::are_under_way(&connection, &key, now).await? {
            return Err(Fault::too_many(BUSY).into());
        }
    }
    drop(connection);
    let row = still_open(found.stored, now)?;
    let pending = read(&row)?;
    match row.user {
        Some(user) if pending.method == method => {
            Ok(PendingLogin { row, user, pending, hash, recognition: found.recognition, totp_secret: found.totp_secret })
        }
        _ => Err(Unfinished::Over),
    }
}

/// What a pending login waits for, as the page that asks for it shows it.
#[derive(Debug, Clone)]
pub struct PendingFactor {
    pub method: Method,
    /// The address of the account, as `a***@example.org`.
    pub email_hint: String,
    /// How long to wait before another code can be mailed; `None` when none can.
    pub resend_after: Option<Duration>,
}

/// What the pending login of a token waits for; `None` when there is none that can still be finished.
pub async fn pending_factor(ctx: &IdentityContext, login_token: &str) -> Result<Option<PendingFactor>, Fault> {
    let Some(hash) = crypto::opaque_token::hash(login_token) else { return Ok(None) };
    let connection = ctx.store.connection("pending_login.show").await?;
    let now = ctx.clock.now();
    let Some(stored) = one_time::find(&connection, OneTime::PendingLogin, &hash).await? else { return Ok(None) };
    if stored.used_at.is_some() || stored.token.expires_at <= now {
        return Ok(None);
    }
    let Some(user) = stored.token.user else { return Ok(None) };
    let Some(account) = accounts::find(&connection, user).await? else { return Ok(None) };
    let pending = read(&stored.token)?;
    Ok(Some(PendingFactor { method: pending.method, email_hint: hint(&account.email), resend_after: pending.resend_after(now) }))
}

/// What is stored of a pending login.
pub(super) fn payload(pending: &Pending) -> Result<Value, Fault> {
    serde_json::to_value(pending).map_err(|error| Fault::internal(format!("pending login: {error}")))
}

/// A pending login as it was stored.
pub(super) fn read(row: &OneTimeToken) -> Result<Pending, Fault> {
    serde_json::from_value(row.payload.clone()).map_err(|error| Fault::internal(format!("pending login: {error}")))
}

/// The row, if a code can still finish it: 429 when it has no attempt left.
fn still_open(stored: StoredToken, now: Timestamp) -> Result<OneTimeToken, Unfinished> {
    if stored.state(now) == State::Usable {
        return Ok(stored.token);
    }
    if is_exhausted(&stored, now) {
        let left = stored.token.expires_at.duration_since(now).unsigned_abs();
        return Err(Fault::new(Code::RateLimited, "No guess is left; sign in again").retry(left).into());
    }
    Err(Unfinished::Over)
}

/// Whether it has no attempt left, and none was right so far.
pub(super) fn is_exhausted(stored: &StoredToken, now: Timestamp) -> bool {
    stored.used_at.is_none() && stored.token.attempts_left == Some(0) && stored.token.expires_at > now
}

/// What an attempt at a second factor is made at.
pub(super) fn target(method: Method, user: UserId) -> AttemptTarget<'static> {
    match method {
        Method::Totp => AttemptTarget::Code(user),
        Method::Email => AttemptTarget::MailedCode(user),
    }
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
