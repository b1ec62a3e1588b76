//! The transaction that finishes a login: the code and the pending login are consumed, and the session is
//! started.

use crate::identity::{IdentityContext, session_start::PreparedSession};
use domain::{
    identity::{Account, one_time::Kind as OneTime},
    shared::{Fault, UserId},
};
use futures_util::join;
use jiff::Timestamp;
use storage::{
    End, Result as StoreResult, Tx,
    identity::{
        AuditOutcome, accounts, audit,
        one_time::{self, Hash},
        totp,
    },
    transact_if,
};
use uuid::Uuid;

/// The audit event of a backup code that was used, for whatever.
pub(in crate::identity) const BACKUP_CODE_USED: audit::Event = audit::Event::AuthBackupCodeUsed;

/// A code that matches, as it is consumed.
#[derive(Debug, Clone)]
pub enum RightCode {
    /// The mailed code. It is consumed with the pending login.
    Mailed,
    /// A code of an authenticator app.
    Totp {
        /// The sealed secret that it was compared with.
        sealed: Vec<u8>,
        /// Its time step (RFC 6238, section 4).
        step: i64,
    },
    /// A backup code, by its hash. Whether it is right shows when it is consumed.
    Backup(Hash),
}

impl RightCode {
    /// Consumes the code. `false` when it was used before. The caller has locked the account, see
    /// [`accounts::lock_row`].
    pub(in crate::identity) async fn consume(&self, tx: &Tx<'_>, user: UserId, at: Timestamp) -> StoreResult<bool> {
        match self {
            Self::Mailed => Ok(true),
            Self::Totp { sealed, step } => totp::use_step(tx, user, sealed, *step).await,
            Self::Backup(hash) => {
                let consumed = one_time::consume(tx, OneTime::BackupCode, hash, at).await?;
                Ok(consumed.is_some_and(|consumed| consumed.user == Some(user)))
            }
        }
    }
}

/// Why there is no session.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum NotFinished {
    /// The code was used before, or never was one.
    WrongCode,
    /// The pending login is over: another code was right before, or the account changed. The code is not
    /// consumed by that.
    Over,
}

/// Starts the session of a login whose second factor was right. Returns the account as it is now, and how
/// many backup codes are left, if one was used.
pub(super) async fn finish(
    ctx: &IdentityContext,
    pending: Uuid,
    code: &RightCode,
    start: &PreparedSession,
) -> Result<Result<(Account, Option<i64>), NotFinished>, Fault> {
    let (user, source) = (start.attempt.user, &start.source);
    transact_if!(ctx, "second_factor.finish", async |tx| {
        let (lock, code_use) = (accounts::lock_row(tx, user), code.consume(tx, user, source.at));
        let pending = one_time::consume_by_id(tx, pending, source.at);
        // All statements are sent together, the lock first. `join!` and not `try_join!`: dropping a statement
        // in flight would lose the connection, and a wrong backup code is an ordinary outcome here. The first
        // that refuses is the answer.
        let (lock, code_use, pending, account) = Box::pin(async { join!(lock, code_use, pending, start.write(tx)) }).await;
        if !lock? {
            return Ok(End::RollBack(Err(NotFinished::Over)));
        }
        if !code_use? {
            return Ok(End::RollBack(Err(NotFinished::WrongCode)));
        }
        if !pending? {
            return Ok(End::RollBack(Err(NotFinished::Over)));
        }
        let Some(account) = account? else { return Ok(End::RollBack(Err(NotFinished::Over))) };
        let backup_codes_left = match code {
            RightCode::Backup(_) => {
                audit::record(tx, BACKUP_CODE_USED, AuditOutcome::Success, source.attempt(Some(user))).await?;
                Some(one_time::count_open(tx, OneTime::BackupCode, user, source.at).await?)
            }
            RightCode::Mailed | RightCode::Totp { .. } => None,
        };
        Ok(End::Commit(Ok((account, backup_codes_left))))
    })
    .await
}
