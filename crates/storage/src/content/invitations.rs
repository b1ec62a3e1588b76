//! Invitations to a space: `space_invitations`, with the hashes of their links.

use crate::{Executor, Result, Tx, row};
use domain::{
    content::{Invitation, Role},
    shared::{Email, MemberId, SpaceId, UserId},
};
use jiff::Timestamp;
use tokio_postgres::Row;

const COLUMNS: &str = "invitation.id, invitation.email, invitation.role, invitation.invited_by, invitation.expires_at";

/// An invitation to be added.
#[derive(Debug, Clone, Copy)]
pub struct NewInvitation<'a> {
    pub email: &'a Email,
    pub role: Role,
    /// The hash of the link's token.
    pub hash: &'a [u8; 32],
    pub invited_by: Option<UserId>,
    pub at: Timestamp,
    pub expires_at: Timestamp,
}

/// Adds an invitation. It takes the place of one to the same address, whose link ends.
pub async fn replace(tx: &Tx<'_>, space: SpaceId, new: NewInvitation<'_>) -> Result<Invitation> {
    let sql = format!(
        "insert into space_invitations as invitation (space_id, email, role, token_hash, invited_by, created_at, expires_at)
         values ($1, $2, $3, $4, $5, $6, $7)
         on conflict (space_id, email) do update
         set id = excluded.id, role = excluded.role, token_hash = excluded.token_hash, invited_by = excluded.invited_by,
             created_at = excluded.created_at, expires_at = excluded.expires_at
         returning {COLUMNS}"
    );
    let row = tx
        .row(
            &sql,
            &[
                /* space_id */ &space,
                /* email */ &new.email.as_str(),
                /* role */ &new.role.into_str(),
                /* token_hash */ &new.hash.as_slice(),
                /* invited_by */ &new.invited_by,
                /* created_at */ &new.at,
                /* expires_at */ &new.expires_at,
            ],
        )
        .await?;
    invitation(&row)
}

/// The invitations of a space that have not expired, the oldest first.
pub async fn list(executor: &impl Executor, space: SpaceId, now: Timestamp) -> Result<Vec<Invitation>> {
    let sql = format!(
        "select {COLUMNS} from space_invitations invitation
         where invitation.space_id = $1 and invitation.expires_at > $2 order by invitation.id"
    );
    executor.rows(&sql, &[/* space_id */ &space, /* now */ &now]).await?.iter().map(invitation).collect()
}

/// Removes an invitation and returns it; `None` when it is gone.
pub async fn delete(tx: &Tx<'_>, space: SpaceId, id: MemberId) -> Result<Option<Invitation>> {
    let sql = format!(
        "delete from space_invitations invitation where invitation.space_id = $1 and invitation.id = $2 returning {COLUMNS}"
    );
    tx.row_opt(&sql, &[/* space_id */ &space, /* id */ &id]).await?.as_ref().map(invitation).transpose()
}

/// How many people a space has, members and invited ones together.
pub async fn count_people(tx: &Tx<'_>, space: SpaceId, now: Timestamp) -> Result<i64> {
    let counted = tx
        .row(
            "select (select count(*) from space_members where space_id = $1)
                  + (select count(*) from space_invitations where space_id = $1 and expires_at > $2) as people",
            &[/* space_id */ &space, /* now */ &now],
        )
        .await?;
    row::get(&counted, "people")
}

fn invitation(row: &Row) -> Result<Invitation> {
    Ok(row::read!(row => Invitation { id, email, invited_by, expires_at; role: row::named(row, "role")? }))
}
