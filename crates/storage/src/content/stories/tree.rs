//! The places of stories in the tree of folders: setting one, and moving, deleting and undeleting everything
//! below a folder.

use super::write::place_taken;
use crate::{Executor, Result, Tx, content::where_builder::Subtree, row};
use domain::{
    content::{slug, story::Story},
    shared::{Actor, SpaceId, StoryId},
};
use jiff::Timestamp;
use tokio_postgres::Row;
use uuid::Uuid;

/// The folder of a new place.
#[derive(Debug, Clone)]
pub struct Folder {
    pub full_slug: String,
    /// Whether it is a folder: a story cannot have children.
    pub is_folder: bool,
    /// The content type that it prescribes.
    pub default_root: Option<String>,
}

/// A story whose path changed, or that was deleted, itself or with a folder above it.
#[derive(Debug, Clone)]
pub struct MovedStory {
    pub id: StoryId,
    pub uuid: Uuid,
    pub full_slug: String,
    pub old_full_slug: String,
    /// Whether a published copy exists (or did, when it was deleted).
    pub published: bool,
}

/// A folder by its number, unless it is deleted.
pub async fn find_folder(executor: &impl Executor, space: SpaceId, id: StoryId) -> Result<Option<Folder>> {
    executor
        .row_opt(
            "select full_slug, is_folder, default_root from stories where space_id = $1 and id = $2 and deleted_at is null",
            &[/* space_id */ &space, /* id */ &id],
        )
        .await?
        .map(|row| {
            Ok(Folder {
                full_slug: row::get(&row, "full_slug")?,
                is_folder: row::get(&row, "is_folder")?,
                default_root: row::get(&row, "default_root")?,
            })
        })
        .transpose()
}

/// The story at a path, unless it is deleted.
pub async fn find_at(executor: &impl Executor, space: SpaceId, full_slug: &str) -> Result<Option<StoryId>> {
    executor
        .row_opt(
            "select id from stories where space_id = $1 and full_slug = $2 and deleted_at is null",
            &[/* space_id */ &space, /* full_slug */ &full_slug],
        )
        .await?
        .map(|row| row::get(&row, "id"))
        .transpose()
}

/// The position before all siblings, which is where Storyblok puts new stories.
pub async fn first_position(tx: &Tx<'_>, space: SpaceId, parent: StoryId) -> Result<i32> {
    let row = tx
        .row(
            "select coalesce(min(position) - 10, 0) as position from stories
             where space_id = $1 and parent_id = $2 and deleted_at is null",
            &[/* space_id */ &space, /* parent_id */ &parent],
        )
        .await?;
    row::get(&row, "position")
}

/// A position that no sibling has.
#[derive(Debug, Clone, Copy)]
pub struct FreePosition {
    pub position: i32,
    /// Whether siblings had to move on for it that readers of published content see: published stories, or
    /// folders.
    pub is_visible: bool,
}

/// The position right after a sibling, or before all siblings when there is no such one. The siblings behind
/// it move on.
pub async fn position_after(tx: &Tx<'_>, space: SpaceId, parent: StoryId, sibling: StoryId) -> Result<FreePosition> {
    let found = tx
        .row_opt(
            "select position from stories where space_id = $1 and parent_id = $2 and id = $3 and deleted_at is null",
            &[/* space_id */ &space, /* parent_id */ &parent, /* id */ &sibling],
        )
        .await?;
    let Some(found) = found else {
        return Ok(FreePosition { position: first_position(tx, space, parent).await?, is_visible: false });
    };
    let position: i32 = row::get(&found, "position")?;
    let moved = tx
        .row(
            "with behind as (
                 update stories set position = position + 10
                 where space_id = $1 and parent_id = $2 and deleted_at is null and (position, id) > ($3, $4)
                 returning id, position, is_folder or published_version is not null as is_visible
             ), moved as (
                 update editions set position = behind.position from behind where space_id = $1 and story_id = behind.id
             )
             select coalesce(bool_or(is_visible), false) as is_visible from behind",
            &[/* space_id */ &space, /* parent_id */ &parent, /* position */ &position, /* id */ &sibling],
        )
        .await?;
    Ok(FreePosition { position: position.saturating_add(10), is_visible: row::get(&moved, "is_visible")? })
}

