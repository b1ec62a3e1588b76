//! Logging people out: one, or everybody. What they have granted to clients stays; the clients that they signed in to are told.

use super::ActingAdministrator;
use crate::identity::{acting_tokens, session_end};
use domain::shared::{Fault, UserId};
use serde_json::json;
use storage::{
    identity::{
        Outcome, audit,
        sessions::{self, SessionTimes},
    },
    transact,
};

/// Ends every session of an account. An administrator who logs out their own keeps the session of the request: then the times for its new cookie are answered.
/// `revokes_tokens` takes the tokens away as well that act for the person; else they go on, as what was granted to clients does. 404.
pub async fn force_logout(
    by: ActingAdministrator<'_>,
    (user, revokes_tokens): (UserId, bool),
) -> Result<Option<SessionTimes>, Fault> {
    let keep = by.own_session(user);
    transact!(by.ctx, "session.force_logout", async |tx| {
        let at = by.at();
        by.lock_user(tx, user).await?;
        let times = if let Some(keep) = keep {
            Some(session_end::log_out_others(tx, user, keep, at).await?.ok_or_else(Fault::unauthorized)?)
        } else {
            session_end::log_out(tx, user, at).await?;
            None
        };
        let attempt = by.attempt(Some(user));
        if revokes_tokens {
            let revoked = acting_tokens::revoke_all(by.ctx, tx, user, &by.in_spaces()).await?;
            audit::record_with(tx, audit::Event::AdminUserForceLogout, &json!({ "revokedTokens": revoked }), attempt).await?;
        } else {
            audit::record(tx, audit::Event::AdminUserForceLogout, Outcome::Success, attempt).await?;
        }
        Ok(times)
    })
    .await
}

/// Who is logged out with everybody.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LogoutScope {
    /// Everybody; of the administrator who asks every session but that of the request.
    All,
    /// Everybody, and the session of the request too.
    AllAndSelf,
    /// Everybody but the administrators.
    NonAdmins,
}

impl LogoutScope {
    /// Its name in requests, responses and audit entries.
    pub fn name(self) -> &'static str {
        match self {
            Self::All | Self::AllAndSelf => "all",
            Self::NonAdmins => "non_admins",
        }
    }
}

/// What came of logging everybody out.
#[derive(Debug, Clone, Copy)]
pub struct LoggedOut {
    /// The number of accounts whose sessions ended.
    pub affected: u64,
    /// For the new cookie of the session of the request, if that goes on and needs one.
    pub kept: Option<SessionTimes>,
}

/// Ends every session of everybody in a scope.
pub async fn force_logout_all(by: ActingAdministrator<'_>, scope: LogoutScope) -> Result<LoggedOut, Fault> {
    transact!(by.ctx, "session.force_logout_all", async |tx| {
        let at = by.at();
        by.check(tx).await?;
        let (is_kept, with_administrators) = (scope == LogoutScope::All, scope != LogoutScope::NonAdmins);
        let affected = session_end::log_out_everybody(tx, by.claims, is_kept, with_administrators, at).await?;
        let kept =
            if is_kept { Some(sessions::keep_signed_in(tx, by.claims).await?.ok_or_else(Fault::unauthorized)?) } else { None };
        let details = json!({ "scope": scope.name(), "alsoLogOutSelf": scope == LogoutScope::AllAndSelf, "affected": affected });
        audit::record_with(tx, audit::Event::AdminForceLogoutAll, &details, by.attempt(None)).await?;
        Ok(LoggedOut { affected, kept })
    })
    .await
}
