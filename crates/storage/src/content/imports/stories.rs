//! Existing stories, and the bulk insert of new ones.

mod insert;

pub use insert::insert;

use crate::{Connection, Executor, Result, Tx, row};
use domain::{
    content::{import::prepare, scheduling::StoryPlan, story::Story},
    shared::{SpaceId, StoryId},
};
use std::collections::{BTreeMap, HashMap};
use uuid::Uuid;

/// A new story or folder: its row, and the prepared story whose contents it gets.
#[derive(Debug)]
pub struct NewStory<'a> {
    /// The row, with a reserved id.
    pub story: Story,
    /// The prepared story: its contents and translations.
    pub source: &'a prepare::Story,
    /// Further times at which it is to be published.
    pub schedulings: Vec<StoryPlan>,
}

/// An existing story or folder.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ExistingStory {
    pub id: StoryId,
    pub uuid: Uuid,
    pub full_slug: String,
    pub is_folder: bool,
    /// Whether it is in the trash.
    pub is_deleted: bool,
}

/// Finds the stories with these paths, UUIDs or ids. Each value has a lookup of its own (`offset 0`), because
/// PostgreSQL's plan for an array of unknown length would read the whole space.
pub async fn find_existing(
    executor: &impl Executor,
    space: SpaceId,
    paths: &[&str],
    uuids: &[Uuid],
    ids: &[StoryId],
) -> Result<Vec<ExistingStory>> {
    let rows = executor
        .rows(
            "with found as (
                 select story.* from unnest($2::text[]) as given (full_slug) cross join lateral (
                     select * from stories where space_id = $1 and stories.full_slug = given.full_slug and deleted_at is null offset 0
                 ) story
                 union all
                 select story.* from unnest($3::uuid[]) as given (uuid) cross join lateral (
                     select * from stories where space_id = $1 and stories.uuid = given.uuid offset 0
                 ) story
                 union all
                 select story.* from unnest($4::bigint[]) as given (id) cross join lateral (
                     select * from stories where space_id = $1 and stories.id = given.id offset 0
                 ) story
             )
             select distinct id, uuid, full_slug, is_folder, deleted_at is not null as is_deleted from found",
            &[/* space_id */ &space, /* full_slug */ &paths, /* uuid */ &uuids, /* id */ &ids],
        )
        .await?;
    rows.iter().map(existing_story).collect()
}

/// All folders of a space, including deleted ones.
pub async fn list_folders(executor: &impl Executor, space: SpaceId) -> Result<Vec<ExistingStory>> {
    let rows = executor
        .rows(
            "select id, uuid, full_slug, is_folder, deleted_at is not null as is_deleted from stories where space_id = $1 and is_folder",
            &[/* space_id */ &space],
        )
        .await?;
    rows.iter().map(existing_story).collect()
}

/// The paths of folders in other languages, by language.
pub async fn list_folder_translations(
    executor: &impl Executor,
    space: SpaceId,
) -> Result<HashMap<StoryId, BTreeMap<String, String>>> {
    let rows = executor
        .rows(
            "select translated.story_id, translated.lang, translated.path from translated_slugs translated
             join stories folder on folder.space_id = $1 and folder.id = translated.story_id
             where translated.space_id = $1 and folder.is_folder and folder.deleted_at is null",
            &[/* space_id */ &space],
        )
        .await?;
    let mut folders: HashMap<_, BTreeMap<_, _>> = HashMap::new();
    for r in &rows {
        folders.entry(row::get(r, "story_id")?).or_default().insert(row::get(r, "lang")?, row::get(r, "path")?);
    }
    Ok(folders)
}

/// The ids of all stories of a space by their UUIDs, including deleted ones.
pub async fn list_uuids(executor: &impl Executor, space: SpaceId) -> Result<HashMap<Uuid, StoryId>> {
    let rows = executor.rows("select uuid, id from stories where space_id = $1", &[/* space_id */ &space]).await?;
    rows.iter().map(|r| Ok((row::get(r, "uuid")?, row::get(r, "id")?))).collect()
}

/// Changes the UUID of a story in all its rows. The UUID must be unused.
pub async fn set_uuid(tx: &Tx<'_>, space: SpaceId, id: StoryId, uuid: Uuid) -> Result<()> {
    tx.execute(
        "with named as (update stories set uuid = $3 where space_id = $1 and id = $2)
         update editions set uuid = $3 where space_id = $1 and story_id = $2",
        &[/* space_id */ &space, /* id */ &id, /* uuid */ &uuid],
    )
    .await
    .map(drop)
}

/// Raises the limit of the search index's pending list for this transaction: GIN inserts many entries cheaper
/// than few. Searches scan the pending list sequentially, so [`flush_search_index`] has to follow.
pub async fn defer_search_index(tx: &Tx<'_>) -> Result<()> {
    tx.row("select set_config('gin_pending_list_limit', '16MB', true)", &[]).await.map(drop)
}

/// Moves the pending list into the search index, and updates the statistics.
pub async fn flush_search_index(connection: &Connection) -> Result<()> {
    connection.row("select gin_clean_pending_list('editions_search')", &[]).await?;
    analyze(connection).await
}

/// Updates the planner's statistics. Without them PostgreSQL plans for nearly empty tables, with sequential
/// scans.
pub async fn analyze(connection: &Connection) -> Result<()> {
    connection.execute("analyze stories, editions, edition_fields, edition_tags, translated_slugs", &[]).await.map(drop)
}

/// Reserves ids for new stories.
pub async fn reserve_ids(tx: &Tx<'_>, count: usize) -> Result<Vec<StoryId>> {
    let count = i64::try_from(count).unwrap_or(i64::MAX);
    let rows = tx
        .rows(
            "select nextval(pg_get_serial_sequence('stories', 'id')) as id from generate_series(1, $1::bigint)",
            &[/* count */ &count],
        )
        .await?;
    rows.iter().map(|r| row::get(r, "id")).collect()
}

fn existing_story(row: &tokio_postgres::Row) -> Result<ExistingStory> {
    Ok(row::read!(row => ExistingStory { id, uuid, full_slug, is_folder, is_deleted }))
}
