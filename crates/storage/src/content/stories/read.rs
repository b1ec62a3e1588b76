//! Looking one story up.

use crate::{Executor, Result, row, row::Verbatim};
use domain::{
    content::{
        scheduling::Plan,
        story::{Edition, Place, Publication, Story},
    },
    shared::{SpaceId, StoryId},
};
use serde::{Deserialize, Serialize};
use tokio_postgres::Row;
use uuid::Uuid;

/// The columns of a [`Story`] with its draft [`Edition`], for queries over `stories story join editions draft`.
pub(crate) const COLUMNS: &str = "story.id, story.uuid, story.group_id, story.is_folder, story.parent_id, story.slug, story.full_slug, \
     story.position, story.is_startpage, story.default_root, story.disable_fe_editor, story.pinned, story.published_version, \
     story.unpublished_changes, story.last_version, story.created_at, story.updated_at, story.published_at, \
     story.first_published_at, story.deleted_at, story.publish_at, story.expire_at, \
     draft.name, draft.component, draft.content, draft.tags, draft.sort_by_date, draft.path, draft.meta_data";

/// A story with its draft.
#[derive(Debug, Clone)]
pub struct Found {
    /// The story.
    pub story: Story,
    /// What its authors see.
    pub draft: Edition,
}

/// Another story of the same group.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Alternate {
    /// Its number.
    pub id: i64,
    /// Its name.
    pub name: String,
    /// Its slug.
    pub slug: String,
    /// Whether it is published.
    pub published: bool,
    /// Its path.
    pub full_slug: String,
    /// Whether it is a folder.
    pub is_folder: bool,
    /// Its folder.
    pub parent_id: i64,
}

/// A folder above a story.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Ancestor {
    /// Its number.
    pub id: i64,
    /// Its UUID.
    pub uuid: Uuid,
    /// Its name.
    pub name: String,
    /// Its folder.
    pub parent_id: i64,
    /// Its slug.
    pub slug: String,
    /// Whether the visual editor is off for it.
    pub disable_fe_editor: bool,
}

/// What surrounds a story: read with it for the management answer.
#[derive(Debug, Clone)]
pub struct Surroundings {
    /// The folders above, from the top.
    pub ancestors: Vec<Ancestor>,
    /// Its slugs in other languages.
    pub translated_slugs: Vec<super::translations::TranslatedSlug>,
    /// The stories that share its group.
    pub alternates: Vec<Alternate>,
}

/// A story by its number, deleted or not.
pub async fn find(query: &impl Executor, space: SpaceId, id: StoryId) -> Result<Option<Found>> {
    let sql = format!(
        "select {COLUMNS} from stories story
         join editions draft on draft.space_id = story.space_id and draft.story_id = story.id and draft.edition <> 'published'
         where story.space_id = $1 and story.id = $2"
    );
    query.row_opt(&sql, &[/* space_id */ &space.0, /* id */ &id.0]).await?.as_ref().map(found).transpose()
}

/// The published copy of a story.
pub async fn find_published(query: &impl Executor, space: SpaceId, id: StoryId) -> Result<Option<Edition>> {
    query
        .row_opt(
            "select name, component, content, tags, sort_by_date, path, meta_data
             from editions where space_id = $1 and edition = 'published' and story_id = $2",
            &[/* space_id */ &space.0, /* story_id */ &id.0],
        )
        .await?
        .as_ref()
        .map(edition)
        .transpose()
}

