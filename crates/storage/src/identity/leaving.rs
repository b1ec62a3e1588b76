//! Deleting an account, as one transaction: its row and everything that hangs on it. Its entries in the audit trail stay.

use super::{Outcome, Source, accounts, audit, passkeys::Use};
use crate::{Result, Tx, Work, row};
use domain::shared::{Fault, UserId};
use uuid::Uuid;

/// Locks every administrator who can sign in, and answers them. Whoever is about to make one fewer comes here first: of two who do that at the
/// same time the second waits, and then sees what the first has left.
pub async fn lock_administrators(tx: &Tx<'_>) -> Result<Vec<UserId>> {
    let rows = tx.rows("select id from users where is_admin and suspended_at is null order by id for no key update", &[]).await?;
    rows.iter().map(|it| row::get::<Uuid>(it, "id").map(UserId)).collect()
}

/// Deletes the account of somebody who is signed in and was proved again.
pub struct Leave {
    /// Whose.
    pub user: UserId,
    /// Its `token_version` when its owner was proved.
    pub token_version: i32,
    /// The passkey that proved it, if one did.
    pub passkey: Option<Use>,
    /// Where it came from.
    pub source: Source,
}

impl Work for Leave {
    /// Whether it was done: `false` when the account changed since its owner was proved.
    type Done = bool;

    const NAME: &'static str = "account.leave";

    async fn run(&self, tx: &Tx<'_>) -> Result<bool> {
        let administrators = lock_administrators(tx).await?;
        if administrators == [self.user] {
            let message = "You are the only administrator; make somebody else one first";
            return Err(Fault::conflict("lastAdmin", message).into());
        }
        if let Some(passkey) = &self.passkey {
            accounts::lock(tx, self.user).await?;
            if !passkey.note(tx, self.source.at).await? {
                return Ok(false);
            }
        }
        let deleted = tx
            .execute(
                "delete from users where id = $1 and token_version = $2 and suspended_at is null",
                &[/* id */ &self.user.0, /* token_version */ &self.token_version],
            )
            .await?;
        if deleted == 1 {
            audit::record(tx, "account.deleted", Outcome::Success, self.source.attempt(Some(self.user))).await?;
        }
        Ok(deleted == 1)
    }
}