/// Writes the place of a story and its group, in all editions at once. 422 when the place is taken.
pub async fn set_place(tx: &Tx<'_>, space: SpaceId, story: &Story, by: &Actor) -> Result<()> {
    tx.execute(
        "with placed as (
             update stories set parent_id = $3, slug = $4, full_slug = $5, position = $6, is_startpage = $7, group_id = $8,
                    author_id = $9, author = $10
             where space_id = $1 and id = $2
         ), alternates as (
             update stories set revision = revision
             where space_id = $1 and id <> $2
               and (group_id = $8 or group_id = (select group_id from stories where space_id = $1 and id = $2))
         )
         update editions set parent_id = $3, slug = $4, full_slug = $5, position = $6, is_startpage = $7, group_id = $8
         where space_id = $1 and story_id = $2",
        &[
            /* space_id */ &space,
            /* id */ &story.id,
            /* parent_id */ &story.place.parent,
            /* slug */ &story.place.slug,
            /* full_slug */ &story.place.full_slug,
            /* position */ &story.place.position,
            /* is_startpage */ &story.place.is_startpage,
            /* group_id */ &story.group_id,
            /* author_id */ &by.id,
            /* author */ &by.label,
        ],
    )
    .await
    .map_err(place_taken)?;
    Ok(())
}

/// Moves everything below a folder whose path changed. Returns the stories that moved, from the top. 422 when
/// a path below would become too long.
pub async fn move_below(tx: &Tx<'_>, space: SpaceId, old: &str, new: &str) -> Result<Vec<MovedStory>> {
    let subtree = Subtree::folder(old);
    let longest = tx
        .row(
            "select max(octet_length(full_slug)) as longest from stories
             where space_id = $1 and full_slug ~>=~ $2 and full_slug ~<~ $3 and deleted_at is null",
            &[/* space_id */ &space, /* from */ &subtree.from, /* before */ &subtree.before],
        )
        .await?;
    check_growth(row::get(&longest, "longest")?, old, new)?;
    let moved = tx
        .rows(
            "with moved as (
                 update stories set full_slug = $3 || substr(full_slug, char_length($2) + 1)
                 where space_id = $1 and full_slug ~>=~ $4 and full_slug ~<~ $5 and deleted_at is null
                 returning id, uuid, group_id, full_slug, $2 || substr(full_slug, char_length($3) + 1) as old_full_slug,
                           published_version is not null as published
             ), alternates as (
                 update stories set revision = revision
                 where space_id = $1 and group_id in (select group_id from moved) and id not in (select id from moved)
             ), editions_moved as (
                 update editions set full_slug = moved.full_slug from moved
                 where editions.space_id = $1 and editions.story_id = moved.id
             )
             select id, uuid, full_slug, old_full_slug, published from moved order by full_slug",
            &[
                /* space_id */ &space,
                /* old */ &old,
                /* new */ &new,
                /* from */ &subtree.from,
                /* before */ &subtree.before,
            ],
        )
        .await
        .map_err(place_taken)?;
    moved.iter().map(moved_story).collect()
}

/// Takes note that what stories show of a folder above them has changed.
pub async fn touch_below(tx: &Tx<'_>, space: SpaceId, folder: &str) -> Result<()> {
    let subtree = Subtree::folder(folder);
    tx.execute(
        "update stories set revision = revision where space_id = $1 and full_slug ~>=~ $2 and full_slug ~<~ $3",
        &[/* space_id */ &space, /* from */ &subtree.from, /* before */ &subtree.before],
    )
    .await
    .map(drop)
}

