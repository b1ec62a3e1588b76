//! Reading one story.

use super::translations::TranslatedSlug;
use crate::{Executor, Result, row, row::Verbatim};
use domain::{
    content::{
        Language,
        scheduling::PublishSchedule,
        story::{Edition, Publication, Story, StoryContent, StoryPlace},
    },
    shared::{Authorship, SpaceId, StoryId},
};
use serde::{Deserialize, Serialize};
use tokio_postgres::Row;
use uuid::Uuid;

/// The columns of a [`Story`] with its draft [`Edition`], for queries over `stories story join editions
/// draft` in the space `$1`.
pub(crate) const COLUMNS: &str = "story.id, story.uuid, story.group_id, story.is_folder, story.parent_id, story.slug, story.full_slug, \
     story.position, story.is_startpage, story.default_root, story.disable_fe_editor, story.pinned, story.published_version, \
     story.unpublished_changes, story.translations, story.last_version, story.created_at, story.updated_at, story.published_at, \
     story.first_published_at, story.deleted_at, story.publish_at, story.expire_at, story.author_id, story.author, story.is_autosaved, \
     greatest(story.revision, (select languages_revision from spaces where id = $1)) as revision, \
     draft.name, draft.component, draft.content, draft.tags, draft.sort_by_date, draft.path, draft.meta_data";

/// The other stories of the group of `stories story`; `$1` is the space.
macro_rules! alternates {
    () => {
        "(
         select jsonb_agg(jsonb_build_object('id', other.id, 'name', draft.name, 'slug', other.slug,
                                             'published', other.published_version is not null, 'full_slug', other.full_slug,
                                             'is_folder', other.is_folder, 'parent_id', other.parent_id)
                          order by other.id)
         from stories other
         cross join lateral (
             select name from editions where space_id = $1 and edition = 'draft' and story_id = other.id offset 0
         ) draft
         where other.space_id = $1 and other.group_id = story.group_id and other.id <> story.id
           and other.deleted_at is null
     )"
    };
}

/// The published content of `stories story` in the space `$1`, when its draft differs from it.
macro_rules! published_content {
    () => {
        "(select content from editions where space_id = $1 and edition = 'published' and story_id = story.id
              and story.unpublished_changes) as published_content"
    };
}

/// The same as a column.
pub(super) const PUBLISHED_CONTENT: &str = published_content!();

/// The stories that share the group of `stories story`, as a list of JSON.
pub(super) const ALTERNATES: &str = alternates!();

/// How many folders and stories are directly in the folder `stories story`, as JSON; null for a story.
pub(super) const CHILDREN: &str = "case when story.is_folder then (
         select jsonb_build_object('folders', count(*) filter (where child.is_folder),
                                   'stories', count(*) filter (where not child.is_folder))
         from stories child
         where child.space_id = $1 and child.parent_id = story.id and child.deleted_at is null
     ) end";

/// What the management answer says about a story beside its own rows, as a list of JSON columns of a query
/// over `stories story` in the space `$1`.
///
/// A plan that PostgreSQL made while the tables were empty is kept for as long as the connection lives. Left
/// to itself such a plan may scan a whole space for each row, which `lateral (… offset 0)` rules out: such a
/// subquery is looked up by its key, once for each row.
const RELATED: &str = concat!(
    "(
         with recursive above as (
             select story.parent_id as id, 1 as distance
             union all
             select folder.parent_id, above.distance + 1 from above
             cross join lateral (select parent_id from stories where space_id = $1 and id = above.id offset 0) folder
         )
         select jsonb_agg(jsonb_build_object('id', folder.id, 'uuid', folder.uuid, 'name', draft.name, 'parent_id', folder.parent_id,
                                             'slug', folder.slug, 'disable_fe_editor', folder.disable_fe_editor)
                          order by above.distance desc)
         from above
         cross join lateral (select * from stories where space_id = $1 and id = above.id offset 0) folder
         cross join lateral (
             select name from editions
             where space_id = $1 and edition in ('draft', 'trashed') and story_id = above.id offset 0
         ) draft
     ) as ancestors, (
         select jsonb_agg(jsonb_build_object('id', own.id, 'lang', own.lang, 'slug', own.slug, 'name', own.name, 'path', own.path)
                          order by own.lang)
         from translated_slugs own where own.space_id = $1 and own.story_id = story.id
     ) as translated_slugs, ",
    alternates!(),
    " as alternates, (select languages from spaces where id = $1) as languages,",
    published_content!()
);

