//! Slugs and names of a story in other languages.

use crate::{Executor, Result, Tx, content::where_builder::Subtree, row};
use domain::{
    content::{slug, story::Story},
    shared::{SpaceId, StoryId},
};
use serde::Deserialize;
use tokio_postgres::Row;

/// A story's slug and name in one language.
#[derive(Debug, Clone, Deserialize)]
pub struct TranslatedSlug {
    pub id: i64,
    pub lang: String,
    /// The story's own segment in that language; `None` keeps the default one.
    pub slug: Option<String>,
    /// The name in that language.
    pub name: Option<String>,
    /// The whole path in that language.
    pub path: String,
}

impl TranslatedSlug {
    /// Whether an author set it. Others only follow from a translated folder above.
    pub fn is_own(&self) -> bool {
        self.slug.is_some() || self.name.is_some()
    }
}

/// The translated slugs of a story, by language.
pub async fn of_story(executor: &impl Executor, space: SpaceId, story: StoryId) -> Result<Vec<TranslatedSlug>> {
    executor
        .rows(
            "select id, lang, slug, name, path from translated_slugs where space_id = $1 and story_id = $2 order by lang",
            &[/* space_id */ &space, /* story_id */ &story],
        )
        .await?
        .iter()
        .map(translated_slug)
        .collect()
}

/// Sets a language's slug and name, and returns the number of the row. The path is written by
/// [`refresh_paths`].
pub async fn put(tx: &Tx<'_>, space: SpaceId, story: StoryId, lang: &str, slug: Option<&str>, name: Option<&str>) -> Result<i64> {
    let row = tx
        .row(
            "insert into translated_slugs (space_id, story_id, lang, slug, name, path) values ($1, $2, $3, $4, $5, '')
         on conflict (space_id, story_id, lang) do update set slug = excluded.slug, name = excluded.name
         returning id",
            &[
                /* space_id */ &space, /* story_id */ &story, /* lang */ &lang, /* slug */ &slug,
                /* name */ &name,
            ],
        )
        .await?;
    row::get(&row, "id")
}

/// Removes a language's slug and name.
pub async fn remove(tx: &Tx<'_>, space: SpaceId, story: StoryId, lang: &str) -> Result<()> {
    tx.execute(
        "delete from translated_slugs where space_id = $1 and story_id = $2 and lang = $3",
        &[/* space_id */ &space, /* story_id */ &story, /* lang */ &lang],
    )
    .await?;
    Ok(())
}

/// Writes the translated paths of a story, and of everything below it when it is a folder, as they follow
/// from the slugs above.
///
/// Below a folder with a path in a language every story has one, with or without a slug of its own there. 422
/// when one becomes too long.
pub async fn refresh_paths(tx: &Tx<'_>, space: SpaceId, story: &Story) -> Result<()> {
    tx.execute(
        "with recursive spread as (
             select story.id, above.lang from stories story
             join translated_slugs above on above.space_id = $1 and above.story_id = story.parent_id
             where story.space_id = $1 and story.id = $2
             union
             select own.story_id, own.lang from translated_slugs own where own.space_id = $1 and own.story_id = $2
             union
             select child.id, spread.lang from spread
             cross join lateral (select id from stories where space_id = $1 and parent_id = spread.id and deleted_at is null offset 0) child
         )
         insert into translated_slugs (space_id, story_id, lang, path) select $1, id, lang, '' from spread
         on conflict (space_id, story_id, lang) do nothing",
        &[/* space_id */ &space, /* id */ &story.id],
    )
    .await?;
    let subtree = Subtree::story(story);
    let refreshed = tx
        .row(
            "with recursive chain as (
             select own.id, own.lang, story.parent_id as above,
                    case when story.is_startpage and story.parent_id <> 0 then '' else coalesce(own.slug, story.slug) end as path
             from stories story
             join translated_slugs own on own.space_id = $1 and own.story_id = story.id
             where story.space_id = $1 and (story.id = $2 or (story.full_slug ~>=~ $3 and story.full_slug ~<~ $4))
             union all
             select chain.id, chain.lang, folder.parent_id, coalesce(translated.slug, folder.slug) || '/' || chain.path
             from chain
             join stories folder on folder.space_id = $1 and folder.id = chain.above
             left join translated_slugs translated
                  on translated.space_id = $1 and translated.story_id = folder.id and translated.lang = chain.lang
         ),
         refreshed as (
             update translated_slugs slug set path = chain.path from chain
             where slug.space_id = $1 and slug.id = chain.id and chain.above = 0 and slug.path <> chain.path
               and octet_length(chain.path) <= $5
             returning slug.story_id
         ),
         revised as (
             update stories set revision = revision where space_id = $1 and id in (select story_id from refreshed)
         )
         select coalesce(bool_or(octet_length(path) > $5), false) as is_too_long from chain where above = 0",
            &[
                /* space_id */ &space,
                /* id */ &story.id,
                /* from */ &subtree.from,
                /* before */ &subtree.before,
                /* max_path */ &i32::try_from(slug::MAX_FULL_SLUG).unwrap_or(i32::MAX),
            ],
        )
        .await?;
    if row::get(&refreshed, "is_too_long")? { Err(slug::too_long().into()) } else { Ok(()) }
}

