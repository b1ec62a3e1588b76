//! The history of a story: every save, publish and unpublish, numbered 1, 2, 3 … without a gap.

use crate::{Executor, Result, Tx, content::authors, row, row::Verbatim};
use domain::{
    content::story::{Edition, Story, StoryContent},
    shared::{Author, Page, PageRequest, SpaceId, StoryId},
};
use jiff::Timestamp;
use strum::{EnumString, IntoStaticStr};
use tokio_postgres::Row;

/// What a version was made by. Its name is on the wire and in the database.
#[derive(Debug, Clone, Copy, PartialEq, Eq, EnumString, IntoStaticStr)]
#[strum(const_into_str, serialize_all = "lowercase")]
pub enum Status {
    Draft,
    Published,
    Unpublished,
}

const COLUMNS: &str =
    "version.id, version.number, version.status, version.name, version.author_id, version.author, version.created_at";

/// A version of a story.
#[derive(Debug, Clone)]
pub struct Version {
    /// Its number in the space.
    pub id: i64,
    /// Its number in the story.
    pub number: i32,
    /// What it was made by.
    pub status: Status,
    /// The name of the story in it.
    pub name: String,
    /// The content; `None` when it was not asked for.
    pub content: Option<StoryContent>,
    pub author: Author,
    /// The time of its creation.
    pub created_at: Timestamp,
}

/// What a new version says beside its content.
#[derive(Debug, Clone, Copy)]
pub struct NewVersion<'a> {
    /// The kind of change that makes it.
    pub status: Status,
    /// The id and the label of the author, see [`domain::shared::Authorship`].
    pub author: (&'a str, &'a str),
    pub at: Timestamp,
}

/// Adds a version of a story's edition, under the number that the story has as its last one.
pub async fn insert(tx: &Tx<'_>, space: SpaceId, story: &Story, edition: &Edition, new: NewVersion<'_>) -> Result<()> {
    tx.execute_one(
        "version.insert",
        "insert into story_versions (space_id, story_id, number, status, name, content, author_id, author, created_at)
         values ($1, $2, $3, $4, $5, $6, $7, $8, $9)",
        &[
            /* space_id */ &space,
            /* story_id */ &story.id,
            /* number */ &story.last_version,
            /* status */ &new.status.into_str(),
            /* name */ &edition.name,
            /* content */ &Verbatim(edition.content.text().to_owned()),
            /* author_id */ &new.author.0,
            /* author */ &new.author.1,
            /* created_at */ &new.at,
        ],
    )
    .await
}

/// The versions of a story, newest first.
pub async fn list(
    executor: &impl Executor,
    space: SpaceId,
    story: StoryId,
    with_content: bool,
    page: PageRequest,
) -> Result<Page<Version>> {
    // A statement of its own, so that a page past the end has its total as well.
    let total = executor
        .rows(
            "select count(*) as total from story_versions where space_id = $1 and story_id = $2",
            &[/* space_id */ &space, /* story_id */ &story],
        )
        .await?
        .first()
        .map_or(Ok(0), |row| row::get(row, "total"))?;
    let rows = executor
        .rows(
            &format!(
                "select {COLUMNS}, case when $3 then version.content end as content, {}
                 from story_versions version {}
                 where version.space_id = $1 and version.story_id = $2
                 order by version.number desc limit $4 offset $5",
                authors::COLUMNS,
                authors::join("version.author_id")
            ),
            &[
                /* space_id */ &space,
                /* story_id */ &story,
                /* with_content */ &with_content,
                /* limit */ &page.limit(),
                /* offset */ &page.offset(),
            ],
        )
        .await?;
    Ok(Page { items: rows.iter().map(version).collect::<Result<_>>()?, total })
}

/// A version by its number in its story.
pub async fn find_numbered(executor: &impl Executor, space: SpaceId, story: StoryId, number: i32) -> Result<Option<Version>> {
    let sql = format!(
        "select {COLUMNS}, version.content, {}
         from story_versions version {}
         where version.space_id = $1 and version.story_id = $2 and version.number = $3",
        authors::COLUMNS,
        authors::join("version.author_id")
    );
    let found = executor.row_opt(&sql, &[/* space_id */ &space, /* story_id */ &story, /* number */ &number]).await?;
    found.as_ref().map(version).transpose()
}

/// When a version was made, by its number in its story.
pub async fn find_time(executor: &impl Executor, space: SpaceId, story: StoryId, number: i32) -> Result<Option<Timestamp>> {
    let found = executor
        .row_opt(
            "select created_at from story_versions where space_id = $1 and story_id = $2 and number = $3",
            &[/* space_id */ &space, /* story_id */ &story, /* number */ &number],
        )
        .await?;
    found.map(|row| row::get(&row, "created_at")).transpose()
}

/// A version by its number in the space, with its story.
pub async fn find(executor: &impl Executor, space: SpaceId, id: i64) -> Result<Option<(StoryId, Version)>> {
    executor
        .row_opt(
            &format!(
                "select version.story_id, {COLUMNS}, version.content, {}
                 from story_versions version {}
                 where version.space_id = $1 and version.id = $2",
                authors::COLUMNS,
                authors::join("version.author_id")
            ),
            &[/* space_id */ &space, /* id */ &id],
        )
        .await?
        .map(|row| Ok((row::get(&row, "story_id")?, version(&row)?)))
        .transpose()
}

fn version(row: &Row) -> Result<Version> {
    Ok(row::read!(row => Version {
        id, number, name, created_at;
        author: authors::author(row, "author_id", "author")?,
        status: row::named(row, "status")?,
        content: row::get::<Option<Verbatim>>(row, "content")?.map(|value| value.0.into()),
    }))
}
