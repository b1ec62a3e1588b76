//! Tokens that act for a person in spaces, which outlive sessions. They end with the person's right to act: a
//! suspension stops them until it ends (`storage::content::management_tokens::find_bearer` looks with each
//! request), and a deletion takes the person out of all spaces here, in its own transaction.

use super::IdentityContext;
use crate::shared::space_administration::ActBy;
use domain::shared::{Actor, UserId};
use storage::{Result as StoreResult, Tx, identity::AuditSource};

/// A person who does something to spaces, as their audit logs name them: by their number, never by their
/// address. `label` says as what.
pub(super) fn by(person: UserId, label: &str, source: &AuditSource) -> ActBy {
    let actor = Actor { kind: "user", id: person.to_string(), label: label.to_owned() };
    ActBy { actor, origin: source.origin, at: source.at }
}

/// Takes a person out of all spaces, whose account is deleted, with every token that acts for them. Returns
/// how many tokens those were.
pub(super) async fn leave_all(ctx: &IdentityContext, tx: &Tx<'_>, person: UserId, by: &ActBy) -> StoreResult<u64> {
    ctx.spaces.leave_all(tx, by, person).await
}

/// Revokes every token that acts for a person. Returns how many they were.
pub(super) async fn revoke_all(ctx: &IdentityContext, tx: &Tx<'_>, person: UserId, by: &ActBy) -> StoreResult<u64> {
    ctx.spaces.revoke_tokens_of(tx, by, person).await
}
