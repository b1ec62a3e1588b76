//! Signing out, and ending sessions of an account.

use super::{IdentityContext, RequestContext, session_end};
use domain::shared::{Fault, SessionId, UserId};
use storage::{
    Result as StoreResult, Tx, TxOperation,
    identity::{
        Outcome, Source, audit,
        sessions::{KeepSession, REVOKED_OTHERS, SessionTimes},
    },
    shared::sessions::SessionClaims,
};

/// Ends the session of the request.
pub async fn sign_out(ctx: &IdentityContext, request: &RequestContext, owner: SessionClaims) -> Result<(), Fault> {
    Ok(ctx.store.transact(&SignOut { owner, source: request.source.clone() }).await?)
}

/// Ends one session of an account. 404 when the account has no such active session.
pub async fn revoke(ctx: &IdentityContext, request: &RequestContext, user: UserId, session: SessionId) -> Result<(), Fault> {
    let operation = RevokeSession { user, session, source: request.source.clone() };
    if ctx.store.transact(&operation).await? { Ok(()) } else { Err(Fault::not_found()) }
}

/// Ends every session of the account but that of the request. Answers what the session's new cookie claims. 401 when the session ended at this moment.
pub async fn revoke_others(ctx: &IdentityContext, request: &RequestContext, owner: SessionClaims) -> Result<SessionTimes, Fault> {
    let keep = request.keep_session(owner.session);
    Ok(ctx.store.transact(&RevokeOthers { user: owner.user, keep, source: request.source.clone() }).await?)
}

impl RequestContext {
    /// The session of the request, in its browser: what stays when everything else of the account ends.
    pub fn keep_session(&self, session: SessionId) -> KeepSession {
        KeepSession { session, browser: self.device.hash }
    }
}

struct SignOut {
    owner: SessionClaims,
    source: Source,
}

impl TxOperation for SignOut {
    type Output = ();

    const NAME: &'static str = "account.sign_out";

    async fn run(&self, tx: &Tx<'_>) -> StoreResult<()> {
        if session_end::end_session(tx, self.owner.session, self.source.at).await?.is_none() {
            return Ok(());
        }
        audit::record(tx, audit::Event::AuthLogout, Outcome::Success, self.source.attempt(Some(self.owner.user))).await
    }
}

struct RevokeSession {
    user: UserId,
    session: SessionId,
    source: Source,
}

impl TxOperation for RevokeSession {
    /// Whether the account had such an active session.
    type Output = bool;

    const NAME: &'static str = "session.revoke_one";

    async fn run(&self, tx: &Tx<'_>) -> StoreResult<bool> {
        let is_revoked = session_end::end_session_of(tx, self.user, self.session, self.source.at).await?;
        if is_revoked {
            audit::record(tx, audit::Event::SessionsRevokedOne, Outcome::Success, self.source.attempt(Some(self.user))).await?;
        }
        Ok(is_revoked)
    }
}

struct RevokeOthers {
    user: UserId,
    keep: KeepSession,
    source: Source,
}

impl TxOperation for RevokeOthers {
    /// For the session's new cookie.
    type Output = SessionTimes;

    const NAME: &'static str = "session.revoke_others";

    /// 401 when the session of the request ended at this moment: its request does not count any more.
    async fn run(&self, tx: &Tx<'_>) -> StoreResult<SessionTimes> {
        let Some(times) = session_end::end_others(tx, self.user, self.keep, self.source.at).await? else {
            return Err(Fault::unauthorized().into());
        };
        audit::record(tx, REVOKED_OTHERS, Outcome::Success, self.source.attempt(Some(self.user))).await?;
        Ok(times)
    }
}
