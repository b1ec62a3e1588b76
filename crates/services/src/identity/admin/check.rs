//! What the transactions of administrators begin with.

use domain::shared::{Fault, UserId};
use jiff::Timestamp;
use storage::{
    Result as StoreResult, Tx,
    identity::{
        Attempt, Source,
        accounts::{self, WithPassword},
        audit::Actor,
    },
    shared::sessions::{self, SessionClaims},
};

/// 401 when the session of the administrator has ended since the request began, 403 when the right was removed.
pub(super) async fn check_administrator(tx: &Tx<'_>, administrator: SessionClaims, at: Timestamp) -> StoreResult<()> {
    let active = sessions::find_active(tx, administrator, at).await?.ok_or_else(Fault::unauthorized)?;
    if active.is_admin { Ok(()) } else { Err(Fault::forbidden("Only administrators may do this").into()) }
}

/// Locks the account that an administrator acts on, see [`accounts::lock`]; 404 when there is none. Refuses as [`check_administrator`] does.
pub(super) async fn lock_user(tx: &Tx<'_>, administrator: SessionClaims, user: UserId, at: Timestamp) -> StoreResult<WithPassword> {
    let locked = accounts::lock(tx, user).await?;
    check_administrator(tx, administrator, at).await?;
    locked.ok_or_else(|| Fault::not_found().into())
}

/// What the audit trail records of an act of an administrator, on an account or on none.
pub(super) fn attempt(source: &Source, administrator: SessionClaims, user: Option<UserId>) -> Attempt<'_> {
    source.attempt(user).by(Actor::Admin(administrator.user))
}
