//! Second factors, each step as one transaction with its entry in the audit trail: asking for one at login, a guess, a right guess; and what an
//! owner does with an authenticator app.

use super::{
    NewMail, Outcome, Source, accounts, audit, guesses, mails,
    one_time::{self, Hash, NewOneTime, OneTimeToken},
    sessions,
    sign_in::{SignIn, is_account_changed, record_suspicion},
    totp,
};
use crate::{Result, Tx, TxOperation, shared::sessions::Claimed};
use domain::{
    identity::{Account, device::Reason, one_time::Kind, second_factor::challenge_expired},
    shared::UserId,
};
use jiff::Timestamp;
use serde_json::Value;
use uuid::Uuid;

/// What is written down of a backup code that was used, for whatever.
const BACKUP_CODE_USED: &str = "auth.backup_code.used";

/// Keeps a login whose password was right until its second factor comes.
pub struct Ask {
    /// Whose.
    pub user: UserId,
    /// The pending login.
    pub pending: NewOneTime,
    /// The mail with its code, if one is mailed; else the one that says that the sign-in is strange, if it is.
    pub letter: Option<NewMail>,
    /// The old and the new hash of the password, when the costs have changed.
    pub rehashed: Option<(String, String)>,
    /// Why the sign-in is strange; nothing when it is not.
    pub reasons: Vec<Reason>,
    /// Whose failures are forgiven: the password was right.
    pub forgiven: Option<guesses::Key>,
    /// Where it came from.
    pub source: Source,
}

impl TxOperation for Ask {
    /// Whether it is kept: `false` when the account was deleted since its password was compared.
    type Output = bool;

    const NAME: &'static str = "second_factor.ask";

    async fn run(&self, tx: &Tx<'_>) -> Result<bool> {
        if !accounts::hold(tx, self.user).await? {
            return Ok(false);
        }
        one_time::add(tx, &self.pending).await?;
        if let Some((old, new)) = &self.rehashed {
            accounts::replace_hash(tx, self.user, old, new).await?;
        }
        guesses::forgive_if(tx, self.forgiven.as_ref()).await?;
        record_suspicion(tx, &self.reasons, self.source.attempt(Some(self.user))).await?;
        mails::add_if(tx, self.letter.as_ref()).await?;
        Ok(true)
    }
}

/// Uses up a guess of a pending login, before anybody looks whether it is right.
pub struct Guess {
    /// Of its token.
    pub hash: Hash,
    /// When.
    pub at: Timestamp,
}

impl TxOperation for Guess {
    /// The pending login; `None` when it is over.
    type Output = Option<OneTimeToken>;

    const NAME: &'static str = "second_factor.guess";

    async fn run(&self, tx: &Tx<'_>) -> Result<Option<OneTimeToken>> {
        one_time::attempt(tx, Kind::PendingLogin, &self.hash, self.at).await
    }
}

/// Mails another code for a pending login.
pub struct Resend {
    /// As it was read.
    pub pending: OneTimeToken,
    /// With the new code.
    pub payload: Value,
    /// The mail with the code.
    pub letter: Option<NewMail>,
    /// When.
    pub at: Timestamp,
}

impl TxOperation for Resend {
    /// Whether it was: `false` when another one was mailed in between, or the pending login is over.
    type Output = bool;

    const NAME: &'static str = "second_factor.resend";

    async fn run(&self, tx: &Tx<'_>) -> Result<bool> {
        // The new code is to live as long as the first one did.
        if !one_time::renew(tx, Kind::PendingLogin, &self.pending, &self.payload, self.at).await? {
            return Ok(false);
        }
        mails::add_if(tx, self.letter.as_ref()).await?;
        Ok(true)
    }
}

/// A code that was right, as it is used up.
#[derive(Debug, Clone)]
pub enum RightCode {
    /// The mailed one. It goes with the pending login.
    Mailed,
    /// One of an authenticator app.
    Totp {
        /// The sealed secret that it was compared with.
        sealed: Vec<u8>,
        /// Its step.
        step: i64,
    },
    /// A backup code, by its hash. Whether it is right shows when it is used.
    Backup(Hash),
}

impl RightCode {
    /// Uses it up. `false` when it was used before. Whoever calls this has locked the account, see [`accounts::hold`].
    async fn take(&self, tx: &Tx<'_>, user: UserId, at: Timestamp) -> Result<bool> {
        match self {
            Self::Mailed => Ok(true),
            Self::Totp { sealed, step } => totp::use_step(tx, user, sealed, *step).await,
            Self::Backup(hash) => {
                let taken = one_time::consume(tx, Kind::BackupCode, hash, at).await?;
                Ok(taken.is_some_and(|taken| taken.user == Some(user)))
            }
        }
    }
}

