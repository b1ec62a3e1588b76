//! Deleting an account of somebody else.

use super::ActingAdministrator;
use crate::identity::{acting_tokens, administrators, session_end};
use domain::{
    identity::oidc::client_notice::Deleter,
    shared::{Code, Fault, UserId},
};
use serde_json::json;
use storage::{identity::audit, transact};

/// Deletes an account with everything that belongs to it; clients are told. 400 `cannotDeleteSelf`, 404, 409 `lastAdmin`.
pub async fn delete_user(by: ActingAdministrator<'_>, user: UserId) -> Result<(), Fault> {
    if user == by.claims.user {
        return Err(Fault::of(Code::CannotDeleteSelf));
    }
    transact!(by.ctx, "account.delete_other", async |tx| {
        administrators::keep_another_than(tx, user, by.ctx.mail_queue.is_on()).await?;
        by.lock_user(tx, user).await?;
        let revoked = acting_tokens::revoke_all(by.ctx, tx, user, &by.in_spaces()).await?;
        session_end::delete_account(tx, user, Deleter::Admin, by.at()).await?;
        let details = if revoked > 0 { json!({ "revokedTokens": revoked }) } else { json!({}) };
        let attempt = by.attempt(Some(user));
        audit::record_with(tx, audit::Event::AdminUserDeleted, &details, attempt).await
    })
    .await
}
