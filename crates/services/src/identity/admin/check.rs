//! What the transactions of administrators begin with.

use crate::{
    identity::{IdentityContext, RequestContext, acting_tokens},
    shared::space_administration::ActBy,
};
use domain::shared::{Fault, UserId};
use jiff::Timestamp;
use storage::{
    Result as StoreResult, Tx,
    identity::{
        Attempt, AuditSource,
        accounts::{self, WithPassword},
        audit::Actor,
        sessions::KeepSession,
    },
    shared::sessions::{self, SessionClaims},
};

/// An administrator who does something, by a request.
#[derive(Clone, Copy)]
pub struct ActingAdministrator<'a> {
    pub ctx: &'a IdentityContext,
    pub request: &'a RequestContext,
    /// The session of the request.
    pub claims: SessionClaims,
}

impl<'a> ActingAdministrator<'a> {
    /// The time that everything the request writes carries.
    pub(super) fn at(self) -> Timestamp {
        self.request.source.at
    }

    /// [`check_administrator`].
    pub(super) async fn check(self, tx: &Tx<'_>) -> StoreResult<()> {
        check_administrator(tx, self.claims, self.at()).await
    }

    /// Locks the account that is acted on, see [`accounts::lock`]; 404 when there is none. Refuses as
    /// [`check_administrator`] does.
    pub(super) async fn lock_user(self, tx: &Tx<'_>, user: UserId) -> StoreResult<WithPassword> {
        let locked = accounts::lock(tx, user).await?;
        self.check(tx).await?;
        locked.ok_or_else(|| Fault::not_found().into())
    }

    /// What the audit trail records, of an account or of none.
    pub(super) fn attempt(self, user: Option<UserId>) -> Attempt<'a> {
        attempt(&self.request.source, self.claims, user)
    }

    /// The administrator as the audit logs of spaces name them.
    pub(super) fn in_spaces(self) -> ActBy {
        acting_tokens::by(self.claims.user, "administrator", &self.request.source)
    }

    /// The session of the request, where an act ends the others of its own account.
    pub(super) fn own_session(self, user: UserId) -> Option<KeepSession> {
        (user == self.claims.user).then(|| self.request.keep_session(self.claims.session))
    }
}

/// 401 when the session of the administrator has ended since the request began, 403 when the right was
/// removed.
pub(super) async fn check_administrator(tx: &Tx<'_>, administrator: SessionClaims, at: Timestamp) -> StoreResult<()> {
    let active = sessions::find_active(tx, administrator, at).await?.ok_or_else(Fault::unauthorized)?;
    if active.is_admin { Ok(()) } else { Err(Fault::forbidden("Only administrators may do this").into()) }
}

/// What the audit trail records of an act of an administrator, on an account or on none.
pub(super) fn attempt(source: &AuditSource, administrator: SessionClaims, user: Option<UserId>) -> Attempt<'_> {
    source.attempt(user).by(Actor::Admin(administrator.user))
}
