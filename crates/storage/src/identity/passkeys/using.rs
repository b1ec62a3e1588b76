//! A passkey that was shown: its count goes on, in the transaction of what it was shown for.

use crate::{
    Executor, Result, Tx, TxOperation,
    identity::{Attempt, Outcome, Source, accounts, audit, sign_in::SignIn},
};
use domain::{
    identity::Account,
    shared::{PasskeyId, UserId},
};

/// What is written down of a count that went back.
pub const COUNTER_REGRESSION: &str = "webauthn.counter_regression";
/// And why.
pub const COUNT_WENT_BACK: &str = "countWentBack";

/// A right answer of a passkey.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Use {
    /// Which.
    pub id: PasskeyId,
    /// Whose.
    pub user: UserId,
    /// How often it has signed, this time included.
    pub sign_count: u32,
    /// Whether it is on several devices by now.
    pub is_backed_up: bool,
}

/// Why a right answer came to nothing.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Stale {
    /// The passkey is gone.
    Gone,
    /// It was heard of with this count or a higher one in between: there may be two authenticators with its key.
    CountWentBack,
}

/// What came of it, if it was noted.
pub type Noted<T> = std::result::Result<T, Stale>;

impl Use {
    /// Notes it. Of a count that went back the owner is told in the audit trail, so whoever gets that answer has nothing else to write and commits.
    ///
    /// Whoever calls this has locked the account, see [`accounts::hold`].
    pub async fn note(&self, tx: &Tx<'_>, attempt: Attempt<'_>) -> Result<Noted<()>> {
        let noted = tx
            .execute(
                "update passkeys set sign_count = $3, is_backed_up = $4, last_used_at = $5
                 where id = $1 and user_id = $2 and (sign_count < $3 or (sign_count = 0 and $3 = 0::bigint))",
                &[
                    /* id */ &self.id.0,
                    /* user_id */ &self.user.0,
                    /* sign_count */ &i64::from(self.sign_count),
                    /* is_backed_up */ &self.is_backed_up,
                    /* last_used_at */ &attempt.at,
                ],
            )
            .await?;
        if noted == 1 {
            return Ok(Ok(()));
        }
        let there = tx
            .row_opt("select id from passkeys where id = $1 and user_id = $2", &[/* id */ &self.id.0, /* user_id */ &self.user.0])
            .await?;
        if there.is_none() {
            return Ok(Err(Stale::Gone));
        }
        audit::record(tx, COUNTER_REGRESSION, Outcome::Failure(COUNT_WENT_BACK), attempt).await?;
        Ok(Err(Stale::CountWentBack))
    }
}

/// Signs in who showed a passkey.
pub struct PasskeySignIn<'a> {
    /// The passkey.
    pub used: Use,
    /// What comes of it.
    pub sign_in: &'a SignIn,
}

impl TxOperation for PasskeySignIn<'_> {
    /// The account as it is now.
    type Output = Noted<Account>;

    const NAME: &'static str = "passkey.sign_in";

    /// Refuses as [`SignIn`] does.
    async fn run(&self, tx: &Tx<'_>) -> Result<Self::Output> {
        accounts::hold(tx, self.used.user).await?;
        match self.used.note(tx, self.sign_in.source.attempt(Some(self.used.user))).await? {
            Ok(()) => self.sign_in.run(tx).await.map(Ok),
            Err(stale) => Ok(Err(stale)),
        }
    }
}

/// Notes that a passkey was refused with which somebody who is signed in wanted to be proved again; or, for any passkey, that its count went back.
pub struct RefusePasskey {
    /// Whose.
    pub user: UserId,
    /// What was tried.
    pub event: &'static str,
    /// Why it was refused.
    pub reason: &'static str,
    /// Where it came from.
    pub source: Source,
}

impl TxOperation for RefusePasskey {
    type Output = ();

    const NAME: &'static str = "passkey.refuse";

    async fn run(&self, tx: &Tx<'_>) -> Result<()> {
        audit::record(tx, self.event, Outcome::Failure(self.reason), self.source.attempt(Some(self.user))).await
    }
}
