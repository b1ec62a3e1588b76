//! Folders of assets: `asset_folders`.

use crate::{Query, Result, Tx, row};
use domain::{
    content::asset_folder::AssetFolder,
    shared::{AssetFolderId, SpaceId},
};
use jiff::Timestamp;
use tokio_postgres::Row;
use uuid::Uuid;

/// What is read of a folder.
const FOLDERS: &str = "select own.id, own.uuid, own.name, own.parent_id, above.uuid as parent_uuid
     from asset_folders own
          left join asset_folders above on above.space_id = own.space_id and above.id = own.parent_id";

/// Which folders are wanted; the default wants all.
#[derive(Debug, Clone, Default)]
pub struct Filter {
    /// The name holds this text, in whatever case.
    pub search: Option<String>,
    /// Children of this folder; 0 for those at the top.
    pub with_parent: Option<i64>,
    /// Any of these numbers.
    pub ids: Vec<i64>,
    /// Any of these UUIDs.
    pub uuids: Vec<Uuid>,
}

/// A folder to be added.
#[derive(Debug, Clone)]
pub struct NewFolder {
    /// Its UUID.
    pub uuid: Uuid,
    /// The name people see.
    pub name: String,
    /// The folder it stands in.
    pub parent: Option<AssetFolderId>,
}

/// The folders of a space by their numbers.
pub async fn list(query: &impl Query, space: SpaceId, filter: &Filter) -> Result<Vec<AssetFolder>> {
    let sql = format!(
        "{FOLDERS}
         where own.space_id = $1
           and ($2::text is null or strpos(lower(own.name), lower($2)) > 0)
           and ($3::bigint is null or coalesce(own.parent_id, 0) = $3)
           and (cardinality($4::bigint[]) = 0 or own.id = any($4))
           and (cardinality($5::uuid[]) = 0 or own.uuid = any($5))
         order by own.id"
    );
    let rows = query
        .rows(
            &sql,
            &[
                /* space_id */ &space.0,
                /* search */ &filter.search,
                /* with_parent */ &filter.with_parent,
                /* id */ &filter.ids,
                /* uuid */ &filter.uuids,
            ],
        )
        .await?;
    rows.iter().map(folder).collect()
}

/// One folder.
pub async fn find(query: &impl Query, space: SpaceId, id: AssetFolderId) -> Result<Option<AssetFolder>> {
    let sql = format!("{FOLDERS} where own.space_id = $1 and own.id = $2");
    query.row_opt(&sql, &[/* space_id */ &space.0, /* id */ &id.0]).await?.as_ref().map(folder).transpose()
}

/// Adds a folder and answers its number.
pub async fn insert(tx: &Tx<'_>, space: SpaceId, it: &NewFolder, at: Timestamp) -> Result<AssetFolderId> {
    let row = tx
        .row(
            "insert into asset_folders (space_id, uuid, name, parent_id, created_at, updated_at)
             values ($1, $2, $3, $4, $5, $5)
             returning id",
            &[
                /* space_id */ &space.0,
                /* uuid */ &it.uuid,
                /* name */ &it.name,
                /* parent_id */ &it.parent.map(|it| it.0),
                /* created_at, updated_at */ &at,
            ],
        )
        .await?;
    Ok(AssetFolderId(row::get(&row, "id")?))
}

/// Changes name and parent.
pub async fn update(
    tx: &Tx<'_>,
    space: SpaceId,
    id: AssetFolderId,
    name: &str,
    parent: Option<AssetFolderId>,
    at: Timestamp,
) -> Result<()> {
    tx.execute_one(
        "asset_folder.update",
        "update asset_folders set name = $3, parent_id = $4, updated_at = $5 where space_id = $1 and id = $2",
        &[
            /* space_id */ &space.0,
            /* id */ &id.0,
            /* name */ &name,
            /* parent_id */ &parent.map(|it| it.0),
            /* updated_at */ &at,
        ],
    )
    .await
}

/// Removes a folder. What stands in it, assets and folders, moves up to its parent.
pub async fn delete(tx: &Tx<'_>, space: SpaceId, id: AssetFolderId, at: Timestamp) -> Result<()> {
    for sql in [
        "update asset_folders child set parent_id = own.parent_id, updated_at = $3
         from asset_folders own
         where own.space_id = $1 and own.id = $2 and child.space_id = $1 and child.parent_id = $2",
        "update assets asset set asset_folder_id = own.parent_id, updated_at = $3
         from asset_folders own
         where own.space_id = $1 and own.id = $2 and asset.space_id = $1 and asset.asset_folder_id = $2",
    ] {
        tx.execute(sql, &[/* space_id */ &space.0, /* id */ &id.0, /* updated_at */ &at]).await?;
    }
    tx.execute_one(
        "asset_folder.delete",
        "delete from asset_folders where space_id = $1 and id = $2",
        &[/* space_id */ &space.0, /* id */ &id.0],
    )
    .await
}

fn folder(row: &Row) -> Result<AssetFolder> {
    Ok(AssetFolder {
        id: AssetFolderId(row::get(row, "id")?),
        uuid: row::get(row, "uuid")?,
        name: row::get(row, "name")?,
        parent_id: row::get::<Option<i64>>(row, "parent_id")?.map(AssetFolderId),
        parent_uuid: row::get(row, "parent_uuid")?,
    })
}
