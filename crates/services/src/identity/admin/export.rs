//! Exporting the account of somebody else.

use super::{attempt, lock_user};
use crate::identity::{
    IdentityContext, RequestContext,
    export::{AccountExport, read_account},
};
use domain::shared::{Fault, UserId};
use storage::{
    Result as StoreResult, Tx, TxOperation,
    identity::{Outcome, Source, audit},
    shared::sessions::SessionClaims,
};

/// Exports an account, and records that in the audit trail. 404, and 429 when the administrator exported it too often.
pub async fn export_user(
    ctx: &IdentityContext,
    request: &RequestContext,
    administrator: SessionClaims,
    user: UserId,
) -> Result<AccountExport, Fault> {
    ctx.limits.export_of(&ctx.store, user, administrator.user).await?;
    ctx.store.transact(&RecordExport { user, administrator, source: request.source.clone() }).await?;
    read_account(ctx, request, user).await?.ok_or_else(Fault::not_found)
}

struct RecordExport {
    user: UserId,
    administrator: SessionClaims,
    source: Source,
}

impl TxOperation for RecordExport {
    type Output = ();

    const NAME: &'static str = "account.record_export_of_other";

    async fn run(&self, tx: &Tx<'_>) -> StoreResult<()> {
        lock_user(tx, self.administrator, self.user, self.source.at).await?;
        let attempt = attempt(&self.source, self.administrator, Some(self.user));
        audit::record(tx, audit::Event::AdminUserExported, Outcome::Success, attempt).await
    }
}
