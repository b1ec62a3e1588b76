//! Spaces: `spaces` and `space_counters`.

use crate::{Connection, Executor, Result, Tx, row};
use domain::{
    content::{AdministeredSpace, Language, Space, SpaceSettings},
    shared::{SpaceId, UserId},
};
use jiff::Timestamp;
use tokio_postgres::Row;

const COLUMNS: &str =
    "space.id, space.name, space.domain, space.languages, space.default_lang_name, space.publish_requires_valid, space.environments, space.asset_meta_fields, space.owner_id,
    space.created_at, space.updated_at, counters.cv, counters.stories as stories_count";

/// A space that is not deleted.
pub async fn find(executor: &impl Executor, id: SpaceId) -> Result<Option<Space>> {
    let sql = format!(
        "select {COLUMNS} from spaces space join space_counters counters on counters.space_id = $1
         where space.id = $1 and space.deleted_at is null"
    );
    executor.row_opt(&sql, &[/* id */ &id]).await?.as_ref().map(space).transpose()
}

/// The spaces that a person is a member of and that are not deleted, by their numbers.
pub async fn list_of(connection: &Connection, member: UserId) -> Result<Vec<Space>> {
    let sql = format!(
        "select {COLUMNS} from spaces space join space_counters counters on counters.space_id = space.id
         join space_members member on member.space_id = space.id
         where member.user_id = $1 and space.deleted_at is null
         order by space.id"
    );
    connection.rows(&sql, &[/* user_id */ &member]).await?.iter().map(space).collect()
}

/// Adds a space with its counters; its first `cv` is now.
pub async fn insert(tx: &Tx<'_>, settings: &SpaceSettings, owner: Option<UserId>, at: Timestamp) -> Result<SpaceId> {
    let row = tx
        .row(
            "with made as (
                 insert into spaces (name, domain, languages, default_lang_name, publish_requires_valid, environments,
                                     asset_meta_fields, owner_id, created_at, updated_at)
                 values ($1, $2, $3, $4, $7, $8, $9, $5, $6, $6)
                 returning id
             )
             insert into space_counters (space_id, cv)
             select id, extract(epoch from $6::timestamptz)::bigint from made
             returning space_id",
            &[
                /* name */ &settings.name,
                /* domain */ &settings.domain,
                /* languages */ &row::to_json(&settings.languages)?,
                /* default_lang_name */ &settings.default_lang_name,
                /* owner_id */ &owner,
                /* created_at, updated_at */ &at,
                /* publish_requires_valid */ &settings.publish_requires_valid,
                /* environments */ &row::to_json(&settings.environments)?,
                /* asset_meta_fields */ &row::to_json(&settings.asset_meta_fields)?,
            ],
        )
        .await?;
    row::get(&row, "space_id")
}

/// The languages of a space beside its default one.
pub async fn languages(executor: &impl Executor, id: SpaceId) -> Result<Vec<Language>> {
    let row = executor.row("select languages from spaces where id = $1", &[/* id */ &id]).await?;
    row::list(&row, "languages")
}

/// The same, and the revision of its schemas, which grows with each change of a component.
pub async fn languages_and_schemas(executor: &impl Executor, id: SpaceId) -> Result<(Vec<Language>, i64)> {
    let row = executor.row("select languages, schemas_revision from spaces where id = $1", &[/* id */ &id]).await?;
    Ok((row::list(&row, "languages")?, row::get(&row, "schemas_revision")?))
}

/// Makes void what was counted by the schemas of a space: a component comes, goes or is changed.
pub(super) async fn note_changed_schemas(tx: &Tx<'_>, id: SpaceId) -> Result<()> {
    let sql = "update spaces set schemas_revision = schemas_revision + 1 where id = $1";
    tx.execute_one("space.schemas_revision", sql, &[/* id */ &id]).await
}

/// The settings of a space that is not deleted, locked until the transaction ends.
pub async fn lock(tx: &Tx<'_>, id: SpaceId) -> Result<Option<SpaceSettings>> {
    let found = tx
        .row_opt(
            "select name, domain, languages, default_lang_name, publish_requires_valid, environments, asset_meta_fields from spaces
             where id = $1 and deleted_at is null for no key update",
            &[/* id */ &id],
        )
        .await?;
    found.as_ref().map(settings).transpose()
}

