//! Suspending an account, and ending that.

use super::ActingAdministrator;
use crate::identity::{administrators, session_end};
use domain::shared::{Code, Fault, UserId};
use storage::{
    identity::{Outcome, account_rights, audit, oidc::grants},
    transact,
};

/// Suspends an account: its sessions end, what it has granted to clients is revoked, and nobody can sign in to it. Nothing changes for one that is suspended. 400
/// `cannotSuspendSelf`, 404, 409 `lastAdmin`.
pub async fn suspend(by: ActingAdministrator<'_>, user: UserId) -> Result<(), Fault> {
    if user == by.claims.user {
        return Err(Fault::of(Code::CannotSuspendSelf));
    }
    let at = by.at();
    transact!(by.ctx, "account.suspend", async |tx| {
        administrators::keep_another_than(tx, user, by.ctx.mail_queue.is_on()).await?;
        if by.lock_user(tx, user).await?.account.suspended_at.is_some() {
            return Ok(());
        }
        session_end::end_all(tx, user, at).await?;
        // Also those that outlive sessions.
        grants::revoke_of_user(tx, user, at).await?;
        account_rights::set_suspended(tx, user, true, at).await?;
        let attempt = by.attempt(Some(user));
        audit::record(tx, audit::Event::AdminUserSuspended, Outcome::Success, attempt).await
    })
    .await
}

/// Ends the suspension of an account, and forgets failed sign-ins. Its owner has to sign in again. Nothing changes for one that is not suspended. 404.
pub async fn unsuspend(by: ActingAdministrator<'_>, user: UserId) -> Result<(), Fault> {
    let at = by.at();
    transact!(by.ctx, "account.unsuspend", async |tx| {
        let account = by.lock_user(tx, user).await?.account;
        if account.suspended_at.is_none() {
            return Ok(());
        }
        account_rights::set_suspended(tx, user, false, at).await?;
        by.ctx.forget_failures(tx, &account).await?;
        let attempt = by.attempt(Some(user));
        audit::record(tx, audit::Event::AdminUserUnsuspended, Outcome::Success, attempt).await
    })
    .await
}
