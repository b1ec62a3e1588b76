//! Management tokens: `management_tokens`. The secret itself is never here.

use crate::{Result, Session, row};
use domain::{
    content::Role,
    shared::{SpaceId, TokenId},
};

/// A token that was presented and is valid.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Bearer {
    /// The space it opens.
    pub space: SpaceId,
    /// Its number.
    pub id: TokenId,
    /// Its name.
    pub name: String,
    /// What it may do.
    pub role: Role,
}

/// The token of a hash, unless it was revoked or its space is deleted. Notes the use, at most once a minute.
pub async fn find_bearer(session: &Session, hash: &[u8; 32]) -> Result<Option<Bearer>> {
    let found = session
        .row_opt(
            "with found as (
                 select token.space_id, token.id, token.name, token.role, token.last_used_at
                 from management_tokens token join spaces on spaces.id = token.space_id
                 where token.token_hash = $1 and token.revoked_at is null and spaces.deleted_at is null
             ), used as (
                 update management_tokens token set last_used_at = now() from found
                 where token.space_id = found.space_id and token.id = found.id
                   and coalesce(found.last_used_at < now() - interval '1 minute', true)
             )
             select space_id, id, name, role from found",
            &[/* token_hash */ &hash.as_slice()],
        )
        .await?;
    let Some(found) = found else { return Ok(None) };
    Ok(Some(Bearer {
        space: SpaceId(row::get(&found, "space_id")?),
        id: TokenId(row::get(&found, "id")?),
        name: row::get(&found, "name")?,
        role: row::parsed(&found, "role", Role::of)?,
    }))
}
