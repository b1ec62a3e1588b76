//! Writing assets.

use super::{COLUMNS, asset, pixels, signed};
use crate::{Error, Executor, Result, Tx, row};
use domain::{
    content::asset::{Asset, AssetMeta, File, FileName},
    shared::{AssetFolderId, AssetId, Fault, FieldCode, SpaceId},
};
use jiff::Timestamp;
use tokio_postgres::Row;

/// Reserves the number of a new asset.
pub async fn reserve(tx: &Tx<'_>) -> Result<AssetId> {
    let row = tx.row("select nextval(pg_get_serial_sequence('assets', 'id')) as id", &[]).await?;
    row::get(&row, "id")
}

/// Adds an asset. 422 when its folder does not exist.
pub async fn insert(tx: &Tx<'_>, space: SpaceId, id: AssetId, (file, meta): (&File, &AssetMeta), at: Timestamp) -> Result<Asset> {
    let (width, height) = pixels(file.size);
    let sql = format!(
        "insert into assets as asset (
             space_id, id, object, name, content_type, content_length, sha256, width, height, alt, title, copyright, source, focus, ext_id,
             asset_folder_id, is_private, locked, expire_at, publish_at, internal_tag_ids, meta_data, created_at, updated_at)
         values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18, $19, $20, $21, $22, $23, $23)
         returning {COLUMNS}"
    );
    let row = tx
        .row(
            &sql,
            &[
                /* space_id */ &space,
                /* id */ &id,
                /* object */ &file.key.id,
                /* name */ &file.name.as_str(),
                /* content_type */ &file.content_type,
                /* content_length */ &signed(file.bytes),
                /* sha256 */ &file.sha256.as_slice(),
                /* width */ &width,
                /* height */ &height,
                /* alt */ &meta.alt,
                /* title */ &meta.title,
                /* copyright */ &meta.copyright,
                /* source */ &meta.source,
                /* focus */ &meta.focus,
                /* ext_id */ &meta.ext_id,
                /* asset_folder_id */ &meta.folder,
                /* is_private */ &meta.is_private,
                /* locked */ &meta.locked,
                /* expire_at */ &meta.expire_at,
                /* publish_at */ &meta.publish_at,
                /* internal_tag_ids */ &meta.internal_tag_ids,
                /* meta_data */ &row::to_json(&meta.meta_data)?,
                /* created_at, updated_at */ &at,
            ],
        )
        .await
        .map_err(constraint_fault)?;
    asset(&row)
}

/// Gives an asset another file. The former object has no row any more.
pub async fn replace(tx: &Tx<'_>, space: SpaceId, id: AssetId, file: &File, at: Timestamp) -> Result<Asset> {
    let (width, height) = pixels(file.size);
    let sql = format!(
        "update assets asset
         set object = $3, name = $4, content_type = $5, content_length = $6, sha256 = $7, width = $8, height = $9, updated_at = $10
         where asset.space_id = $1 and asset.id = $2
         returning {COLUMNS}"
    );
    let row = tx
        .row(
            &sql,
            &[
                /* space_id */ &space,
                /* id */ &id,
                /* object */ &file.key.id,
                /* name */ &file.name.as_str(),
                /* content_type */ &file.content_type,
                /* content_length */ &signed(file.bytes),
                /* sha256 */ &file.sha256.as_slice(),
                /* width */ &width,
                /* height */ &height,
                /* updated_at */ &at,
            ],
        )
        .await?;
    asset(&row)
}

/// Gives the file of an asset another name.
pub async fn rename(tx: &Tx<'_>, space: SpaceId, id: AssetId, name: &FileName, at: Timestamp) -> Result<Asset> {
    let sql = format!(
        "update assets asset set name = $3, updated_at = $4 where asset.space_id = $1 and asset.id = $2 returning {COLUMNS}"
    );
    asset(&tx.row(&sql, &[/* space_id */ &space, /* id */ &id, /* name */ &name.as_str(), /* updated_at */ &at]).await?)
}

