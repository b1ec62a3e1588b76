//! The editions of a story, which are what readers see of it: its draft and its published copy. The index
//! tables `edition_fields` and `edition_tags` are written with them.

use crate::{Executor, Result, Tx, row::Verbatim};
use domain::{
    content::{index, references, story::Edition},
    shared::{SpaceId, StoryId},
};
use jiff::Timestamp;

/// Adds the draft of a story that was just inserted.
pub async fn insert_draft(tx: &Tx<'_>, space: SpaceId, id: StoryId, draft: &Edition) -> Result<()> {
    let content = draft.content.tree()?;
    let sql = with_index_rows(
        "insert into editions (space_id, edition, story_id, uuid, name, slug, full_slug, parent_id, position, is_startpage, is_folder,
                               component, content, doc, search_text, refs, tags, sort_by_date, path, meta_data, group_id,
                               created_at, updated_at, published_at, first_published_at)
         select space_id, 'draft', id, uuid, $3, slug, full_slug, parent_id, position, is_startpage, is_folder,
                $4, $5, $5::json::jsonb, $6, $11, $7, $8, $9, $10, group_id, created_at, updated_at, published_at, first_published_at
         from stories where space_id = $1 and id = $2",
    );
    tx.row(
        &sql,
        &[
            /* space_id */ &space,
            /* story_id */ &id,
            /* name */ &draft.name,
            /* component */ &draft.component,
            /* content */ &Verbatim(draft.content.text().to_owned()),
            /* search_text */ &index::text(content),
            /* tags */ &draft.tags,
            /* sort_by_date */ &draft.sort_by_date,
            /* path */ &draft.path,
            /* meta_data */ &draft.meta_data.clone().map(Verbatim),
            /* refs */ &references::index_refs(content),
        ],
    )
    .await
    .map(drop)
}

/// Replaces the draft.
pub async fn save_draft(tx: &Tx<'_>, space: SpaceId, id: StoryId, draft: &Edition) -> Result<()> {
    let content = draft.content.tree()?;
    let sql = with_index_rows(
        "update editions set name = $3, component = $4, content = $5, doc = $5::json::jsonb, search_text = $6, tags = $7,
                sort_by_date = $8, path = $9, meta_data = $10, refs = $11
         where space_id = $1 and edition = 'draft' and story_id = $2",
    );
    tx.row(
        &sql,
        &[
            /* space_id */ &space,
            /* story_id */ &id,
            /* name */ &draft.name,
            /* component */ &draft.component,
            /* content */ &Verbatim(draft.content.text().to_owned()),
            /* search_text */ &index::text(content),
            /* tags */ &draft.tags,
            /* sort_by_date */ &draft.sort_by_date,
            /* path */ &draft.path,
            /* meta_data */ &draft.meta_data.clone().map(Verbatim),
            /* refs */ &references::index_refs(content),
        ],
    )
    .await
    .map(drop)
}

