//! Exporting the account of somebody else.

use super::ActingAdministrator;
use crate::identity::export::{AccountExport, read_account};
use domain::shared::{Fault, UserId};
use storage::{
    identity::{Outcome, audit},
    transact,
};

/// Exports an account, and records that in the audit trail. 404, and 429 when the administrator exported it too often.
pub async fn export_user(by: ActingAdministrator<'_>, user: UserId) -> Result<AccountExport, Fault> {
    by.ctx.limits.export_of(&by.ctx.store, user, by.claims.user).await?;
    transact!(by.ctx, "account.record_export_of_other", async |tx| {
        by.lock_user(tx, user).await?;
        let attempt = by.attempt(Some(user));
        audit::record(tx, audit::Event::AdminUserExported, Outcome::Success, attempt).await
    })
    .await?;
    read_account(by.ctx, by.request, user).await?.ok_or_else(Fault::not_found)
}