/// A space that an administrator acts on, deleted or not, locked until the transaction ends.
pub async fn lock_for_administrator(tx: &Tx<'_>, id: SpaceId) -> Result<Option<AdministeredSpace>> {
    let found =
        tx.row_opt("select name, owner_id, deleted_at from spaces where id = $1 for no key update", &[/* id */ &id]).await?;
    let administered = |row: &Row| {
        Ok(AdministeredSpace {
            name: row::get(row, "name")?,
            owner: row::get(row, "owner_id")?,
            deleted_at: row::get(row, "deleted_at")?,
        })
    };
    found.as_ref().map(administered).transpose()
}

/// Changes the settings.
pub async fn update(tx: &Tx<'_>, id: SpaceId, settings: &SpaceSettings, at: Timestamp) -> Result<()> {
    tx.execute_one(
        "space.update",
        "update spaces set name = $2, domain = $3, languages = $4, default_lang_name = $5, updated_at = $6,
                publish_requires_valid = $7, environments = $8, asset_meta_fields = $9,
                languages_revision = case when languages = $4 then languages_revision
                                          else (select revision + 1 from space_counters where space_id = $1) end
         where id = $1",
        &[
            /* id */ &id,
            /* name */ &settings.name,
            /* domain */ &settings.domain,
            /* languages */ &row::to_json(&settings.languages)?,
            /* default_lang_name */ &settings.default_lang_name,
            /* updated_at */ &at,
            /* publish_requires_valid */ &settings.publish_requires_valid,
            /* environments */ &row::to_json(&settings.environments)?,
            /* asset_meta_fields */ &row::to_json(&settings.asset_meta_fields)?,
        ],
    )
    .await
}

/// Marks a space as deleted. From the commit on none of its tokens is valid.
pub async fn soft_delete(tx: &Tx<'_>, id: SpaceId, at: Timestamp) -> Result<()> {
    tx.execute_one(
        "space.delete",
        "update spaces set deleted_at = $2, updated_at = $2 where id = $1 and deleted_at is null",
        &[/* id */ &id, /* deleted_at, updated_at */ &at],
    )
    .await
}

/// Brings a deleted space back. From the commit on its tokens are valid again.
pub async fn undelete(tx: &Tx<'_>, id: SpaceId, at: Timestamp) -> Result<()> {
    tx.execute_one(
        "space.undelete",
        "update spaces set deleted_at = null, updated_at = $2 where id = $1 and deleted_at is not null",
        &[/* id */ &id, /* updated_at */ &at],
    )
    .await
}

/// The owner of a space.
pub async fn owner(tx: &Tx<'_>, id: SpaceId) -> Result<Option<UserId>> {
    let row = tx.row("select owner_id from spaces where id = $1", &[/* id */ &id]).await?;
    row::get(&row, "owner_id")
}

/// Gives a space an owner, or none.
pub async fn set_owner(tx: &Tx<'_>, id: SpaceId, owner: Option<UserId>, at: Timestamp) -> Result<()> {
    tx.execute_one(
        "space.set_owner",
        "update spaces set owner_id = $2, updated_at = $3 where id = $1",
        &[/* id */ &id, /* owner_id */ &owner, /* updated_at */ &at],
    )
    .await
}

fn space(row: &Row) -> Result<Space> {
    Ok(row::read!(row => Space {
        id, cv, stories_count, created_at, updated_at;
        settings: settings(row)?,
        owner: row::get(row, "owner_id")?,
    }))
}

fn settings(row: &Row) -> Result<SpaceSettings> {
    Ok(SpaceSettings {
        name: row::get(row, "name")?,
        domain: row::get(row, "domain")?,
        languages: row::json(row, "languages")?,
        default_lang_name: row::get(row, "default_lang_name")?,
        publish_requires_valid: row::get(row, "publish_requires_valid")?,
        environments: row::json(row, "environments")?,
        asset_meta_fields: row::json(row, "asset_meta_fields")?,
    })
}
