//! Assets: `assets`. The object of a file exists before its row is written.

mod list;
mod write;

pub use list::{AssetFilter, AssetOrder, Times, list};
pub use write::{
    change_tags, ids_in_folders, insert, move_to_folder, rename, replace, reserve, set_all_deleted, set_deleted, update,
};

use crate::{Connection, Executor, Result, row};
use domain::{
    content::asset::{Asset, AssetMeta, File, FileName, ObjectKey},
    shared::{AssetId, SpaceId},
};
use tokio_postgres::Row;
use uuid::Uuid;

/// The columns of an asset.
pub(super) const COLUMNS: &str = "asset.id, asset.space_id, asset.object, asset.name, asset.content_type, asset.content_length, asset.sha256,
    asset.width, asset.height, asset.alt, asset.title, asset.copyright, asset.source, asset.focus, asset.ext_id, asset.asset_folder_id,
    asset.is_private, asset.locked, asset.expire_at, asset.publish_at, asset.internal_tag_ids, asset.meta_data, asset.created_at,
    asset.updated_at, asset.deleted_at,
    case when asset.internal_tag_ids = '{}' then '[]' else coalesce((
        select jsonb_agg(jsonb_build_object('id', tag.id, 'name', tag.name) order by tag.name)
        from internal_tags tag
        where tag.space_id = $1 and tag.id = any(asset.internal_tag_ids) and tag.object_type = 'asset'
    ), '[]') end as internal_tags";

/// One asset, in the trash or not.
pub async fn find(executor: &impl Executor, space: SpaceId, id: AssetId) -> Result<Option<Asset>> {
    let sql = format!("select {COLUMNS} from assets asset where asset.space_id = $1 and asset.id = $2");
    executor.row_opt(&sql, &[/* space_id */ &space, /* id */ &id]).await?.as_ref().map(asset).transpose()
}

/// The assets of these numbers that are not in the trash, by their numbers.
pub async fn find_all(executor: &impl Executor, space: SpaceId, ids: &[i64]) -> Result<Vec<Asset>> {
    let sql = format!(
        "select {COLUMNS} from assets asset
         where asset.space_id = $1 and asset.id = any($2) and asset.deleted_at is null
         order by asset.id"
    );
    executor.rows(&sql, &[/* space_id */ &space, /* id */ &ids]).await?.iter().map(asset).collect()
}

/// The assets of these numbers, in the trash or not, by their numbers.
pub async fn find_any(executor: &impl Executor, space: SpaceId, ids: &[AssetId]) -> Result<Vec<Asset>> {
    let sql = format!("select {COLUMNS} from assets asset where asset.space_id = $1 and asset.id = any($2) order by asset.id");
    executor.rows(&sql, &[/* space_id */ &space, /* id */ &ids]).await?.iter().map(asset).collect()
}

/// The objects among these that no asset names, and no result that is kept.
pub async fn without_row(connection: &Connection, keys: &[ObjectKey]) -> Result<Vec<ObjectKey>> {
    let rows = connection
        .rows(
            "select lying.space_id, lying.object
             from unnest($1::bigint[], $2::uuid[]) as lying (space_id, object)
             where not exists (
                 select from assets asset where asset.space_id = lying.space_id and asset.object = lying.object
             ) and not exists (
                 select from image_results kept where kept.space_id = lying.space_id and kept.result = lying.object
             )",
            &[
                /* space_id */ &keys.iter().map(|key| key.space).collect::<Vec<_>>(),
                /* object */ &keys.iter().map(|key| key.id).collect::<Vec<_>>(),
            ],
        )
        .await?;
    rows.iter().map(|r| Ok(ObjectKey { space: row::get(r, "space_id")?, id: row::get(r, "object")? })).collect()
}

pub(super) fn asset(row: &Row) -> Result<Asset> {
    let space = row::get(row, "space_id")?;
    let meta_data: serde_json::Map<String, serde_json::Value> = row::json(row, "meta_data")?;
    Ok(Asset {
        id: row::get(row, "id")?,
        space,
        file: File {
            key: ObjectKey { space, id: row::get::<Uuid>(row, "object")? },
            name: FileName::of(row::get(row, "name")?),
            bytes: unsigned(row, "content_length")?,
            sha256: hash(row)?,
            content_type: row::get(row, "content_type")?,
            size: size(row)?,
        },
        meta: row::read!(row => AssetMeta {
            alt, title, copyright, source, focus, ext_id, is_private, locked, expire_at, publish_at, internal_tag_ids;
            folder: row::get(row, "asset_folder_id")?,
            meta_data,
        }),
        internal_tags: row::json(row, "internal_tags")?,
        created_at: row::get(row, "created_at")?,
        updated_at: row::get(row, "updated_at")?,
        deleted_at: row::get(row, "deleted_at")?,
    })
}

/// The columns of a file's size in pixels.
pub(super) fn size(row: &Row) -> Result<Option<(u32, u32)>> {
    let pixels =
        |column| -> Result<Option<u32>> { Ok(row::get::<Option<i32>>(row, column)?.and_then(|value| u32::try_from(value).ok())) };
    Ok(pixels("width")?.zip(pixels("height")?))
}

/// The column of a file's hash.
pub(super) fn hash(row: &Row) -> Result<[u8; 32]> {
    let bytes: &[u8] = row::get(row, "sha256")?;
    bytes.try_into().map_err(|_| crate::Error::Internal("column sha256: not 32 bytes".to_owned()))
}

/// A column that is never negative.
pub(super) fn unsigned(row: &Row, column: &str) -> Result<u64> {
    Ok(row::get::<i64>(row, column)?.unsigned_abs())
}

/// A number for a `bigint` column.
pub(super) fn signed(number: u64) -> i64 {
    i64::try_from(number).unwrap_or(i64::MAX)
}

/// Pixels for `integer` columns.
pub(super) fn pixels(size: Option<(u32, u32)>) -> (Option<i32>, Option<i32>) {
    let whole = |value: u32| i32::try_from(value).unwrap_or(i32::MAX);
    (size.map(|(width, _)| whole(width)), size.map(|(_, height)| whole(height)))
}