/// A path of a story, or of one below it, that another story has in the same language.
#[derive(Debug, Clone)]
pub struct SharedPath {
    pub lang: String,
    /// The path in it.
    pub path: String,
    pub other: StoryId,
}

/// The first path that a story, or one below it when it is a folder, shares in some language with a story
/// that is not deleted. In a language in which a story has no translated path, it is at its default one. The
/// lock on the space keeps such a path from appearing between this and the commit.
pub async fn find_shared_path(tx: &Tx<'_>, space: SpaceId, story: &Story) -> Result<Option<SharedPath>> {
    let subtree = Subtree::story(story);
    let found = tx
        .row_opt(
            "with refreshed as materialized (
                 select id, full_slug from stories where space_id = $1 and id = $2
                 union
                 select id, full_slug from stories where space_id = $1 and full_slug ~>=~ $3 and full_slug ~<~ $4 and deleted_at is null
             ),
             translated as materialized (
                 select refreshed.id, own.lang, own.path from refreshed
                 cross join lateral (select lang, path from translated_slugs where space_id = $1 and story_id = refreshed.id offset 0) own
             ),
             shared as (
                 select own.lang, own.path, other.story_id from translated own
                 cross join lateral (
                     select story_id from translated_slugs where space_id = $1 and path = own.path and lang = own.lang and story_id <> own.id offset 0
                 ) other
                 cross join lateral (select from stories where space_id = $1 and id = other.story_id and deleted_at is null offset 0) active
                 union all
                 select own.lang, own.path, other.id from translated own
                 cross join lateral (
                     select id from stories where space_id = $1 and full_slug = own.path and id <> own.id and deleted_at is null offset 0
                 ) other
                 where not exists (select from translated_slugs where space_id = $1 and story_id = other.id and lang = own.lang)
                 union all
                 select other.lang, own.full_slug, other.story_id from refreshed own
                 cross join lateral (
                     select lang, story_id from translated_slugs where space_id = $1 and path = own.full_slug and story_id <> own.id offset 0
                 ) other
                 cross join lateral (select from stories where space_id = $1 and id = other.story_id and deleted_at is null offset 0) active
                 where not exists (select from translated_slugs where space_id = $1 and story_id = own.id and lang = other.lang)
             )
             select lang, path, story_id from shared order by path, lang limit 1",
            &[
                /* space_id */ &space,
                /* id */ &story.id,
                /* from */ &subtree.from,
                /* before */ &subtree.before,
            ],
        )
        .await?;
    let shared = |row: &Row| {
        Ok(SharedPath { lang: row::get(row, "lang")?, path: row::get(row, "path")?, other: row::get(row, "story_id")? })
    };
    found.as_ref().map(shared).transpose()
}

fn translated_slug(row: &Row) -> Result<TranslatedSlug> {
    Ok(row::read!(row => TranslatedSlug { id, lang, slug, name, path }))
}
