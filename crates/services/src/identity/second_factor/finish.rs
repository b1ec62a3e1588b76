//! The transaction that finishes a login: the code and the pending login are consumed, and the session is started.

use crate::identity::session_start::{StartSession, is_account_changed};
use domain::{
    identity::{Account, one_time::Kind as OneTime, second_factor::challenge_expired},
    shared::{Fault, Kind, UserId},
};
use futures_util::join;
use jiff::Timestamp;
use storage::{
    Error, Result, Store, Tx, TxOperation,
    identity::{
        Outcome, accounts, audit,
        one_time::{self, Hash},
        totp,
    },
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
    /// Consumes the code. `false` when it was used before. The caller has locked the account, see [`accounts::lock_row`].
    pub(in crate::identity) async fn consume(&self, tx: &Tx<'_>, user: UserId, at: Timestamp) -> Result<bool> {
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

/// Starts the session of a login whose second factor was right.
pub(super) struct FinishLogin<'a> {
    /// The pending login.
    pub(super) pending: Uuid,
    /// The code.
    pub(super) code: RightCode,
    /// The session.
    pub(super) start: &'a StartSession,
}

/// The outcome of a code.
pub(super) enum Finished {
    /// There is a session.
    SignedIn {
        /// The account as it is now.
        account: Box<Account>,
        /// How many backup codes are left, if one was used.
        backup_codes_left: Option<i64>,
    },
    /// The code was used before, or never was one.
    WrongCode,
}

impl FinishLogin<'_> {
    /// Runs the transaction. 401 `challengeExpired` when the pending login is over: another code was right before, or the account changed. The code is not
    /// consumed by that.
    pub(super) async fn finish(&self, store: &Store) -> Result<Finished> {
        match store.transact(self).await {
            Ok((account, backup_codes_left)) => Ok(Finished::SignedIn { account: Box::new(account), backup_codes_left }),
            Err(Error::Fault(fault)) if fault.code == wrong_code().code => Ok(Finished::WrongCode),
            Err(error) if is_account_changed(&error) => Err(challenge_expired().into()),
            Err(error) => Err(error),
        }
    }
}

impl TxOperation for FinishLogin<'_> {
    /// The account as it is now, and how many backup codes are left, if one was used.
    type Output = (Account, Option<i64>);

    const NAME: &'static str = "second_factor.finish";

    async fn run(&self, tx: &Tx<'_>) -> Result<Self::Output> {
        let (user, source) = (self.start.user, &self.start.source);
        let lock = async { require(accounts::lock_row(tx, user).await?, challenge_expired) };
        let code = async { require(self.code.consume(tx, user, source.at).await?, wrong_code) };
        let pending = async { require(one_time::consume_by_id(tx, self.pending, source.at).await?, challenge_expired) };
        // All statements are sent together, the lock first. `join!` and not `try_join!`: dropping a statement in flight would lose the connection,
        // and a wrong backup code is an ordinary outcome here. The first that refuses is the answer, and the rest is rolled back.
        let (lock, code, pending, account) = Box::pin(async { join!(lock, code, pending, self.start.write(tx)) }).await;
        lock?;
        code?;
        pending?;
        let account = account?;
        let backup_codes_left = match self.code {
            RightCode::Backup(_) => {
                audit::record(tx, BACKUP_CODE_USED, Outcome::Success, source.attempt(Some(user))).await?;
                Some(one_time::count_open(tx, OneTime::BackupCode, user, source.at).await?)
            }
            RightCode::Mailed | RightCode::Totp { .. } => None,
        };
        Ok((account, backup_codes_left))
    }
}

/// Ends the transaction unless a condition holds.
fn require(holds: bool, fault: impl FnOnce() -> Fault) -> Result<()> {
    if holds { Ok(()) } else { Err(fault().into()) }
}

/// Rolls the transaction back when the code was used before. The caller is told by [`Finished::WrongCode`].
fn wrong_code() -> Fault {
    Fault::new(Kind::Unauthorized, "invalidCode", "The code is wrong, or was used before")
}
