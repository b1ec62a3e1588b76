//! Writing the roles that are assigned to a person: the one place for administrators and clients.

use domain::shared::UserId;
use jiff::Timestamp;
use storage::{Result as StoreResult, Tx, identity::role_assignments};

/// Replaces the roles of a person in a group. The account is locked by the caller.
pub(super) async fn replace(tx: &Tx<'_>, user: UserId, role_group: &str, roles: &[String], at: Timestamp) -> StoreResult<()> {
    role_assignments::replace(tx, user, role_group, roles, at).await
}

/// Gives a person back to the default roles of a group. The account is locked by the caller.
pub(super) async fn give_back(tx: &Tx<'_>, user: UserId, role_group: &str) -> StoreResult<()> {
    role_assignments::remove(tx, user, role_group).await
}
