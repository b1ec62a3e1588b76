//! A passkey that was shown: its count goes on, in the transaction of what it was shown for.

use crate::{
    Result, Tx, Work,
    identity::{Outcome, Source, accounts, audit, sign_in::SignIn},
};
use domain::{
    identity::Account,
    shared::{PasskeyId, UserId},
};
use jiff::Timestamp;

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

impl Use {
    /// Notes it. `false` when the passkey is gone, or was heard of with this count or a higher one in between.
    ///
    /// Whoever calls this has locked the account, see [`accounts::lock`].
    pub async fn note(&self, tx: &Tx<'_>, at: Timestamp) -> Result<bool> {
        let noted = tx
            .execute(
                "update passkeys set sign_count = $3, is_backed_up = $4, last_used_at = $5
                 where id = $1 and user_id = $2 and (sign_count < $3 or (sign_count = 0 and $3 = 0::bigint))",
                &[
                    /* id */ &self.id.0,
                    /* user_id */ &self.user.0,
                    /* sign_count */ &i64::from(self.sign_count),
                    /* is_backed_up */ &self.is_backed_up,
                    /* last_used_at */ &at,
                ],
            )
            .await?;
        Ok(noted == 1)
    }
}

/// Signs in who showed a passkey.
pub struct PasskeySignIn<'a> {
    /// The passkey.
    pub used: Use,
    /// What comes of it.
    pub sign_in: &'a SignIn,
}

impl Work for PasskeySignIn<'_> {
    /// The account as it is now; `None` when it or the passkey changed since the passkey was shown.
    type Done = Option<Account>;

    const NAME: &'static str = "passkey.sign_in";

    async fn run(&self, tx: &Tx<'_>) -> Result<Option<Account>> {
        accounts::lock(tx, self.used.user).await?;
        if !self.used.note(tx, self.sign_in.at).await? {
            return Ok(None);
        }
        self.sign_in.run(tx).await
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

impl Work for RefusePasskey {
    type Done = ();

    const NAME: &'static str = "passkey.refuse";

    async fn run(&self, tx: &Tx<'_>) -> Result<()> {
        audit::record(tx, self.event, Outcome::Failure(self.reason), self.source.attempt(Some(self.user))).await
    }
}