/// Soft-deletes a story, and everything below it when it is a folder: drafts become the edition `trashed`,
/// which no reader asks for, and published editions are removed. Returns the stories that were deleted, from
/// the top.
pub async fn delete(tx: &Tx<'_>, space: SpaceId, story: &Story, at: Timestamp) -> Result<Vec<MovedStory>> {
    let subtree = Subtree::story(story);
    let deleted = tx
        .rows(
            "with doomed as (
                 select id, published_version is not null as published from stories
                 where space_id = $1 and deleted_at is null and (id = $2 or (full_slug ~>=~ $3 and full_slug ~<~ $4))
             ), deleted as (
                 update stories set deleted_at = $5, published_version = null, published_at = null, unpublished_changes = false, translations = null,
                        publish_at = null, expire_at = null
                 from doomed where space_id = $1 and stories.id = doomed.id
                 returning stories.id, uuid, group_id, full_slug, full_slug as old_full_slug, doomed.published
             ), alternates as (
                 update stories set revision = revision
                 where space_id = $1 and group_id in (select group_id from deleted) and id not in (select id from deleted)
             ), unpublished as (
                 delete from editions using deleted
                 where editions.space_id = $1 and editions.edition = 'published' and editions.story_id = deleted.id
             ), trashed as (
                 update editions set edition = 'trashed', published_at = null from deleted
                 where editions.space_id = $1 and editions.edition = 'draft' and editions.story_id = deleted.id
             )
             select id, uuid, full_slug, old_full_slug, published from deleted order by full_slug",
            &[
                /* space_id */ &space,
                /* id */ &story.id,
                /* from */ &subtree.from,
                /* before */ &subtree.before,
                /* deleted_at */ &at,
            ],
        )
        .await?;
    deleted.iter().map(moved_story).collect()
}

/// Brings back a deleted story, and the stories that were deleted with it, at `full_slug`, which follows from
/// its folder today. None of them is published. 422 when the path is taken by now, or a path below would
/// become too long.
pub async fn undelete(tx: &Tx<'_>, space: SpaceId, story: &Story, full_slug: &str) -> Result<()> {
    let subtree = Subtree::story(story);
    let longest = tx
        .row(
            "select max(octet_length(full_slug)) as longest from stories
             where space_id = $1 and full_slug ~>=~ $2 and full_slug ~<~ $3 and deleted_at = $4",
            &[
                /* space_id */ &space,
                /* from */ &subtree.from,
                /* before */ &subtree.before,
                /* deleted_at */ &story.deleted_at,
            ],
        )
        .await?;
    check_growth(row::get(&longest, "longest")?, &story.place.full_slug, full_slug)?;
    tx.execute(
        "with restored as (
             update stories set deleted_at = null, full_slug = $7 || substr(full_slug, char_length($6) + 1)
             where space_id = $1 and deleted_at = $5 and (id = $2 or (full_slug ~>=~ $3 and full_slug ~<~ $4))
             returning id, group_id, full_slug
         ), alternates as (
             update stories set revision = revision
             where space_id = $1 and group_id in (select group_id from restored) and id not in (select id from restored)
         )
         update editions set edition = 'draft', full_slug = restored.full_slug from restored
         where editions.space_id = $1 and editions.edition = 'trashed' and editions.story_id = restored.id",
        &[
            /* space_id */ &space,
            /* id */ &story.id,
            /* from */ &subtree.from,
            /* before */ &subtree.before,
            /* deleted_at */ &story.deleted_at,
            /* old */ &story.place.full_slug,
            /* new */ &full_slug,
        ],
    )
    .await
    .map_err(place_taken)?;
    Ok(())
}

/// 422 when the longest path below a folder does not fit any more after the folder's own path changes from
/// `old` to `new`.
fn check_growth(longest: Option<i32>, old: &str, new: &str) -> Result<()> {
    let below = usize::try_from(longest.unwrap_or(0)).unwrap_or(usize::MAX).saturating_sub(old.len());
    if new.len().saturating_add(below) > slug::MAX_FULL_SLUG { Err(slug::too_long().into()) } else { Ok(()) }
}

fn moved_story(row: &Row) -> Result<MovedStory> {
    Ok(row::read!(row => MovedStory { id, uuid, full_slug, old_full_slug, published }))
}
