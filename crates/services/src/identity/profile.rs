//! Changing the profile of an account.

use super::{IdentityContext, RequestContext};
use domain::{
    identity::{Account, ProfileChange, ProfileRequest},
    shared::{Fault, UserId},
};
use storage::{
    identity::{Outcome, accounts, audit},
    transact,
};

/// Changes names and locale. Answers the account as it is then; 400 for invalid fields, 401 when the account was deleted.
pub async fn update_profile(
    ctx: &IdentityContext,
    request: &RequestContext,
    user: UserId,
    changes: ProfileRequest,
) -> Result<Account, Fault> {
    let change = &changes.validate(&ctx.settings.locales)?;
    transact!(ctx, "account.change_profile", async |tx| {
        let Some(account) = accounts::set_profile(tx, user, change, request.source.at).await? else { return Ok(None) };
        if *change != ProfileChange::default() {
            audit::record(tx, audit::Event::AccountUpdated, Outcome::Success, request.source.attempt(Some(user))).await?;
        }
        Ok(Some(account))
    })
    .await?
    .ok_or_else(Fault::unauthorized)
}
