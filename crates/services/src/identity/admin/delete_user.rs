//! Deleting an account of somebody else.

use super::{attempt, lock_user};
use crate::identity::{IdentityContext, RequestContext, acting_tokens, administrators, session_end};
use domain::{
    identity::oidc::client_notice::Deleter,
    shared::{Code, Fault, UserId},
};
use serde_json::json;
use storage::{identity::audit, shared::sessions::SessionClaims, transact};

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
    transact!(ctx, "account.delete_other", async |tx| {
        administrators::keep_another_than(tx, user, ctx.mail_queue.is_on()).await?;
        lock_user(tx, administrator, user, request.source.at).await?;
        let by = acting_tokens::by(administrator.user, "administrator", &request.source);
        let revoked = acting_tokens::revoke_all(ctx, tx, user, &by).await?;
        session_end::delete_account(tx, user, Deleter::Admin, request.source.at).await?;
        let details = if revoked > 0 { json!({ "revokedTokens": revoked }) } else { json!({}) };
        let attempt = attempt(&request.source, administrator, Some(user));
        audit::record_with(tx, audit::Event::AdminUserDeleted, &details, attempt).await
    })
    .await
}
