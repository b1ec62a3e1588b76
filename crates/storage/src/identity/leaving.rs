//! Deleting an account, as one transaction: its row and everything that hangs on it. Its entries in the audit trail stay.

use super::{
    Outcome, Source, audit,
    passkeys::{PasskeyUse, RecordedUse},
    sessions,
};
use crate::{Executor, Result, Tx, TxOperation, row, shared::sessions::Claimed};
use domain::shared::{Fault, UserId};
use uuid::Uuid;

/// Locks every administrator who can sign in, and answers them. Whoever is about to make one fewer comes here first: of two who do that at the
/// same time the second waits, and then sees what the first has left.
pub async fn lock_administrators(tx: &Tx<'_>) -> Result<Vec<UserId>> {
    let rows = tx
        .rows(
            "select id from users
             where is_admin and suspended_at is null
               and (password_hash is not null or exists (select 1 from passkeys where passkeys.user_id = users.id))
             order by id for no key update",
            &[],
        )
        .await?;
    rows.iter().map(|r| row::get::<Uuid>(r, "id").map(UserId)).collect()
}

/// Deletes the account of somebody who is signed in and was proved again.
pub struct Leave {
    /// Who is signed in.
    pub owner: Claimed,
    /// The passkey that proved it, if one did.
    pub passkey: Option<PasskeyUse>,
    /// Where it came from.
    pub source: Source,
}

impl TxOperation for Leave {
    type Output = RecordedUse<()>;

    const NAME: &'static str = "account.leave";

    /// 401 when the session ended since the owner was proved.
    async fn run(&self, tx: &Tx<'_>) -> Result<Self::Output> {
        let user = self.owner.user;
        let administrators = lock_administrators(tx).await?;
        if administrators == [user] {
            let message = "You are the only administrator; make somebody else one first";
            return Err(Fault::conflict("lastAdmin", message).into());
        }
        sessions::lock_signed_in(tx, self.owner, self.source.at).await?;
        let attempt = self.source.attempt(Some(user));
        if let Some(passkey) = &self.passkey
            && let Err(stale) = passkey.record(tx, attempt).await?
        {
            return Ok(Err(stale));
        }
        tx.execute("delete from users where id = $1", &[/* id */ &user.0]).await?;
        audit::record(tx, "account.deleted", Outcome::Success, attempt).await.map(Ok)
    }
}
