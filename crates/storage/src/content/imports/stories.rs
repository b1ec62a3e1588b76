//! Writing many new stories at once.

mod insert;

pub use insert::insert;

use crate::{Connection, Executor, Result, Tx, row};
use domain::{
    content::{
        index::Field,
        story::{Edition, Story},
    },
    shared::{SpaceId, StoryId},
};
use jiff::Timestamp;
use uuid::Uuid;

/// A new story or folder.
#[derive(Debug)]
pub struct New<'a> {
    /// The story, with a number that was reserved for it.
    pub story: Story,
    /// What its authors see.
    pub draft: Words<'a>,
    /// What everybody sees, when that is something else.
    pub published: Option<Words<'a>>,
    /// Language, slug and name.
    pub translations: Vec<(&'a str, Option<&'a str>, Option<&'a str>)>,
    /// When it is to be published, beside what it carries itself.
    pub schedulings: Vec<Timestamp>,
}

/// An edition with what finds it.
#[derive(Debug, Clone, Copy)]
pub struct Words<'a> {
    /// The edition.
    pub edition: &'a Edition,
    /// The words of its content.
    pub search_text: &'a str,
    /// What its content refers to.
    pub refs: &'a [String],
    /// The plain fields of its content.
    pub fields: &'a [Field],
}

/// A story that stands somewhere.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Standing {
    /// Its number.
    pub id: i64,
    /// Its UUID.
    pub uuid: Uuid,
    /// Its path.
    pub full_slug: String,
    /// Whether it is a folder.
    pub is_folder: bool,
    /// Whether it is in the trash.
    pub is_deleted: bool,
}

/// Who stands at these paths, has these UUIDs, or these numbers. Each is looked up by itself: a plan for any number of them would read the whole space.
pub async fn standing(query: &impl Executor, space: SpaceId, paths: &[&str], uuids: &[Uuid], ids: &[i64]) -> Result<Vec<Standing>> {
    let rows = query
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
            &[/* space_id */ &space.0, /* full_slug */ &paths, /* uuid */ &uuids, /* id */ &ids],
        )
        .await?;
    rows.iter().map(standing_of).collect()
}

/// Every folder of a space.
pub async fn folders(query: &impl Executor, space: SpaceId) -> Result<Vec<Standing>> {
    let rows = query
        .rows(
            "select id, uuid, full_slug, is_folder, false as is_deleted from stories
             where space_id = $1 and is_folder and deleted_at is null",
            &[/* space_id */ &space.0],
        )
        .await?;
    rows.iter().map(standing_of).collect()
}

/// The number of each UUID in a space, deleted ones too.
pub async fn all_uuids(query: &impl Executor, space: SpaceId) -> Result<Vec<(Uuid, i64)>> {
    let rows = query.rows("select uuid, id from stories where space_id = $1", &[/* space_id */ &space.0]).await?;
    rows.iter().map(|r| Ok((row::get(r, "uuid")?, row::get(r, "id")?))).collect()
}

/// Gives a story another UUID: for every reader at once. Nobody else may have it.
pub async fn set_uuid(tx: &Tx<'_>, space: SpaceId, id: StoryId, uuid: Uuid) -> Result<()> {
    tx.execute(
        "with named as (update stories set uuid = $3 where space_id = $1 and id = $2)
         update editions set uuid = $3 where space_id = $1 and story_id = $2",
        &[/* space_id */ &space.0, /* id */ &id.0, /* uuid */ &uuid],
    )
    .await
    .map(drop)
}

/// Lets this transaction leave more words for later: the index of the full-text search takes many of them cheaper than few. Searches read what
/// was left from a list, so it must not become long, and [`settle`] has to follow.
pub async fn write_in_bulk(tx: &Tx<'_>) -> Result<()> {
    tx.row("select set_config('gin_pending_list_limit', '16MB', true)", &[]).await.map(drop)
}

/// Brings the words that were left for later into the index, and takes stock.
pub async fn settle(connection: &Connection) -> Result<()> {
    connection.row("select gin_clean_pending_list('editions_search')", &[]).await?;
    take_stock(connection).await
}

/// Tells PostgreSQL how much there is now: until it knows, it plans reads as if there was next to nothing, and walks through all of it.
pub async fn take_stock(connection: &Connection) -> Result<()> {
    connection.execute("analyze stories, editions, edition_fields, edition_tags, translated_slugs", &[]).await.map(drop)
}

/// Numbers for so many stories to come.
pub async fn reserve(tx: &Tx<'_>, count: usize) -> Result<Vec<i64>> {
    let count = i64::try_from(count).unwrap_or(i64::MAX);
    let rows = tx
        .rows(
            "select nextval(pg_get_serial_sequence('stories', 'id')) as id from generate_series(1, $1::bigint)",
            &[/* count */ &count],
        )
        .await?;
    rows.iter().map(|r| row::get(r, "id")).collect()
}

fn standing_of(row: &tokio_postgres::Row) -> Result<Standing> {
    Ok(Standing {
        id: row::get(row, "id")?,
        uuid: row::get(row, "uuid")?,
        full_slug: row::get(row, "full_slug")?,
        is_folder: row::get(row, "is_folder")?,
        is_deleted: row::get(row, "is_deleted")?,
    })
}
