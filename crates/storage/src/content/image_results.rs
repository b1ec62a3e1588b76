//! Results of the image service that are kept: `image_results`. The object of a result exists before its row
//! is written.

use super::assets::{hash, signed, unsigned};
use crate::{Connection, Executor, Result, Tx, row};
use domain::content::asset::ObjectKey;
use jiff::Timestamp;
use tokio_postgres::Row;

/// How many results an eviction looks at in one statement.
const EVICTED: i64 = 100;

/// A result.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ImageResult {
    pub key: ObjectKey,
    pub content_type: String,
    /// How many bytes it has.
    pub bytes: u64,
    pub sha256: [u8; 32],
    /// When it was used, as far as that was noted.
    pub used_at: Timestamp,
}

/// The result of a transformation of an object.
pub async fn find(executor: &impl Executor, original: ObjectKey, transformation: &str) -> Result<Option<ImageResult>> {
    let found = executor
        .row_opt(
            "select space_id, result, content_type, content_length, sha256, used_at
             from image_results where space_id = $1 and object = $2 and transformation = $3",
            &[/* space_id */ &original.space, /* object */ &original.id, /* transformation */ &transformation],
        )
        .await?;
    found.as_ref().map(result).transpose()
}

/// Adds a result, unless there is one of this transformation already. Returns whether it was added.
pub async fn insert(tx: &Tx<'_>, original: ObjectKey, transformation: &str, result: &ImageResult) -> Result<bool> {
    let touched = tx
        .execute(
            "insert into image_results (space_id, object, transformation, result, content_type, content_length, sha256, used_at)
             values ($1, $2, $3, $4, $5, $6, $7, $8)
             on conflict (space_id, object, transformation) do nothing",
            &[
                /* space_id */ &original.space,
                /* object */ &original.id,
                /* transformation */ &transformation,
                /* result */ &result.key.id,
                /* content_type */ &result.content_type,
                /* content_length */ &signed(result.bytes),
                /* sha256 */ &result.sha256.as_slice(),
                /* used_at */ &result.used_at,
            ],
        )
        .await?;
    Ok(touched == 1)
}

/// How many bytes all results have. The transaction that has added one holds the row of this sum, so other
/// transactions wait until it ends before they add one.
pub async fn usage(executor: &impl Executor) -> Result<u64> {
    let found = executor.row("select bytes from image_usage", &[]).await?;
    unsigned(&found, "bytes")
}

/// Removes results that were not used for longest, until at least `bytes` are free, as far as one statement
/// does it. Those that another transaction is changing are left alone. Returns their objects, and how many
/// bytes they had.
pub async fn evict(tx: &Tx<'_>, bytes: u64) -> Result<(Vec<ObjectKey>, u64)> {
    let rows = tx
        .rows(
            "with oldest as materialized (
                 select space_id, object, transformation, content_length, used_at, result
                 from image_results order by used_at, result limit $2 for update skip locked
             ), summed as (
                 select space_id, object, transformation,
                        (sum(content_length) over (order by used_at, result) - content_length)::bigint as before
                 from oldest
             )
             delete from image_results kept using summed
             where kept.space_id = summed.space_id and kept.object = summed.object and kept.transformation = summed.transformation
               and summed.before < $1
             returning kept.space_id, kept.result, kept.content_length",
            &[/* bytes */ &signed(bytes), /* limit */ &EVICTED],
        )
        .await?;
    let mut freed = 0;
    for removed in &rows {
        freed += unsigned(removed, "content_length")?;
    }
    Ok((keys(&rows)?, freed))
}

/// Notes that a result was used.
pub async fn touch(connection: &Connection, result: ObjectKey, now: Timestamp) -> Result<()> {
    connection
        .execute(
            "update image_results set used_at = $3 where space_id = $1 and result = $2 and used_at < $3",
            &[/* space_id */ &result.space, /* result */ &result.id, /* now */ &now],
        )
        .await
        .map(drop)
}

/// Forgets a result whose object is gone.
pub async fn remove(connection: &Connection, result: ObjectKey) -> Result<()> {
    connection
        .execute(
            "delete from image_results where space_id = $1 and result = $2",
            &[/* space_id */ &result.space, /* result */ &result.id],
        )
        .await
        .map(drop)
}

/// Removes results of files that are not served any more: their assets were deleted, replaced or have
/// expired. At most `limit`; returns their objects.
pub async fn remove_stale(connection: &Connection, now: Timestamp, limit: i64) -> Result<Vec<ObjectKey>> {
    let rows = connection
        .rows(
            "delete from image_results where (space_id, result) in (
                 select kept.space_id, kept.result from image_results kept
                 where not exists (
                     select from assets asset
                     where asset.space_id = kept.space_id and asset.object = kept.object and asset.deleted_at is null
                       and (asset.expire_at is null or asset.expire_at > $1)
                 )
                 limit $2 for update skip locked
             )
             returning space_id, result",
            &[/* now */ &now, /* limit */ &limit],
        )
        .await?;
    keys(&rows)
}

fn keys(rows: &[Row]) -> Result<Vec<ObjectKey>> {
    rows.iter().map(key).collect()
}

fn key(row: &Row) -> Result<ObjectKey> {
    Ok(ObjectKey { space: row::get(row, "space_id")?, id: row::get(row, "result")? })
}

fn result(row: &Row) -> Result<ImageResult> {
    Ok(ImageResult {
        key: key(row)?,
        content_type: row::get(row, "content_type")?,
        bytes: unsigned(row, "content_length")?,
        sha256: hash(row)?,
        used_at: row::get(row, "used_at")?,
    })
}
