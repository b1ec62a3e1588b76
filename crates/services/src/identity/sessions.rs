//! Signing out, and ending sessions of an account.

use super::{IdentityContext, RequestContext, session_end};
use domain::shared::{Fault, SessionId, UserId};
use storage::{
    identity::{
        AuditOutcome, audit,
        sessions::{KeepSession, REVOKED_OTHERS, SessionTimes},
    },
    shared::sessions::SessionClaims,
    transact,
};

/// Ends the session of the request.
pub async fn sign_out(ctx: &IdentityContext, request: &RequestContext, owner: SessionClaims) -> Result<(), Fault> {
    transact!(ctx, "account.sign_out", async |tx| {
        if session_end::end_session(tx, owner.session, request.source.at).await?.is_none() {
            return Ok(());
        }
        audit::record(tx, audit::Event::AuthLogout, AuditOutcome::Success, request.source.attempt(Some(owner.user))).await
    })
    .await
}

/// Ends one session of an account. 404 when the account has no such active session.
pub async fn revoke(ctx: &IdentityContext, request: &RequestContext, user: UserId, session: SessionId) -> Result<(), Fault> {
    let is_revoked = transact!(ctx, "session.revoke_one", async |tx| {
        let is_revoked = session_end::end_session_of(tx, user, session, request.source.at).await?;
        if is_revoked {
            audit::record(tx, audit::Event::SessionsRevokedOne, AuditOutcome::Success, request.source.attempt(Some(user))).await?;
        }
        Ok(is_revoked)
    })
    .await?;
    if is_revoked { Ok(()) } else { Err(Fault::not_found()) }
}

/// Ends every session of the account but that of the request. Answers what the session's new cookie claims.
/// 401 when the session ended at this moment.
pub async fn revoke_others(ctx: &IdentityContext, request: &RequestContext, owner: SessionClaims) -> Result<SessionTimes, Fault> {
    let keep = request.keep_session(owner.session);
    transact!(ctx, "session.revoke_others", async |tx| {
        let Some(times) = session_end::end_others(tx, owner.user, keep, request.source.at).await? else {
            return Err(Fault::unauthorized().into());
        };
        audit::record(tx, REVOKED_OTHERS, AuditOutcome::Success, request.source.attempt(Some(owner.user))).await?;
        Ok(times)
    })
    .await
}

impl RequestContext {
    /// The session of the request, in its browser: what stays when everything else of the account ends.
    pub fn keep_session(&self, session: SessionId) -> KeepSession {
        KeepSession { session, browser: self.device.hash }
    }
}
