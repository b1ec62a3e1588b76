//! Delivery tokens: `delivery_tokens`, with the hashes of their secrets. [`super::delivery`] authenticates
//! with them.

use crate::{Connection, Executor, Result, Tx, row};
use domain::{
    content::{
        story_scope::StoryScope,
        token::{DeliveryKind, DeliveryToken},
    },
    shared::{SpaceId, StoryId, TokenId},
};
use jiff::Timestamp;
use tokio_postgres::Row;

/// The valid tokens of a space by their numbers.
pub async fn list(connection: &Connection, space: SpaceId) -> Result<Vec<DeliveryToken>> {
    let rows = connection
        .rows(
            "select id, kind, name, story_ids, created_at from delivery_tokens where space_id = $1 and revoked_at is null order by id",
            &[/* space_id */ &space],
        )
        .await?;
    rows.iter().map(token).collect()
}

/// How many valid tokens a space has.
pub async fn count(tx: &Tx<'_>, space: SpaceId) -> Result<i64> {
    let row = tx
        .row("select count(*) as live from delivery_tokens where space_id = $1 and revoked_at is null", &[/* space_id */ &space])
        .await?;
    row::get(&row, "live")
}

/// A token to be added.
#[derive(Debug, Clone, Copy)]
pub struct NewToken<'a> {
    pub kind: DeliveryKind,
    /// The name people see.
    pub name: &'a str,
    /// The stories that it may read.
    pub scope: &'a StoryScope,
    /// The hash of the secret.
    pub hash: &'a [u8; 32],
    /// The sealed secret of a preview token.
    pub sealed: Option<&'a [u8]>,
}

/// Adds a token.
pub async fn insert(tx: &Tx<'_>, space: SpaceId, new: NewToken<'_>, at: Timestamp) -> Result<DeliveryToken> {
    let row = tx
        .row(
            "insert into delivery_tokens (space_id, kind, name, story_ids, token_hash, created_at, sealed)
             values ($1, $2, $3, $4, $5, $6, $7)
             returning id, kind, name, story_ids, created_at",
            &[
                /* space_id */ &space,
                /* kind */ &new.kind.into_str(),
                /* name */ &new.name,
                /* story_ids */ &new.scope.ids(),
                /* token_hash */ &new.hash.as_slice(),
                /* created_at */ &at,
                /* sealed */ &new.sealed,
            ],
        )
        .await?;
    token(&row)
}

/// The hash and the sealed secret of the newest token that previews can be signed with; `None` when there is
/// no such valid one.
pub async fn find_signing(executor: &impl Executor, space: SpaceId) -> Result<Option<([u8; 32], Vec<u8>)>> {
    let found = executor
        .row_opt(
            "select token_hash, sealed from delivery_tokens
             where space_id = $1 and sealed is not null and revoked_at is null order by id desc limit 1",
            &[/* space_id */ &space],
        )
        .await?;
    let Some(found) = found else { return Ok(None) };
    let hash = row::get::<&[u8]>(&found, "token_hash")?.try_into();
    let hash = hash.map_err(|_| crate::Error::Internal("column token_hash: not 32 bytes".to_owned()))?;
    Ok(Some((hash, row::get(&found, "sealed")?)))
}

/// Revokes a token and returns it; `None` when there is no such valid token.
pub async fn revoke(tx: &Tx<'_>, space: SpaceId, id: TokenId, at: Timestamp) -> Result<Option<DeliveryToken>> {
    tx.row_opt(
        "update delivery_tokens set revoked_at = $3, sealed = null
         where space_id = $1 and id = $2 and revoked_at is null
         returning id, kind, name, story_ids, created_at",
        &[/* space_id */ &space, /* id */ &id, /* revoked_at */ &at],
    )
    .await?
    .as_ref()
    .map(token)
    .transpose()
}

fn token(row: &Row) -> Result<DeliveryToken> {
    Ok(DeliveryToken {
        id: row::get(row, "id")?,
        kind: row::named(row, "kind")?,
        name: row::get(row, "name")?,
        scope: scope(row)?,
        created_at: row::get(row, "created_at")?,
    })
}

/// The scope in the column `story_ids`.
pub(super) fn scope(row: &Row) -> Result<StoryScope> {
    let ids: Option<Vec<StoryId>> = row::get(row, "story_ids")?;
    Ok(StoryScope::of(ids.unwrap_or_default()))
}
