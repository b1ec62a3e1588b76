//! Changing the profile of an account.

use super::{IdentityContext, RequestContext};
use domain::{
    identity::{Account, ProfileChange, ProfileRequest},
    shared::{Fault, UserId},
};
use storage::{
    Tx, TxOperation,
    identity::{Outcome, Source, accounts, audit},
};

/// Changes names and locale. Answers the account as it is then; 400 for invalid fields, 401 when the account was deleted.
pub async fn update_profile(
    ctx: &IdentityContext,
    request: &RequestContext,
    user: UserId,
    changes: ProfileRequest,
) -> Result<Account, Fault> {
    let change = changes.validate(&ctx.settings.locales)?;
    let update = UpdateProfile { user, change, source: request.source.clone() };
    ctx.store.transact(&update).await?.ok_or_else(Fault::unauthorized)
}

/// Writes a validated change.
struct UpdateProfile {
    user: UserId,
    change: ProfileChange,
    source: Source,
}

impl TxOperation for UpdateProfile {
    /// The account after the change; `None` when it was deleted.
    type Output = Option<Account>;

    const NAME: &'static str = "account.change_profile";

    async fn run(&self, tx: &Tx<'_>) -> storage::Result<Option<Account>> {
        let Some(account) = accounts::set_profile(tx, self.user, &self.change, self.source.at).await? else { return Ok(None) };
        if self.change != ProfileChange::default() {
            audit::record(tx, audit::Event::AccountUpdated, Outcome::Success, self.source.attempt(Some(self.user))).await?;
        }
        Ok(Some(account))
    }
}