/// A story with its draft.
#[derive(Debug, Clone)]
pub struct StoryWithDraft {
    pub story: Story,
    /// The edition that its authors see.
    pub draft: Edition,
}

/// A story with everything that the management answer shows of it.
#[derive(Debug, Clone)]
pub struct StoryDetail {
    /// The story and its draft.
    pub current: StoryWithDraft,
    /// What belongs to it and has rows of its own.
    pub related: Related,
}

/// The rows of a story's ancestors, translations and alternates.
#[derive(Debug, Clone, Default)]
pub struct Related {
    /// The folders above, from the top.
    pub ancestors: Vec<Ancestor>,
    /// Its slugs in other languages.
    pub translated_slugs: Vec<TranslatedSlug>,
    /// The stories that share its group.
    pub alternates: Vec<Alternate>,
    /// The languages of the space.
    pub languages: Vec<Language>,
    /// What is published of its content, when the draft differs from that.
    pub published: Option<StoryContent>,
}

/// A folder above a story.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Ancestor {
    pub id: i64,
    pub uuid: Uuid,
    pub name: String,
    pub parent_id: i64,
    pub slug: String,
    /// Whether the visual editor is off for it.
    pub disable_fe_editor: bool,
}

/// Another story of the same group.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Alternate {
    pub id: i64,
    pub name: String,
    pub slug: String,
    /// Whether it is published.
    pub published: bool,
    pub full_slug: String,
    /// Whether it is a folder.
    pub is_folder: bool,
    pub parent_id: i64,
}

/// A story by its number, deleted or not.
pub async fn find(executor: &impl Executor, space: SpaceId, id: StoryId) -> Result<Option<StoryWithDraft>> {
    let sql = format!(
        "select {COLUMNS} from stories story
         join editions draft on draft.space_id = $1 and draft.story_id = story.id and draft.edition <> 'published'
         where story.space_id = $1 and story.id = $2"
    );
    executor.row_opt(&sql, &[/* space_id */ &space, /* id */ &id]).await?.as_ref().map(story_with_draft).transpose()
}

/// A story by its number, deleted or not, with its ancestors, translations and alternates.
pub async fn find_detail(executor: &impl Executor, space: SpaceId, id: StoryId) -> Result<Option<StoryDetail>> {
    let sql = format!(
        "select {COLUMNS}, {RELATED} from stories story
         join editions draft on draft.space_id = $1 and draft.story_id = story.id and draft.edition <> 'published'
         where story.space_id = $1 and story.id = $2"
    );
    let row = executor.row_opt(&sql, &[/* space_id */ &space, /* id */ &id]).await?;
    row.map(|row| Ok(StoryDetail { current: story_with_draft(&row)?, related: related(&row)? })).transpose()
}

/// The revision of a story, and who changed it last.
pub async fn find_revision(executor: &impl Executor, space: SpaceId, id: StoryId) -> Result<Option<(i64, Authorship)>> {
    let row = executor
        .row_opt(
            "select greatest(story.revision, (select languages_revision from spaces where id = $1)) as revision, story.author_id, story.author
             from stories story where story.space_id = $1 and story.id = $2",
            &[/* space_id */ &space, /* id */ &id],
        )
        .await?;
    let Some(row) = row else { return Ok(None) };
    Ok(Some((row::get(&row, "revision")?, Authorship { id: row::get(&row, "author_id")?, label: row::get(&row, "author")? })))
}

