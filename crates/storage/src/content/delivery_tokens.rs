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

/// Adds a token.
pub async fn insert(
    tx: &Tx<'_>,
    space: SpaceId,
    kind: DeliveryKind,
    name: &str,
    scope: &StoryScope,
    hash: &[u8; 32],
    at: Timestamp,
) -> Result<DeliveryToken> {
    let row = tx
        .row(
            "insert into delivery_tokens (space_id, kind, name, story_ids, token_hash, created_at)
             values ($1, $2, $3, $4, $5, $6)
             returning id, kind, name, story_ids, created_at",
            &[
                /* space_id */ &space,
                /* kind */ &kind.into_str(),
                /* name */ &name,
                /* story_ids */ &scope.ids(),
                /* token_hash */ &hash.as_slice(),
                /* created_at */ &at,
            ],
        )
        .await?;
    token(&row)
}

/// Revokes a token and returns it; `None` when there is no such valid token.
pub async fn revoke(tx: &Tx<'_>, space: SpaceId, id: TokenId, at: Timestamp) -> Result<Option<DeliveryToken>> {
    tx.row_opt(
        "update delivery_tokens set revoked_at = $3
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
