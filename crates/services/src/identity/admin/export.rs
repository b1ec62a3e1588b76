//! Exporting the account of somebody else.

use super::{attempt, lock_user};
use crate::identity::{
    IdentityContext, RequestContext,
    export::{AccountExport, read_account},
};
use domain::shared::{Fault, UserId};
use storage::{
    identity::{Outcome, audit},
    shared::sessions::SessionClaims,
    transact,
};

/// Exports an account, and records that in the audit trail. 404, and 429 when the administrator exported it too often.
pub async fn export_user(
    ctx: &IdentityContext,
    request: &RequestContext,
    administrator: SessionClaims,
    user: UserId,
) -> Result<AccountExport, Fault> {
    ctx.limits.export_of(&ctx.store, user, administrator.user).await?;
    transact!(ctx, "account.record_export_of_other", async |tx| {
        lock_user(tx, administrator, user, request.source.at).await?;
        let attempt = attempt(&request.source, administrator, Some(user));
        audit::record(tx, audit::Event::AdminUserExported, Outcome::Success, attempt).await
    })
    .await?;
    read_account(ctx, request, user).await?.ok_or_else(Fault::not_found)
}