/// Ancestors, translated slugs and alternates of a story.
///
/// A plan that was made while the tables were empty is kept for as long as the connection: left to itself it walks a whole space for
/// each row, which `lateral (… offset 0)` rules out. Such a subquery is looked up by its key, once for each row.
pub async fn surroundings(query: &impl Executor, space: SpaceId, story: &Story) -> Result<Surroundings> {
    let ancestors = query
        .rows(
            "with recursive above as (
                 select parent_id as id, 1 as distance from stories where space_id = $1 and id = $2
                 union all
                 select story.parent_id, above.distance + 1 from above
                 cross join lateral (select parent_id from stories where space_id = $1 and id = above.id offset 0) story
             )
             select story.id, story.uuid, draft.name, story.parent_id, story.slug, story.disable_fe_editor
             from above
             cross join lateral (select id, uuid, parent_id, slug, disable_fe_editor from stories where space_id = $1 and id = above.id offset 0) story
             cross join lateral (
                 select name from editions where space_id = $1 and edition in ('draft', 'trashed') and story_id = above.id offset 0
             ) draft
             order by above.distance desc",
            &[/* space_id */ &space.0, /* id */ &story.id.0],
        )
        .await?
        .iter()
        .map(|row| {
            Ok(Ancestor {
                id: row::get(row, "id")?,
                uuid: row::get(row, "uuid")?,
                name: row::get(row, "name")?,
                parent_id: row::get(row, "parent_id")?,
                slug: row::get(row, "slug")?,
                disable_fe_editor: row::get(row, "disable_fe_editor")?,
            })
        })
        .collect::<Result<_>>()?;
    let translated_slugs = super::translations::of_story(query, space, story.id).await?;
    let alternates = alternates(query, space, story).await?;
    Ok(Surroundings { ancestors, translated_slugs, alternates })
}

async fn alternates(query: &impl Executor, space: SpaceId, story: &Story) -> Result<Vec<Alternate>> {
    query
        .rows(
            "select story.id, draft.name, story.slug, story.published_version is not null as published, story.full_slug,
                    story.is_folder, story.parent_id
             from stories story
             cross join lateral (
                 select name from editions where space_id = $1 and edition = 'draft' and story_id = story.id offset 0
             ) draft
             where story.space_id = $1 and story.group_id = $2 and story.id <> $3 and story.deleted_at is null
             order by story.id",
            &[/* space_id */ &space.0, /* group_id */ &story.group_id, /* id */ &story.id.0],
        )
        .await?
        .iter()
        .map(|row| {
            Ok(Alternate {
                id: row::get(row, "id")?,
                name: row::get(row, "name")?,
                slug: row::get(row, "slug")?,
                published: row::get(row, "published")?,
                full_slug: row::get(row, "full_slug")?,
                is_folder: row::get(row, "is_folder")?,
                parent_id: row::get(row, "parent_id")?,
            })
        })
        .collect()
}

/// Reads [`COLUMNS`].
pub(crate) fn found(row: &Row) -> Result<Found> {
    Ok(Found { story: story(row)?, draft: edition(row)? })
}

fn story(row: &Row) -> Result<Story> {
    let published_version: Option<i32> = row::get(row, "published_version")?;
    let publication = match (published_version, row::get(row, "published_at")?) {
        (Some(version), Some(at)) => Publication::Published { version, at, changed: row::get(row, "unpublished_changes")? },
        _ => Publication::Draft,
    };
    Ok(Story {
        id: StoryId(row::get(row, "id")?),
        uuid: row::get(row, "uuid")?,
        group_id: row::get(row, "group_id")?,
        is_folder: row::get(row, "is_folder")?,
        place: Place {
            parent: StoryId(row::get(row, "parent_id")?),
            slug: row::get(row, "slug")?,
            full_slug: row::get(row, "full_slug")?,
            position: row::get(row, "position")?,
            is_startpage: row::get(row, "is_startpage")?,
        },
        default_root: row::get(row, "default_root")?,
        disable_fe_editor: row::get(row, "disable_fe_editor")?,
        pinned: row::get(row, "pinned")?,
        publication,
        last_version: row::get(row, "last_version")?,
        created_at: row::get(row, "created_at")?,
        updated_at: row::get(row, "updated_at")?,
        first_published_at: row::get(row, "first_published_at")?,
        deleted_at: row::get(row, "deleted_at")?,
        plan: Plan { publish_at: row::get(row, "publish_at")?, expire_at: row::get(row, "expire_at")? },
    })
}

pub(crate) fn edition(row: &Row) -> Result<Edition> {
    Ok(Edition {
        name: row::get(row, "name")?,
        component: row::get(row, "component")?,
        content: row::get::<Verbatim>(row, "content")?.0,
        tags: row::get(row, "tags")?,
        sort_by_date: row::get(row, "sort_by_date")?,
        path: row::get(row, "path")?,
        meta_data: row::get::<Option<Verbatim>>(row, "meta_data")?.map(|value| value.0),
    })
}
