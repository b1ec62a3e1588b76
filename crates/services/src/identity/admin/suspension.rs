//! Suspending an account, and ending that.

use super::{attempt, lock_user};
use crate::identity::{IdentityContext, RequestContext, administrators, session_end};
use domain::shared::{Code, Fault, UserId};
use storage::{
    Result as StoreResult, Tx, TxOperation,
    identity::{Outcome, Source, account_rights, audit, oidc::grants},
    shared::sessions::SessionClaims,
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
    Ok(ctx.store.transact(&Suspend { ctx, user, administrator, source: &request.source }).await?)
}

/// Ends the suspension of an account, and forgets failed sign-ins. Its owner has to sign in again. Nothing changes for one that is not suspended. 404.
pub async fn unsuspend(
    ctx: &IdentityContext,
    request: &RequestContext,
    administrator: SessionClaims,
    user: UserId,
) -> Result<(), Fault> {
    Ok(ctx.store.transact(&Unsuspend { ctx, user, administrator, source: &request.source }).await?)
}

struct Suspend<'a> {
    ctx: &'a IdentityContext,
    user: UserId,
    administrator: SessionClaims,
    source: &'a Source,
}

impl TxOperation for Suspend<'_> {
    type Output = ();

    const NAME: &'static str = "account.suspend";

    async fn run(&self, tx: &Tx<'_>) -> StoreResult<()> {
        let (user, at) = (self.user, self.source.at);
        administrators::keep_another_than(tx, user, self.ctx.mail_queue.is_on()).await?;
        if lock_user(tx, self.administrator, user, at).await?.account.suspended_at.is_some() {
            return Ok(());
        }
        session_end::end_all(tx, user, at).await?;
        // Also those that outlive sessions.
        grants::revoke_of_user(tx, user, at).await?;
        account_rights::set_suspended(tx, user, true, at).await?;
        let attempt = attempt(self.source, self.administrator, Some(user));
        audit::record(tx, audit::Event::AdminUserSuspended, Outcome::Success, attempt).await
    }
}

struct Unsuspend<'a> {
    ctx: &'a IdentityContext,
    user: UserId,
    administrator: SessionClaims,
    source: &'a Source,
}

impl TxOperation for Unsuspend<'_> {
    type Output = ();

    const NAME: &'static str = "account.unsuspend";

    async fn run(&self, tx: &Tx<'_>) -> StoreResult<()> {
        let (user, at) = (self.user, self.source.at);
        let account = lock_user(tx, self.administrator, user, at).await?.account;
        if account.suspended_at.is_none() {
            return Ok(());
        }
        account_rights::set_suspended(tx, user, false, at).await?;
        self.ctx.forget_failures(tx, &account).await?;
        let attempt = attempt(self.source, self.administrator, Some(user));
        audit::record(tx, audit::Event::AdminUserUnsuspended, Outcome::Success, attempt).await
    }
}
