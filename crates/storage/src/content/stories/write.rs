//! Writing the row of one story.

use super::{editions, versions::NewVersion};
use crate::{
    Error, Executor, Result, Tx,
    row::{self, Verbatim},
};
use domain::{
    content::{
        slug,
        story::{Edition, Publication, Story},
    },
    shared::{Actor, SpaceId, StoryId},
};

/// Inserts a story or folder and its draft. Answers its number. 422 when the place is taken.
pub async fn insert(tx: &Tx<'_>, space: SpaceId, story: &Story, draft: &Edition, by: &Actor) -> Result<StoryId> {
    let (published_version, changed) = publication(story);
    let inserted = tx
        .row(
            "insert into stories (space_id, uuid, group_id, parent_id, is_folder, is_startpage, slug, full_slug, position, default_root,
                                  disable_fe_editor, pinned, last_version, published_version, unpublished_changes, created_at,
                                  updated_at, published_at, first_published_at, publish_at, expire_at, author_id, author)
             values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18, $19, $20, $21, $22, $23)
             returning id",
            &[
                /* space_id */ &space,
                /* uuid */ &story.uuid,
                /* group_id */ &story.group_id,
                /* parent_id */ &story.place.parent,
                /* is_folder */ &story.is_folder,
                /* is_startpage */ &story.place.is_startpage,
                /* slug */ &story.place.slug,
                /* full_slug */ &story.place.full_slug,
                /* position */ &story.place.position,
                /* default_root */ &story.default_root,
                /* disable_fe_editor */ &story.disable_fe_editor,
                /* pinned */ &story.pinned,
                /* last_version */ &story.last_version,
                /* published_version */ &published_version,
                /* unpublished_changes */ &changed,
                /* created_at */ &story.created_at,
                /* updated_at */ &story.updated_at,
                /* published_at */ &story.published_at(),
                /* first_published_at */ &story.first_published_at,
                /* publish_at */ &story.schedule.publish_at,
                /* expire_at */ &story.schedule.expire_at,
                /* author_id */ &by.id,
                /* author */ &by.label,
            ],
        )
        .await
        .map_err(place_taken)?;
    let id = row::get(&inserted, "id")?;
    editions::insert_draft(tx, space, id, draft).await?;
    Ok(id)
}

/// Writes a story's state, which its draft edition shows as well. The draft's content is written by
/// [`super::editions`], and the place of both by [`super::tree`].
pub async fn save(tx: &Tx<'_>, space: SpaceId, story: &Story, by: &Actor) -> Result<()> {
    let (published_version, changed) = publication(story);
    tx.execute_one(
        "story.save",
        "with stamped as (
             update editions set updated_at = $9, published_at = $10, first_published_at = $11
             where space_id = $1 and edition = 'draft' and story_id = $2
         ), alternates as (
             update stories set revision = revision
             where space_id = $1 and id <> $2 and group_id = (select group_id from stories where space_id = $1 and id = $2)
         )
         update stories set default_root = $3, disable_fe_editor = $4, pinned = $5, last_version = $6, published_version = $7,
                unpublished_changes = $8, updated_at = $9, published_at = $10, first_published_at = $11, publish_at = $12,
                expire_at = $13, translations = $14, author_id = $15, author = $16, is_autosaved = $17
         where space_id = $1 and id = $2",
        &[
            /* space_id */ &space,
            /* id */ &story.id,
            /* default_root */ &story.default_root,
            /* disable_fe_editor */ &story.disable_fe_editor,
            /* pinned */ &story.pinned,
            /* last_version */ &story.last_version,
            /* published_version */ &published_version,
            /* unpublished_changes */ &changed,
            /* updated_at */ &story.updated_at,
            /* published_at */ &story.published_at(),
            /* first_published_at */ &story.first_published_at,
            /* publish_at */ &story.schedule.publish_at,
            /* expire_at */ &story.schedule.expire_at,
            /* translations */ &translations(story)?,
            /* author_id */ &by.id,
            /* author */ &by.label,
            /* is_autosaved */ &story.is_autosaved,
        ],
    )
    .await
}

/// Writes a story's state like [`save`], and adds the version that the same command makes, under the story's
/// last number.
pub async fn save_version(tx: &Tx<'_>, space: SpaceId, story: &Story, draft: &Edition, new: NewVersion<'_>) -> Result<()> {
    let (published_version, changed) = publication(story);
    tx.execute_one(
        "story.save_version",
        "with stamped as (
             update editions set updated_at = $9, published_at = $10, first_published_at = $11
             where space_id = $1 and edition = 'draft' and story_id = $2
         ), alternates as (
             update stories set revision = revision
             where space_id = $1 and id <> $2 and group_id = (select group_id from stories where space_id = $1 and id = $2)
         ), versioned as (
             insert into story_versions (space_id, story_id, number, status, name, content, author_id, author, created_at)
             values ($1, $2, $6, $14, $15, $16, $17, $18, $19)
         )
         update stories set default_root = $3, disable_fe_editor = $4, pinned = $5, last_version = $6, published_version = $7,
                unpublished_changes = $8, updated_at = $9, published_at = $10, first_published_at = $11, publish_at = $12,
                expire_at = $13, translations = $20, author_id = $17, author = $18, is_autosaved = $21
         where space_id = $1 and id = $2",
        &[
            /* space_id */ &space,
            /* id */ &story.id,
            /* default_root */ &story.default_root,
            /* disable_fe_editor */ &story.disable_fe_editor,
            /* pinned */ &story.pinned,
            /* last_version, number */ &story.last_version,
            /* published_version */ &published_version,
            /* unpublished_changes */ &changed,
            /* updated_at */ &story.updated_at,
            /* published_at */ &story.published_at(),
            /* first_published_at */ &story.first_published_at,
            /* publish_at */ &story.schedule.publish_at,
            /* expire_at */ &story.schedule.expire_at,
            /* status */ &new.status.into_str(),
            /* name */ &draft.name,
            /* content */ &Verbatim(draft.content.text().to_owned()),
            /* author_id */ &new.author.0,
            /* author */ &new.author.1,
            /* created_at */ &new.at,
            /* translations */ &translations(story)?,
            /* is_autosaved */ &story.is_autosaved,
        ],
    )
    .await
}

/// The column `translations`.
fn translations(story: &Story) -> Result<Option<serde_json::Value>> {
    story.translations.as_ref().map(row::to_json).transpose()
}

/// The columns `published_version` and `unpublished_changes`.
fn publication(story: &Story) -> (Option<i32>, bool) {
    match story.publication {
        Publication::Draft => (None, false),
        Publication::Published { version, changed, .. } => (Some(version), changed),
    }
}

/// The violation of the unique index on full slugs as the fault that the caller gets.
pub(crate) fn place_taken(error: Error) -> Error {
    if error.constraint() == Some("stories_full_slug") { slug::slug_taken().into() } else { error }
}