/// Signs in who showed the second factor as well.
pub struct Finish<'a> {
    /// The pending login.
    pub pending: Uuid,
    /// What was shown.
    pub code: RightCode,
    /// What comes of it.
    pub sign_in: &'a SignIn,
}

/// What came of it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Finished {
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

impl TxOperation for Finish<'_> {
    type Output = Finished;

    const NAME: &'static str = "second_factor.finish";

    /// 401 `challengeExpired` when the pending login is over: another code was right before, or the account changed. The code is not used up by that.
    async fn run(&self, tx: &Tx<'_>) -> Result<Finished> {
        let SignIn { user, source, .. } = self.sign_in;
        let (user, at) = (*user, source.at);
        if !accounts::hold(tx, user).await? {
            return Err(challenge_expired().into());
        }
        if !self.code.take(tx, user, at).await? {
            return Ok(Finished::WrongCode);
        }
        if !one_time::consume_by_id(tx, self.pending, at).await? {
            return Err(challenge_expired().into());
        }
        let signed_in = self.sign_in.run(tx).await;
        let account = signed_in.map_err(|error| if is_account_changed(&error) { challenge_expired().into() } else { error })?;
        let backup_codes_left = match self.code {
            RightCode::Backup(_) => {
                audit::record(tx, BACKUP_CODE_USED, Outcome::Success, source.attempt(Some(user))).await?;
                Some(one_time::count_open(tx, Kind::BackupCode, user, at).await?)
            }
            RightCode::Mailed | RightCode::Totp { .. } => None,
        };
        Ok(Finished::SignedIn { account: Box::new(account), backup_codes_left })
    }
}

/// What an owner does with the authenticator app.
#[derive(Debug, Clone)]
pub enum Change {
    /// Puts the one that waits into use, with a set of backup codes.
    Confirm {
        /// The sealed secret that its code was compared with.
        sealed: Vec<u8>,
        /// Hashes.
        backup_codes: Vec<NewOneTime>,
    },
    /// Takes a new set of backup codes in place of the old one.
    Renew {
        /// What was shown for it.
        code: RightCode,
        /// Hashes.
        backup_codes: Vec<NewOneTime>,
    },
    /// Takes it away, with its backup codes.
    Remove {
        /// What was shown for it.
        code: RightCode,
    },
}

/// Changes it.
pub struct ChangeTotp {
    /// Who is signed in.
    pub owner: Claimed,
    /// What.
    pub change: Change,
    /// The mail that tells the owner, if there is something to tell.
    pub letter: Option<NewMail>,
    /// Whose failures are forgiven.
    pub forgiven: Option<guesses::Key>,
    /// Where it came from.
    pub source: Source,
}

impl TxOperation for ChangeTotp {
    /// Whether it was done: `false` when the code was used before, or the app is another one by now.
    type Output = bool;

    const NAME: &'static str = "totp.change";

    /// 401 when the session ended since it was asked for.
    async fn run(&self, tx: &Tx<'_>) -> Result<bool> {
        let (user, at) = (self.owner.user, self.source.at);
        sessions::lock_signed_in(tx, self.owner, at).await?;
        let (is_right, event) = match &self.change {
            Change::Confirm { sealed, .. } => (totp::confirm(tx, user, sealed, at).await?, "auth.totp.enabled"),
            Change::Renew { code, .. } => (code.take(tx, user, at).await?, "auth.backup_codes.regenerated"),
            Change::Remove { code } => (code.take(tx, user, at).await? && totp::remove(tx, user).await?, "auth.totp.disabled"),
        };
        if !is_right {
            return Ok(false);
        }
        one_time::remove_all(tx, Kind::BackupCode, user).await?;
        if let Change::Confirm { backup_codes, .. } | Change::Renew { backup_codes, .. } = &self.change {
            for code in backup_codes {
                one_time::add(tx, code).await?;
            }
        }
        guesses::forgive_if(tx, self.forgiven.as_ref()).await?;
        let attempt = self.source.attempt(Some(user));
        if let Change::Remove { code: RightCode::Backup(_) } = self.change {
            audit::record(tx, BACKUP_CODE_USED, Outcome::Success, attempt).await?;
        }
        audit::record(tx, event, Outcome::Success, attempt).await?;
        mails::add_if(tx, self.letter.as_ref()).await?;
        Ok(true)
    }
}
