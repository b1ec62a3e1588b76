//! Suspending an account, and ending that.

use super::{attempt, lock_user};
use crate::identity::{IdentityContext, RequestContext, administrators, session_end};
use domain::shared::{Code, Fault, UserId};
use storage::{
    identity::{Outcome, account_rights, audit, oidc::grants},
    shared::sessions::SessionClaims,
    transact,
};

/// Suspends an account: its sessions end, what it has granted to clients is revoked, and nobody can sign in to it. Nothing changes for one that is suspended. 400
/// `cannotSuspendSelf`, 404, 409 `lastAdmin`.
pub async fn suspend(
    ctx: &IdentityContext,
    request: &RequestContext,
    administrator: SessionClaims,
    user: UserId,
) -> Result<(), Fault> {
    if user == administrator.user {
        return Err(Fault::of(Code::CannotSuspendSelf));
    }
    let at = request.source.at;
    transact!(ctx, "account.suspend", async |tx| {
        administrators::keep_another_than(tx, user, ctx.mail_queue.is_on()).await?;
        if lock_user(tx, administrator, user, at).await?.account.suspended_at.is_some() {
            return Ok(());
        }
        session_end::end_all(tx, user, at).await?;
        // Also those that outlive sessions.
        grants::revoke_of_user(tx, user, at).await?;
        account_rights::set_suspended(tx, user, true, at).await?;
        let attempt = attempt(&request.source, administrator, Some(user));
        audit::record(tx, audit::Event::AdminUserSuspended, Outcome::Success, attempt).await
    })
    .await
}

/// Ends the suspension of an account, and forgets failed sign-ins. Its owner has to sign in again. Nothing changes for one that is not suspended. 404.
pub async fn unsuspend(
    ctx: &IdentityContext,
    request: &RequestContext,
    administrator: SessionClaims,
    user: UserId,
) -> Result<(), Fault> {
    let at = request.source.at;
    transact!(ctx, "account.unsuspend", async |tx| {
        let account = lock_user(tx, administrator, user, at).await?.account;
        if account.suspended_at.is_none() {
            return Ok(());
        }
        account_rights::set_suspended(tx, user, false, at).await?;
        ctx.forget_failures(tx, &account).await?;
        let attempt = attempt(&request.source, administrator, Some(user));
        audit::record(tx, audit::Event::AdminUserUnsuspended, Outcome::Success, attempt).await
    })
    .await
}
