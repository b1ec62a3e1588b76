//! Further addresses of the files of assets: `asset_addresses`. A URL in content is good for as long as its
//! asset is: it leads to the file that the asset has now.

use super::assets::{COLUMNS, asset};
use crate::{Connection, Executor, Result, Tx, row};
use domain::{
    content::asset::{Asset, FileName, ObjectKey},
    shared::{AssetId, SpaceId},
};
use jiff::Timestamp;
use uuid::Uuid;

/// An asset whose file is served at an address.
#[derive(Debug, Clone)]
pub struct ServedAsset {
    pub asset: Asset,
    /// Whether the file is the one that the address was made for. Otherwise it was replaced, and can be
    /// again.
    pub is_original: bool,
}

/// The asset at an address, if its file is served now: unless it is in the trash, not published yet or
/// expired, or its space was deleted.
pub async fn find_served(connection: &Connection, key: ObjectKey, name: &str, now: Timestamp) -> Result<Option<ServedAsset>> {
    let sql = format!(
        "with address as (
             select id as asset_id, object as file from assets where space_id = $1 and object = $2 and name = $3
             union all
             select asset_id, file from asset_addresses where space_id = $1 and object = $2 and name = $3
             limit 1
         )
         select {COLUMNS}, asset.object = address.file as is_original
         from address join assets asset on asset.space_id = $1 and asset.id = address.asset_id join spaces on spaces.id = $1
         where asset.deleted_at is null and spaces.deleted_at is null
           and (asset.publish_at is null or asset.publish_at <= $4) and (asset.expire_at is null or asset.expire_at > $4)"
    );
    let found =
        connection.row_opt(&sql, &[/* space_id */ &key.space, /* object */ &key.id, /* name */ &name, /* now */ &now]).await?;
    found.map(|found| Ok(ServedAsset { asset: asset(&found)?, is_original: row::get(&found, "is_original")? })).transpose()
}

/// Keeps an address for an asset and the file that it has now.
pub async fn keep(tx: &Tx<'_>, space: SpaceId, id: AssetId, object: Uuid, name: &FileName) -> Result<()> {
    tx.execute(
        "insert into asset_addresses (space_id, object, name, asset_id, file)
         select $1, $2, $3, id, object from assets where space_id = $1 and id = $4
         on conflict (space_id, object, name) do nothing",
        &[/* space_id */ &space, /* object */ &object, /* name */ &name.as_str(), /* asset_id */ &id],
    )
    .await
    .map(drop)
}