/// The ancestors, translations and alternates of a story.
pub async fn find_related(executor: &impl Executor, space: SpaceId, id: StoryId) -> Result<Related> {
    let sql = format!("select {RELATED} from stories story where story.space_id = $1 and story.id = $2");
    let row = executor.row_opt(&sql, &[/* space_id */ &space, /* id */ &id]).await?;
    row.as_ref().map_or_else(|| Ok(Related::default()), related)
}

/// The first of these ids that is no story of the space, or a deleted one.
pub async fn unknown_story(executor: &impl Executor, space: SpaceId, ids: &[i64]) -> Result<Option<i64>> {
    let found = executor
        .row_opt(
            "select wanted.id from unnest($2::bigint[]) as wanted (id)
             where not exists (select from stories story where story.space_id = $1 and story.id = wanted.id and story.deleted_at is null)
             order by wanted.id limit 1",
            &[/* space_id */ &space, /* id */ &ids],
        )
        .await?;
    found.as_ref().map(|row| row::get(row, "id")).transpose()
}

/// The published edition of a story.
pub async fn find_published(executor: &impl Executor, space: SpaceId, id: StoryId) -> Result<Option<Edition>> {
    executor
        .row_opt(
            "select name, component, content, tags, sort_by_date, path, meta_data
             from editions where space_id = $1 and edition = 'published' and story_id = $2",
            &[/* space_id */ &space, /* story_id */ &id],
        )
        .await?
        .as_ref()
        .map(edition)
        .transpose()
}

/// Reads [`COLUMNS`].
pub(crate) fn story_with_draft(row: &Row) -> Result<StoryWithDraft> {
    Ok(StoryWithDraft { story: story(row)?, draft: edition(row)? })
}

/// Reads [`RELATED`].
fn related(row: &Row) -> Result<Related> {
    Ok(Related {
        ancestors: row::list(row, "ancestors")?,
        translated_slugs: row::list(row, "translated_slugs")?,
        alternates: row::list(row, "alternates")?,
        languages: row::list(row, "languages")?,
        published: published_content(row)?,
    })
}

/// Reads [`PUBLISHED_CONTENT`].
pub(super) fn published_content(row: &Row) -> Result<Option<StoryContent>> {
    Ok(row::get::<Option<Verbatim>>(row, "published_content")?.map(|content| content.0.into()))
}

fn story(row: &Row) -> Result<Story> {
    let published_version: Option<i32> = row::get(row, "published_version")?;
    let publication = match (published_version, row::get(row, "published_at")?) {
        (Some(version), Some(at)) => Publication::Published { version, at, changed: row::get(row, "unpublished_changes")? },
        _ => Publication::Draft,
    };
    Ok(Story {
        id: row::get(row, "id")?,
        uuid: row::get(row, "uuid")?,
        group_id: row::get(row, "group_id")?,
        is_folder: row::get(row, "is_folder")?,
        place: row::read!(row => StoryPlace {
            slug, full_slug, position, is_startpage;
            parent: row::get(row, "parent_id")?,
        }),
        default_root: row::get(row, "default_root")?,
        disable_fe_editor: row::get(row, "disable_fe_editor")?,
        pinned: row::get(row, "pinned")?,
        publication,
        translations: row::json_opt(row, "translations")?,
        last_version: row::get(row, "last_version")?,
        created_at: row::get(row, "created_at")?,
        updated_at: row::get(row, "updated_at")?,
        first_published_at: row::get(row, "first_published_at")?,
        deleted_at: row::get(row, "deleted_at")?,
        revision: row::get(row, "revision")?,
        author: Authorship { id: row::get(row, "author_id")?, label: row::get(row, "author")? },
        is_autosaved: row::get(row, "is_autosaved")?,
        schedule: PublishSchedule { publish_at: row::get(row, "publish_at")?, expire_at: row::get(row, "expire_at")? },
    })
}

/// Reads the columns of an edition.
pub(crate) fn edition(row: &Row) -> Result<Edition> {
    Ok(row::read!(row => Edition {
        name, component, tags, sort_by_date, path;
        content: row::get::<Verbatim>(row, "content")?.0.into(),
        meta_data: row::get::<Option<Verbatim>>(row, "meta_data")?.map(|value| value.0),
    }))
}
