//! Changing a profile: names and the locale of `users`.

use super::{Outcome, Source, accounts, audit};
use crate::{Result, Tx, TxOperation};
use domain::{
    identity::{Account, ProfileChange},
    shared::UserId,
};

/// Changes what its owner may change.
pub struct ChangeProfile {
    /// Whose.
    pub user: UserId,
    /// What.
    pub change: ProfileChange,
    /// Where it came from.
    pub source: Source,
}

impl TxOperation for ChangeProfile {
    /// The account as it is now; `None` when it is gone.
    type Output = Option<Account>;

    const NAME: &'static str = "account.change_profile";

    async fn run(&self, tx: &Tx<'_>) -> Result<Option<Account>> {
        let Some(account) = accounts::set_profile(tx, self.user, &self.change).await? else { return Ok(None) };
        if self.change != ProfileChange::default() {
            audit::record(tx, "account.updated", Outcome::Success, self.source.attempt(Some(self.user))).await?;
        }
        Ok(Some(account))
    }
}
