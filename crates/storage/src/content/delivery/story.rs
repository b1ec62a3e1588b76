//! A story as the Delivery API reads it: one version of it, from one row.

use super::ReadScope;
use crate::{
    Result,
    content::stories::read::{Alternate, edition},
    row,
};
use domain::{content::story::Edition, shared::StoryId};
use jiff::Timestamp;
use serde::Deserialize;
use tokio_postgres::Row;
use uuid::Uuid;

/// One version of a story, with what a delivered story shows beside it.
#[derive(Debug, Clone)]
pub struct DeliveredStory {
    pub id: StoryId,
    pub uuid: Uuid,
    /// The last segment of the path.
    pub slug: String,
    pub full_slug: String,
    /// The folder; 0 is the root.
    pub parent: StoryId,
    /// The position among its siblings.
    pub position: i32,
    /// Whether the path of its folder leads to it, too.
    pub is_startpage: bool,
    /// The id that alternates share.
    pub group_id: Uuid,
    /// Name, content, tags and the other properties that a draft can change.
    pub edition: Edition,
    /// Whether the content has translated fields; if not, its text is the same in every language.
    pub is_translated: bool,
    /// When the story was created.
    pub created_at: Timestamp,
    /// When this version was saved.
    pub updated_at: Timestamp,
    /// When it was last published.
    pub published_at: Option<Timestamp>,
    /// When it was first published.
    pub first_published_at: Option<Timestamp>,
    /// Slugs in other languages, ordered by language.
    pub translated_slugs: Vec<Translation>,
    /// The other stories of its group that have this version.
    pub alternates: Vec<Alternate>,
    /// The stories of this version to which links of the content lead.
    pub linked: Vec<LinkedStory>,
}

/// A story to which a link leads.
#[derive(Debug, Clone, Deserialize)]
pub struct LinkedStory {
    pub id: i64,
    /// Its UUID, by which the link names it.
    pub uuid: Uuid,
    /// The whole path that it has now.
    pub full_slug: String,
}

/// The slug and the name of a story in one language.
#[derive(Debug, Clone, Deserialize)]
pub struct Translation {
    /// The code of the language.
    pub lang: String,
    /// The whole path in it.
    pub path: String,
    /// The name in it.
    pub name: Option<String>,
}

/// The columns of a [`DeliveredStory`], from `editions edition`; `$1` is the space. The two aggregates are
/// sorted after they were read: most stories have neither translated slugs nor alternates, and PostgreSQL
/// sets up a sort even for no rows. A reference that begins with a space is a link, see
/// [`domain::content::references::index_refs`].
pub(super) const COLUMNS: &str = "edition.story_id, edition.uuid, edition.slug, edition.full_slug, edition.parent_id, edition.position,
     edition.is_startpage, edition.group_id, edition.name, edition.component, edition.content, edition.tags, edition.sort_by_date,
     edition.path, edition.meta_data, edition.is_translated, edition.created_at, edition.updated_at, edition.published_at, edition.first_published_at,
     (select jsonb_agg(jsonb_build_object('lang', slug.lang, 'path', slug.path, 'name', slug.name))
      from translated_slugs slug where slug.space_id = $1 and slug.story_id = edition.story_id) as translated_slugs,
     (select jsonb_agg(jsonb_build_object('id', other.id, 'name', copy.name, 'slug', other.slug,
                                          'published', other.published_version is not null, 'full_slug', other.full_slug,
                                          'is_folder', other.is_folder, 'parent_id', other.parent_id))
      from stories other
      cross join lateral (select mate.name from editions mate where mate.space_id = $1 and mate.story_id = other.id
                                                                and mate.edition = edition.edition offset 0) copy
      where other.space_id = $1 and other.group_id = edition.group_id and other.id <> edition.story_id) as alternates,
     (select jsonb_agg(jsonb_build_object('id', target.story_id, 'uuid', target.uuid, 'full_slug', target.full_slug))
      from unnest(edition.refs) as ref
      cross join lateral (select linked.story_id, linked.uuid, linked.full_slug from editions linked where linked.uuid = right(ref, 36)::uuid
                              and linked.space_id = $1 and linked.edition = edition.edition offset 0) target
      where left(ref, 1) = ' ') as linked";

/// The story of a row with [`COLUMNS`]. Its alternates are those that the scope has.
pub(super) fn read(scope: ReadScope<'_>, row: &Row) -> Result<DeliveredStory> {
    let mut translated_slugs: Vec<Translation> = row::list(row, "translated_slugs")?;
    translated_slugs.sort_unstable_by(|one, other| one.lang.cmp(&other.lang));
    let mut alternates: Vec<Alternate> = row::list(row, "alternates")?;
    alternates.retain(|alternate| scope.stories.includes(StoryId(alternate.id)));
    alternates.sort_unstable_by_key(|alternate| alternate.id);
    let mut linked: Vec<LinkedStory> = row::list(row, "linked")?;
    linked.retain(|story| scope.stories.includes(StoryId(story.id)));
    Ok(row::read!(row => DeliveredStory {
        uuid, slug, full_slug, position, is_startpage, group_id, is_translated, created_at, updated_at, published_at,
        first_published_at;
        id: row::get(row, "story_id")?,
        parent: row::get(row, "parent_id")?,
        edition: edition(row)?,
        translated_slugs,
        alternates,
        linked,
    }))
}

/// The same for a row of an outer join; `None` where it has no story.
pub(super) fn read_opt(scope: ReadScope<'_>, row: &Row) -> Result<Option<DeliveredStory>> {
    let id: Option<i64> = row::get(row, "story_id")?;
    id.map(|_| read(scope, row)).transpose()
}
