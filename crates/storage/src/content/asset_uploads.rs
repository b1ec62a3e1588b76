//! Unfinished signed uploads: `asset_uploads`.

use super::{
    asset_addresses,
    assets::{hash, pixels, signed, size, unsigned},
};
use crate::{Connection, Executor, Result, Tx, row};
use domain::{
    content::asset::{AssetChange, File, FileName, ObjectKey, Stored},
    shared::{AssetId, SpaceId},
};
use jiff::Timestamp;
use tokio_postgres::Row;
use uuid::Uuid;

/// A signed upload that was begun.
#[derive(Debug, Clone)]
pub struct Upload {
    /// The asset that it creates, or whose file it replaces.
    pub asset: AssetId,
    /// The identifier that the form signs.
    pub ticket: Uuid,
    /// Whether the asset exists already.
    pub replaces: bool,
    pub name: FileName,
    /// The attributes to set.
    pub change: AssetChange,
    /// The end of the form's validity.
    pub expires_at: Timestamp,
    /// The file, once it has arrived.
    pub file: Option<File>,
}

/// How many uploads of a space are unfinished.
pub async fn count(tx: &Tx<'_>, space: SpaceId, now: Timestamp) -> Result<i64> {
    let counted = tx
        .row_opt(
            "select count(*) as uploads from asset_uploads where space_id = $1 and expires_at > $2",
            &[/* space_id */ &space, /* now */ &now],
        )
        .await?;
    counted.as_ref().map_or(Ok(0), |counted| row::get(counted, "uploads"))
}

/// Adds an upload. It replaces an unfinished one of the same asset.
pub async fn begin(tx: &Tx<'_>, space: SpaceId, upload: &Upload) -> Result<()> {
    tx.execute_one(
        "asset_upload.begin",
        "insert into asset_uploads (space_id, asset_id, ticket, replaces, name, change, expires_at)
         values ($1, $2, $3, $4, $5, $6, $7)
         on conflict (space_id, asset_id) do update
         set ticket = excluded.ticket, replaces = excluded.replaces, name = excluded.name, change = excluded.change,
             expires_at = excluded.expires_at, object = null, content_type = null, content_length = null, sha256 = null, width = null,
             height = null",
        &[
            /* space_id */ &space,
            /* asset_id */ &upload.asset,
            /* ticket */ &upload.ticket,
            /* replaces */ &upload.replaces,
            /* name */ &upload.name.as_str(),
            /* change */ &upload.change.to_json(),
            /* expires_at */ &upload.expires_at,
        ],
    )
    .await
}

/// Finds an upload.
pub async fn find(executor: &impl Executor, space: SpaceId, asset: AssetId) -> Result<Option<Upload>> {
    let found = executor
        .row_opt(
            "select space_id, asset_id, ticket, replaces, name, change, expires_at, object, content_type, content_length, sha256, width, height
             from asset_uploads where space_id = $1 and asset_id = $2",
            &[/* space_id */ &space, /* asset_id */ &asset],
        )
        .await?;
    found.as_ref().map(upload).transpose()
}

/// Stores the file of an upload. Returns false when it had arrived before, or the ticket was replaced.
pub async fn complete(connection: &Connection, space: SpaceId, upload: &Upload, stored: &Stored) -> Result<bool> {
    let (width, height) = pixels(stored.size);
    let touched = connection
        .execute(
            "update asset_uploads
             set object = $4, content_type = $5, content_length = $6, sha256 = $7, width = $8, height = $9
             where space_id = $1 and asset_id = $2 and ticket = $3 and object is null",
            &[
                /* space_id */ &space,
                /* asset_id */ &upload.asset,
                /* ticket */ &upload.ticket,
                /* object */ &stored.key.id,
                /* content_type */ &stored.content_type,
                /* content_length */ &signed(stored.bytes),
                /* sha256 */ &stored.sha256.as_slice(),
                /* width */ &width,
                /* height */ &height,
            ],
        )
        .await?;
    Ok(touched == 1)
}

/// Ends an upload whose asset is written. From now on the address that its form promised leads to the file as
/// well.
pub async fn end(tx: &Tx<'_>, space: SpaceId, upload: &Upload) -> Result<()> {
    tx.execute_one(
        "asset_upload.end",
        "delete from asset_uploads where space_id = $1 and asset_id = $2",
        &[/* space_id */ &space, /* asset_id */ &upload.asset],
    )
    .await?;
    asset_addresses::keep(tx, space, upload.asset, upload.ticket, &upload.name).await
}

fn upload(row: &Row) -> Result<Upload> {
    let space = row::get(row, "space_id")?;
    let name = FileName::of(row::get(row, "name")?);
    let change: serde_json::Map<String, serde_json::Value> = row::json(row, "change")?;
    let file = match row::get::<Option<Uuid>>(row, "object")? {
        None => None,
        Some(id) => Some(File {
            key: ObjectKey { space, id },
            name: name.clone(),
            bytes: unsigned(row, "content_length")?,
            sha256: hash(row)?,
            content_type: row::get(row, "content_type")?,
            size: size(row)?,
        }),
    };
    Ok(Upload {
        asset: row::get(row, "asset_id")?,
        ticket: row::get(row, "ticket")?,
        replaces: row::get(row, "replaces")?,
        name,
        change: AssetChange::of(&change),
        expires_at: row::get(row, "expires_at")?,
        file,
    })
}
