//! What readers see of a story: its draft and its published copy, with what finds them (columns, `edition_fields` and `edition_tags`).

use crate::{Error, Executor, Result, Tx, row::Verbatim};
use domain::{
    content::{index, references, story::Edition},
    shared::{SpaceId, StoryId},
};
use jiff::Timestamp;
use serde_json::Value;

/// Adds the draft of a story that was just inserted.
pub async fn insert_draft(tx: &Tx<'_>, space: SpaceId, id: StoryId, draft: &Edition) -> Result<()> {
    let content = parsed(draft)?;
    tx.execute_one(
        "edition.insert",
        "insert into editions (space_id, edition, story_id, uuid, name, slug, full_slug, parent_id, position, is_startpage, is_folder,
                               component, content, doc, search_text, refs, tags, sort_by_date, path, meta_data, group_id,
                               created_at, updated_at, published_at, first_published_at)
         select space_id, 'draft', id, uuid, $3, slug, full_slug, parent_id, position, is_startpage, is_folder,
                $4, $5, $5::json::jsonb, $6, $11, $7, $8, $9, $10, group_id, created_at, updated_at, published_at, first_published_at
         from stories where space_id = $1 and id = $2",
        &[
            /* space_id */ &space.0,
            /* story_id */ &id.0,
            /* name */ &draft.name,
            /* component */ &draft.component,
            /* content */ &Verbatim(draft.content.clone()),
            /* search_text */ &index::text(&content),
            /* tags */ &draft.tags,
            /* sort_by_date */ &draft.sort_by_date,
            /* path */ &draft.path,
            /* meta_data */ &draft.meta_data.clone().map(Verbatim),
            /* refs */ &references::written(&content),
        ],
    )
    .await?;
    insert_fields(tx, space, id).await
}

/// Replaces what the draft says.
pub async fn save_draft(tx: &Tx<'_>, space: SpaceId, id: StoryId, draft: &Edition) -> Result<()> {
    let content = parsed(draft)?;
    tx.execute_one(
        "edition.save",
        "with unindexed as (delete from edition_fields where space_id = $1 and edition = 'draft' and story_id = $2),
              untagged as (delete from edition_tags where space_id = $1 and edition = 'draft' and story_id = $2)
         update editions set name = $3, component = $4, content = $5, doc = $5::json::jsonb, search_text = $6, tags = $7,
                sort_by_date = $8, path = $9, meta_data = $10, refs = $11
         where space_id = $1 and edition = 'draft' and story_id = $2",
        &[
            /* space_id */ &space.0,
            /* story_id */ &id.0,
            /* name */ &draft.name,
            /* component */ &draft.component,
            /* content */ &Verbatim(draft.content.clone()),
            /* search_text */ &index::text(&content),
            /* tags */ &draft.tags,
            /* sort_by_date */ &draft.sort_by_date,
            /* path */ &draft.path,
            /* meta_data */ &draft.meta_data.clone().map(Verbatim),
            /* refs */ &references::written(&content),
        ],
    )
    .await?;
    insert_fields(tx, space, id).await
}

/// Makes the draft edition the published one.
pub async fn publish(tx: &Tx<'_>, space: SpaceId, id: StoryId) -> Result<()> {
    tx.execute(
        "delete from editions where space_id = $1 and edition = 'published' and story_id = $2",
        &[/* space_id */ &space.0, /* story_id */ &id.0],
    )
    .await?;
    tx.execute_one(
        "edition.publish",
        "insert into editions (space_id, edition, story_id, uuid, name, slug, full_slug, parent_id, position, is_startpage, is_folder,
                               component, content, doc, search_text, refs, tags, sort_by_date, path, meta_data, group_id,
                               created_at, updated_at, published_at, first_published_at)
         select space_id, 'published', story_id, uuid, name, slug, full_slug, parent_id, position, is_startpage, is_folder,
                component, content, doc, search_text, refs, tags, sort_by_date, path, meta_data, group_id, created_at,
                updated_at, published_at, first_published_at
         from editions where space_id = $1 and edition = 'draft' and story_id = $2",
        &[/* space_id */ &space.0, /* story_id */ &id.0],
    )
    .await?;
    tx.execute(
        "with tagged as (
             insert into edition_tags (space_id, edition, story_id, position, tag)
             select space_id, 'published', story_id, position, tag
             from edition_tags where space_id = $1 and edition = 'draft' and story_id = $2
         )
         insert into edition_fields (space_id, edition, story_id, position, field, value, is_whole, is_element)
         select space_id, 'published', story_id, position, field, value, is_whole, is_element
         from edition_fields where space_id = $1 and edition = 'draft' and story_id = $2",
        &[/* space_id */ &space.0, /* story_id */ &id.0],
    )
    .await?;
    Ok(())
}

/// Tells when the published edition was published.
pub async fn stamp_published(tx: &Tx<'_>, space: SpaceId, id: StoryId, at: Timestamp) -> Result<()> {
    tx.execute_one(
        "edition.stamp_published",
        "update editions set published_at = $3 where space_id = $1 and edition = 'published' and story_id = $2",
        &[/* space_id */ &space.0, /* story_id */ &id.0, /* published_at */ &at],
    )
    .await
}

/// Removes the published edition.
pub async fn unpublish(tx: &Tx<'_>, space: SpaceId, id: StoryId) -> Result<()> {
    tx.execute_one(
        "edition.unpublish",
        "delete from editions where space_id = $1 and edition = 'published' and story_id = $2",
        &[/* space_id */ &space.0, /* story_id */ &id.0],
    )
    .await
}

/// The tags, and the plain fields of the root block from what PostgreSQL made of the content: so both read a number the same way. Nobody
/// looks for folders by them.
async fn insert_fields(tx: &Tx<'_>, space: SpaceId, id: StoryId) -> Result<()> {
    tx.execute(
        "with tagged as (
             insert into edition_tags (space_id, edition, story_id, position, tag)
             select edition.space_id, edition.edition, edition.story_id, edition.position, it.tag
             from editions edition, lateral (select distinct unnest(edition.tags) as tag) it
             where edition.space_id = $1 and edition.edition = 'draft' and edition.story_id = $2 and not edition.is_folder
         )
         insert into edition_fields (space_id, edition, story_id, position, field, value, is_whole, is_element)
         select $1, 'draft', $2, edition.position, it.field, left(it.value, 200), char_length(it.value) <= 200, it.is_element
         from editions edition,
              lateral (
                  select field, value #>> '{}' as value, false as is_element from jsonb_each(edition.doc) as each (field, value)
                  where jsonb_typeof(value) in ('string', 'number', 'boolean')
                  union all
                  select field, item #>> '{}', true
                  from jsonb_each(edition.doc) as each (field, value),
                       jsonb_array_elements(case when jsonb_typeof(value) = 'array' then value else '[]' end) as element (item)
                  where jsonb_typeof(item) in ('string', 'number', 'boolean')
              ) it
         where edition.space_id = $1 and edition.edition = 'draft' and edition.story_id = $2 and not edition.is_folder
           and char_length(it.field) <= 200",
        &[/* space_id */ &space.0, /* story_id */ &id.0],
    )
    .await?;
    Ok(())
}

fn parsed(draft: &Edition) -> Result<Value> {
    serde_json::from_str(draft.content.get()).map_err(|error| Error::Internal(format!("content: {error}")))
}
