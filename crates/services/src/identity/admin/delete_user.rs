//! Deleting an account of somebody else.

use super::{attempt, lock_user};
use crate::identity::{IdentityContext, RequestContext, acting_tokens, administrators, session_end};
use domain::{
    identity::oidc::client_notice::Deleter,
    shared::{Code, Fault, UserId},
};
use serde_json::json;
use storage::{
    Result as StoreResult, Tx, TxOperation,
    identity::{Source, audit},
    shared::sessions::SessionClaims,
};

/// Deletes an account with everything that belongs to it; clients are told. 400 `cannotDeleteSelf`, 404, 409 `lastAdmin`.
pub async fn delete_user(
    ctx: &IdentityContext,
    request: &RequestContext,
    administrator: SessionClaims,
    user: UserId,
) -> Result<(), Fault> {
    if user == administrator.user {
        return Err(Fault::of(Code::CannotDeleteSelf));
    }
    Ok(ctx.store.transact(&DeleteUser { ctx, user, administrator, source: &request.source }).await?)
}

struct DeleteUser<'a> {
    ctx: &'a IdentityContext,
    user: UserId,
    administrator: SessionClaims,
    source: &'a Source,
}

impl TxOperation for DeleteUser<'_> {
    type Output = ();

    const NAME: &'static str = "account.delete_other";

    async fn run(&self, tx: &Tx<'_>) -> StoreResult<()> {
        administrators::keep_another_than(tx, self.user, self.ctx.mail_queue.is_on()).await?;
        lock_user(tx, self.administrator, self.user, self.source.at).await?;
        let by = acting_tokens::by(self.administrator.user, "administrator", self.source);
        let revoked = acting_tokens::revoke_all(self.ctx, tx, self.user, &by).await?;
        session_end::delete_account(tx, self.user, Deleter::Admin, self.source.at).await?;
        let details = if revoked > 0 { json!({ "revokedTokens": revoked }) } else { json!({}) };
        let attempt = attempt(self.source, self.administrator, Some(self.user));
        audit::record_with(tx, audit::Event::AdminUserDeleted, &details, attempt).await
    }
}