/// Copies the draft, with its index rows, over the published edition, which may not exist yet.
pub async fn publish(tx: &Tx<'_>, space: SpaceId, id: StoryId) -> Result<()> {
    tx.execute_one(
        "edition.publish",
        "with untagged as (
             delete from edition_tags where space_id = $1 and edition = 'published' and story_id = $2
         ), unindexed as (
             delete from edition_fields where space_id = $1 and edition = 'published' and story_id = $2
         ), tagged as (
             insert into edition_tags (space_id, edition, story_id, position, tag)
             select space_id, 'published', story_id, position, tag
             from edition_tags where space_id = $1 and edition = 'draft' and story_id = $2
         ), indexed as (
             insert into edition_fields (space_id, edition, story_id, position, field, value, is_whole, is_element)
             select space_id, 'published', story_id, position, field, value, is_whole, is_element
             from edition_fields where space_id = $1 and edition = 'draft' and story_id = $2
         )
         insert into editions (space_id, edition, story_id, uuid, name, slug, full_slug, parent_id, position, is_startpage, is_folder,
                               component, content, doc, search_text, refs, tags, marks, more_marks, sort_by_date, path, meta_data,
                               group_id, created_at, updated_at, published_at, first_published_at)
         select space_id, 'published', story_id, uuid, name, slug, full_slug, parent_id, position, is_startpage, is_folder,
                component, content, doc, search_text, refs, tags, marks, more_marks, sort_by_date, path, meta_data, group_id,
                created_at, updated_at, published_at, first_published_at
         from editions where space_id = $1 and edition = 'draft' and story_id = $2
         on conflict (space_id, story_id, edition) do update set
                name = excluded.name, slug = excluded.slug, full_slug = excluded.full_slug, parent_id = excluded.parent_id,
                position = excluded.position, is_startpage = excluded.is_startpage, component = excluded.component,
                content = excluded.content, doc = excluded.doc, search_text = excluded.search_text, refs = excluded.refs,
                tags = excluded.tags, marks = excluded.marks, more_marks = excluded.more_marks,
                sort_by_date = excluded.sort_by_date, path = excluded.path, meta_data = excluded.meta_data,
                group_id = excluded.group_id, created_at = excluded.created_at, updated_at = excluded.updated_at,
                published_at = excluded.published_at, first_published_at = excluded.first_published_at",
        &[/* space_id */ &space, /* story_id */ &id],
    )
    .await
}

/// Sets when the published edition was published.
pub async fn stamp_published(tx: &Tx<'_>, space: SpaceId, id: StoryId, at: Timestamp) -> Result<()> {
    tx.execute_one(
        "edition.stamp_published",
        "update editions set published_at = $3 where space_id = $1 and edition = 'published' and story_id = $2",
        &[/* space_id */ &space, /* story_id */ &id, /* published_at */ &at],
    )
    .await
}

/// Removes the published edition.
pub async fn unpublish(tx: &Tx<'_>, space: SpaceId, id: StoryId) -> Result<()> {
    tx.execute_one(
        "edition.unpublish",
        "delete from editions where space_id = $1 and edition = 'published' and story_id = $2",
        &[/* space_id */ &space, /* story_id */ &id],
    )
    .await
}

/// The text of a statement that writes a draft, completed by the writing of its index rows: its tags, and the
/// plain fields of its root block. The fields are taken from what PostgreSQL makes of the content, so that
/// numbers of indexed and of unindexed fields are compared alike. Folders have no index rows: no reader looks
/// for them. `$1` is the space and `$2` the story in all of it; it returns one row.
fn with_index_rows(write: &str) -> String {
    format!(
        "with edition as (
             {write}
             returning position, is_folder, doc, tags
         ), untagged as (
             delete from edition_tags where space_id = $1 and edition = 'draft' and story_id = $2
         ), unindexed as (
             delete from edition_fields where space_id = $1 and edition = 'draft' and story_id = $2
         ), tagged as (
             insert into edition_tags (space_id, edition, story_id, position, tag)
             select $1, 'draft', $2, edition.position, tag.value
             from edition, lateral (select distinct unnest(edition.tags)) tag (value) where not edition.is_folder
         ), indexed as (
             insert into edition_fields (space_id, edition, story_id, position, field, value, is_whole, is_element)
             select $1, 'draft', $2, edition.position, plain.field, left(plain.value, 200), char_length(plain.value) <= 200, plain.is_element
             from edition,
                  lateral (
                      select field, value #>> '{{}}' as value, false as is_element from jsonb_each(edition.doc) as each (field, value)
                      where jsonb_typeof(value) in ('string', 'number', 'boolean')
                      union all
                      select field, item #>> '{{}}', true
                      from jsonb_each(edition.doc) as each (field, value),
                           jsonb_array_elements(case when jsonb_typeof(value) = 'array' then value else '[]' end) as element (item)
                      where jsonb_typeof(item) in ('string', 'number', 'boolean')
                  ) plain
             where not edition.is_folder and char_length(plain.field) <= 200
         )
         select 1 as written from edition"
    )
}
