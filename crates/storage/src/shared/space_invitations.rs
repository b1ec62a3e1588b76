//! The invitation behind a link, for the page that shows it and for taking it.

use super::people;
use crate::{Executor, Result, row};
use domain::shared::{Person, SpaceInvitation};
use jiff::Timestamp;

/// The invitation of a link; `None` when it has expired, was taken or withdrawn, or the space is deleted.
pub async fn find(executor: &impl Executor, hash: &[u8; 32], now: Timestamp) -> Result<Option<SpaceInvitation>> {
    let found = executor
        .row_opt(
            "select invitation.id, invitation.space_id, invitation.email, invitation.role, invitation.invited_by, spaces.name as space_name
             from space_invitations invitation join spaces on spaces.id = invitation.space_id
             where invitation.token_hash = $1 and invitation.expires_at > $2 and spaces.deleted_at is null",
            &[/* token_hash */ &hash.as_slice(), /* now */ &now],
        )
        .await?;
    let Some(found) = found else { return Ok(None) };
    let inviter = match row::get(&found, "invited_by")? {
        Some(person) => people::find(executor, person).await?,
        None => None,
    };
    Ok(Some(row::read!(&found => SpaceInvitation {
        id, email, space_name;
        space: row::get(&found, "space_id")?,
        role: row::named(&found, "role")?,
        inviter: inviter.as_ref().map(Person::friendly_name),
    })))
}
