//! Giving a password up.

use super::{burn_links, remember};
use crate::{
    Error, Executor, Result, Tx, TxOperation,
    identity::{
        Outcome, Source, accounts, audit,
        passkeys::{KEEPS_A_FACTOR, Noted, Use},
        sessions::{self, Kept, Spared},
    },
};
use domain::{
    identity::passkey,
    shared::{Fault, UserId},
};

/// Removes the password of somebody who is signed in and was proved again: from now on only a passkey signs in.
pub struct RemovePassword {
    /// Whose.
    pub user: UserId,
    /// The `token_version` of who is signed in.
    pub token_version: i32,
    /// The passkey that proved it, if one did.
    pub passkey: Option<Use>,
    /// What lives on; every other session ends.
    pub spared: Spared,
    /// Where it came from.
    pub source: Source,
}

impl TxOperation for RemovePassword {
    /// For the new cookie.
    type Output = Noted<Kept>;

    const NAME: &'static str = "account.remove_password";

    /// 403 `passkeyRequired` when nobody could sign in without the password; 401 when the account or the session changed since its owner was proved.
    async fn run(&self, tx: &Tx<'_>) -> Result<Self::Output> {
        let (user, at) = (self.user, self.source.at);
        let unchanged = accounts::lock(tx, user)
            .await?
            .filter(|value| value.account.token_version == self.token_version && value.account.suspended_at.is_none());
        let Some(old_hash) = unchanged.and_then(|unchanged| unchanged.password_hash) else {
            return Err(Fault::unauthorized().into());
        };
        let attempt = self.source.attempt(Some(user));
        if let Some(passkey) = &self.passkey
            && let Err(stale) = passkey.note(tx, attempt).await?
        {
            return Ok(Err(stale));
        }
        tx.execute(
            "update users set password_hash = null, password_created_at = null, password_changed_at = null where id = $1",
            &[/* id */ &user.0],
        )
        .await
        .map_err(|error| match error.constraint() {
            Some(KEEPS_A_FACTOR) => Error::from(passkey::passkey_required()),
            _ => error,
        })?;
        remember(tx, user, &old_hash, at).await?;
        burn_links(tx, user, at).await?;
        let Some(kept) = sessions::end_others(tx, user, self.spared).await? else {
            return Err(Fault::unauthorized().into());
        };
        audit::record(tx, "auth.password.removed", Outcome::Success, attempt).await?;
        Ok(Ok(kept))
    }
}
