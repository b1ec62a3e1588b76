//! Removing the second factors of somebody who lost them.

use super::ActingAdministrator;
use crate::identity::{notices, session_end};
use domain::{
    identity::{mail::NoticeKind, one_time::Kind},
    shared::{Fault, UserId},
};
use serde_json::json;
use storage::{
    identity::{audit, mails, one_time, passkeys, sessions::SessionTimes, totp},
    transact,
};

/// What was removed.
#[derive(Debug, Clone, Copy)]
pub struct ClearedFactors {
    /// Whether there was an authenticator app.
    pub totp: bool,
    /// How many passkeys there were; those of an account without a password stay, because they are the only way to sign in.
    pub passkeys: u64,
    /// For the new cookie of an administrator who reset their own factors and keeps the session of the request.
    pub kept: Option<SessionTimes>,
}

/// Removes the authenticator app of an account with its backup codes, and the passkeys if the account has a password. Its sessions end, and failed attempts are
/// forgotten. The owner is told by mail. 404.
pub async fn reset_two_factor(by: ActingAdministrator<'_>, user: UserId) -> Result<ClearedFactors, Fault> {
    let keep = by.own_session(user);
    transact!(by.ctx, "account.reset_two_factor", async |tx| {
        let at = by.at();
        let account = by.lock_user(tx, user).await?.account;
        let totp = totp::remove(tx, user).await?;
        one_time::remove_all(tx, Kind::BackupCode, user).await?;
        let passkeys = if account.has_password { passkeys::delete_all(tx, user).await? } else { 0 };
        // Before the browsers that have counters of their own are forgotten.
        by.ctx.forget_failures(tx, &account).await?;
        let kept = if let Some(keep) = keep {
            Some(session_end::end_others(tx, user, keep, at).await?.ok_or_else(Fault::unauthorized)?)
        } else {
            session_end::end_all(tx, user, at).await?;
            None
        };
        for (is_removed, notice) in [(totp, NoticeKind::AppRemoved), (passkeys > 0, NoticeKind::PasskeyRemoved)] {
            if is_removed {
                mails::add_if(tx, notices::compose_by_administrator(by.ctx, by.request, &account, notice)?.as_ref()).await?;
            }
        }
        let details = json!({ "clearedTotp": totp, "clearedPasskeys": passkeys });
        let attempt = by.attempt(Some(user));
        audit::record_with(tx, audit::Event::AdminUserTwoFactorReset, &details, attempt).await?;
        Ok(ClearedFactors { totp, passkeys, kept })
    })
    .await
}