/// Changes the attributes of an asset. 422 when its folder does not exist.
pub async fn update(tx: &Tx<'_>, space: SpaceId, id: AssetId, meta: &AssetMeta, at: Timestamp) -> Result<Asset> {
    let sql = format!(
        "update assets asset
         set alt = $3, title = $4, copyright = $5, source = $6, focus = $7, ext_id = $8, asset_folder_id = $9, is_private = $10,
             locked = $11, expire_at = $12, publish_at = $13, internal_tag_ids = $14, meta_data = $15, updated_at = $16
         where asset.space_id = $1 and asset.id = $2
         returning {COLUMNS}"
    );
    let row = tx
        .row(
            &sql,
            &[
                /* space_id */ &space,
                /* id */ &id,
                /* alt */ &meta.alt,
                /* title */ &meta.title,
                /* copyright */ &meta.copyright,
                /* source */ &meta.source,
                /* focus */ &meta.focus,
                /* ext_id */ &meta.ext_id,
                /* asset_folder_id */ &meta.folder,
                /* is_private */ &meta.is_private,
                /* locked */ &meta.locked,
                /* expire_at */ &meta.expire_at,
                /* publish_at */ &meta.publish_at,
                /* internal_tag_ids */ &meta.internal_tag_ids,
                /* meta_data */ &row::to_json(&meta.meta_data)?,
                /* updated_at */ &at,
            ],
        )
        .await
        .map_err(constraint_fault)?;
    asset(&row)
}

/// Moves an asset to the trash, or out of it.
pub async fn set_deleted(tx: &Tx<'_>, space: SpaceId, id: AssetId, deleted_at: Option<Timestamp>) -> Result<Asset> {
    let sql = format!("update assets asset set deleted_at = $3 where asset.space_id = $1 and asset.id = $2 returning {COLUMNS}");
    asset(&tx.row(&sql, &[/* space_id */ &space, /* id */ &id, /* deleted_at */ &deleted_at]).await?)
}

/// Moves assets to the trash, or out of it; they are returned by their numbers.
pub async fn set_all_deleted(tx: &Tx<'_>, space: SpaceId, ids: &[i64], deleted_at: Option<Timestamp>) -> Result<Vec<Asset>> {
    let sql =
        format!("update assets asset set deleted_at = $3 where asset.space_id = $1 and asset.id = any($2) returning {COLUMNS}");
    let rows = tx.rows(&sql, &[/* space_id */ &space, /* id */ &ids, /* deleted_at */ &deleted_at]).await?;
    by_number(&rows)
}

/// The assets in folders, but for those in the trash.
pub async fn ids_in_folders(tx: &Tx<'_>, space: SpaceId, folders: &[i64]) -> Result<Vec<i64>> {
    let sql = "select id from assets where space_id = $1 and asset_folder_id = any($2) and deleted_at is null order by id";
    let rows = tx.rows(sql, &[/* space_id */ &space, /* asset_folder_id */ &folders]).await?;
    rows.iter().map(|row| row::get(row, "id")).collect()
}

/// Moves assets to a folder, or out of every folder. 422 when the folder does not exist.
pub async fn move_to_folder(
    tx: &Tx<'_>,
    space: SpaceId,
    ids: &[i64],
    folder: Option<AssetFolderId>,
    at: Timestamp,
) -> Result<Vec<Asset>> {
    let sql = format!(
        "update assets asset set asset_folder_id = $3, updated_at = $4 where asset.space_id = $1 and asset.id = any($2) returning {COLUMNS}"
    );
    let folder = folder.map(|f| f.0);
    let rows = tx
        .rows(&sql, &[/* space_id */ &space, /* id */ &ids, /* asset_folder_id */ &folder, /* updated_at */ &at])
        .await
        .map_err(constraint_fault)?;
    by_number(&rows)
}

/// Takes tags away from assets, and adds others behind those that they have.
pub async fn change_tags(
    tx: &Tx<'_>,
    space: SpaceId,
    ids: &[i64],
    (added, removed): (&[i64], &[i64]),
    at: Timestamp,
) -> Result<Vec<Asset>> {
    let sql = format!(
        "update assets asset set internal_tag_ids = array(
             select own.tag from unnest(asset.internal_tag_ids) with ordinality own (tag, number)
             where own.tag <> all ($4::bigint[]) order by own.number
         ) || array(
             select added.tag from unnest($3::bigint[]) with ordinality added (tag, number)
             where added.tag <> all (asset.internal_tag_ids) group by added.tag order by min(added.number)
         ), updated_at = $5
         where asset.space_id = $1 and asset.id = any($2) returning {COLUMNS}"
    );
    let rows = tx
        .rows(
            &sql,
            &[
                /* space_id */ &space, /* id */ &ids, /* added */ &added, /* removed */ &removed,
                /* updated_at */ &at,
            ],
        )
        .await?;
    by_number(&rows)
}

fn by_number(rows: &[Row]) -> Result<Vec<Asset>> {
    let mut assets = rows.iter().map(asset).collect::<Result<Vec<_>>>()?;
    assets.sort_unstable_by_key(|a| a.id);
    Ok(assets)
}

/// The violation of a constraint as the fault that the caller gets.
fn constraint_fault(error: Error) -> Error {
    match error.constraint() {
        Some("assets_folder") => Fault::invalid("asset_folder_id", FieldCode::Unknown, "does not exist").into(),
        _ => error,
    }
}
