//! The transaction that starts a session, and ends the one that the same browser held.

use super::{LoginAttempt, StartedSession};
use crate::identity::session_end;
use domain::{
    identity::{Account, device::SuspicionReason},
    shared::SessionId,
};
use futures_util::{join, try_join};
use jiff::Timestamp;
use serde_json::json;
use storage::{
    End, Result, Store, Tx,
    identity::{
        Attempt, AuditOutcome, AuditSource, NewMail,
        accounts::{self, SignInRecord},
        audit,
        known_devices::{self, Device},
        lockout::{self, Conclusion},
        mails,
        one_time::Hash,
        pending_logins,
        sessions::{self, NewSession, SessionTimes},
    },
    transact_if,
};

/// A session that is not written yet. Its transaction writes what a sign-in leaves: the end of the browser's
/// former session, the device, the reset of the lockout, the audit entries, a mail.
pub struct PreparedSession {
    pub attempt: LoginAttempt,
    pub session: SessionId,
    /// When the session ends at the latest.
    pub expires_at: Timestamp,
    /// The token of the device cookie that the browser has from now on.
    pub device_token: String,
    pub device_hash: Hash,
    /// The browser as it came.
    pub device: Device,
    /// Whether the browser is a new one.
    pub is_new_device: bool,
    /// The mail to the owner.
    pub mail: Option<NewMail>,
    /// The session that the browser held so far, of whatever account.
    pub former_session: Option<SessionId>,
    /// Where the request came from.
    pub source: AuditSource,
}

impl PreparedSession {
    /// Writes it in a transaction of its own. Returns the account as it is now; `None` when it is no longer
    /// what it was when its owner authenticated: it has another password or second factor, or it is suspended
    /// or gone.
    pub async fn run(&self, store: &Store) -> Result<Option<Account>> {
        transact_if!(store, "account.sign_in", async |tx| {
            // All statements travel together, the lock first: the others see whatever the lock has waited
            // for. (On a new connection, where statements are prepared first, they may overtake the lock; at
            // worst two transactions then wait for each other, and one is run again.) Together the futures
            // are too large for the stack of the caller.
            let writes = async { try_join!(self.lock(tx), self.write(tx)) };
            let account = Box::pin(writes).await?.1;
            Ok(if account.is_some() { End::Commit(account) } else { End::RollBack(None) })
        })
        .await
    }

    async fn lock(&self, tx: &Tx<'_>) -> Result<()> {
        accounts::lock_row(tx, self.attempt.user).await.map(|_| ())
    }

    /// Writes everything, for a caller that has locked the account or locks it in the same round trip before.
    /// `None` when the account has changed: then the caller rolls back.
    pub(in crate::identity) async fn write(&self, tx: &Tx<'_>) -> Result<Option<Account>> {
        let (at, login) = (self.source.at, &self.attempt);
        let LoginAttempt { user, token_version, .. } = *login;
        let record = SignInRecord {
            user,
            token_version,
            rehashed: login.rehashed.as_ref().map(|(old, new)| (old.as_str(), new.as_str())),
            passes_totp: login.method.passes_totp(),
            at,
        };
        let session = NewSession {
            id: self.session,
            user,
            token_version,
            ip: self.source.origin.ip,
            user_agent: self.source.user_agent.as_deref(),
            amr: login.method.methods(),
            is_remembered: login.remember,
            at,
            expires_at: self.expires_at,
        };
        let attempt = self.source.attempt(Some(user));
        let new_device = async {
            if self.is_new_device {
                audit::record(tx, audit::Event::AuthLoginNewDevice, AuditOutcome::Success, attempt).await?;
            }
            Ok(())
        };
        let others = async {
            try_join!(
                // A login that waits for a mailed code began earlier, and may be a stranger's.
                pending_logins::expire_mailed_codes(tx, user, None, at),
                sessions::insert(tx, session),
                self.end_former_session(tx),
                known_devices::remember(tx, user, &self.device_hash, &self.device, at),
                known_devices::forget_surplus(tx, user),
                lockout::conclude(tx, login.pending_attempt.map(Conclusion::Succeeded)),
                audit::record(tx, audit::Event::AuthLoginSuccess, AuditOutcome::Success, attempt),
                new_device,
                record_suspicion(tx, &login.reasons, attempt),
                mails::add_if(tx, self.mail.as_ref()),
            )
        };
        // `join!` and not `try_join!`: of an account that is gone, the others say that their rows belong to
        // nothing.
        match join!(accounts::record_sign_in(tx, record), others) {
            (Ok(None), _) => Ok(None),
            (recorded, others) => {
                others?;
                recorded
            }
        }
    }

    /// The cookie of the former session is replaced by that of the new one, so no request could end it any
    /// more. It may belong to another account.
    async fn end_former_session(&self, tx: &Tx<'_>) -> Result<()> {
        let Some(former) = self.former_session else { return Ok(()) };
        match session_end::end_session(tx, former, self.source.at).await? {
            Some(owner) => {
                audit::record(tx, audit::Event::AuthLogout, AuditOutcome::Success, self.source.attempt(Some(owner))).await
            }
            None => Ok(()),
        }
    }

    /// The session, once its transaction was committed and returned the account.
    pub(in crate::identity) fn started(self, account: Account) -> StartedSession {
        let Self { attempt, session, expires_at, device_token, source, .. } = self;
        let LoginAttempt { token_version, remember: is_remembered, .. } = attempt;
        let times = SessionTimes { token_version, auth_at: source.at, created_at: source.at, expires_at, is_remembered };
        StartedSession { account, session, times, device_token }
    }
}

/// Records why a sign-in is suspicious, if it is.
pub(in crate::identity) async fn record_suspicion(tx: &Tx<'_>, reasons: &[SuspicionReason], attempt: Attempt<'_>) -> Result<()> {
    if reasons.is_empty() {
        return Ok(());
    }
    let reasons: Vec<&str> = reasons.iter().map(<&str>::from).collect();
    audit::record_with(tx, audit::Event::AuthLoginSuspicious, &json!({ "reasons": reasons }), attempt).await
}
