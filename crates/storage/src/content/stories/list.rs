//! The management list of stories and folders: drafts, without content.

use super::read::{COLUMNS, StoryWithDraft, story_with_draft};
use crate::{
    Executor, Result,
    content::where_builder::{WhereBuilder, contains_pattern, wildcard_pattern},
    row,
};
use domain::{
    content::query::Slugs,
    shared::{Page, PageRequest, SpaceId},
};
use uuid::Uuid;

/// The conditions of a list. Everything given has to hold.
#[derive(Debug, Clone, Default)]
pub struct Filter {
    /// In the name or the path.
    pub search: Option<String>,
    /// Any of these numbers.
    pub ids: Vec<i64>,
    /// None of these numbers.
    pub excluding_ids: Vec<i64>,
    /// Any of these UUIDs.
    pub uuids: Vec<Uuid>,
    /// Any of these full slugs, in which `*` stands for anything.
    pub slugs: Slugs,
    /// None of these full slugs.
    pub excluding_slugs: Slugs,
    /// Exactly this full slug.
    pub with_slug: Option<String>,
    /// Full slugs that begin with this.
    pub starts_with: Option<String>,
    /// Direct children of this folder; 0 is the root.
    pub parent: Option<i64>,
    /// Any of these tags.
    pub tags: Vec<String>,
    /// Folders only, or stories only.
    pub is_folder: Option<bool>,
    /// Published only, or not.
    pub is_published: Option<bool>,
    /// Any of these root components.
    pub components: Vec<String>,
    /// Deleted stories instead of the others.
    pub in_trash: bool,
}

/// The orders of the list.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Order {
    /// By position, then age.
    #[default]
    Position,
    /// By name.
    Name,
    /// By path.
    FullSlug,
    /// By creation.
    CreatedAt,
    /// By last save.
    UpdatedAt,
    /// By last publish.
    PublishedAt,
}

impl Order {
    /// The order of a column's name on the wire.
    pub fn of(name: &str) -> Option<Self> {
        Some(match name {
            "position" => Self::Position,
            "name" => Self::Name,
            "slug" | "full_slug" => Self::FullSlug,
            "created_at" => Self::CreatedAt,
            "updated_at" => Self::UpdatedAt,
            "published_at" => Self::PublishedAt,
            _ => return None,
        })
    }

    fn column(self) -> &'static str {
        match self {
            Self::Position => "story.position",
            Self::Name => "draft.name",
            Self::FullSlug => "story.full_slug",
            Self::CreatedAt => "story.created_at",
            Self::UpdatedAt => "story.updated_at",
            Self::PublishedAt => "story.published_at",
        }
    }
}

/// How many stories a space has, by the table that every write keeps up to date.
pub async fn count(executor: &impl Executor, space: SpaceId) -> Result<u64> {
    let sql = "select coalesce(sum(stories), 0)::bigint as stories from edition_counts where space_id = $1 and edition = 'draft'";
    let row = executor.row(sql, &[&space.0]).await?;
    Ok(u64::try_from(row::get::<i64>(&row, "stories")?).unwrap_or_default())
}

/// One page of the list.
pub async fn list(
    executor: &impl Executor,
    space: SpaceId,
    filter: &Filter,
    (order, descending): (Order, bool),
    page: PageRequest,
) -> Result<Page<StoryWithDraft>> {
    let mut builder = filter_conditions(space, filter);
    let joined = "stories story join editions draft
         on draft.space_id = story.space_id and draft.story_id = story.id and draft.edition <> 'published'";
    let total = executor
        .rows(&format!("select count(*) as total from {joined} where {}", builder.text()), &builder.values())
        .await?
        .first()
        .map_or(Ok(0), |row| row::get(row, "total"))?;
    let (limit, offset) = (builder.bind(page.limit()), builder.bind(page.offset()));
    let direction = if descending { "desc" } else { "asc" };
    let sql = format!(
        "select {COLUMNS} from {joined} where {} order by {} {direction} nulls last, story.id limit {limit} offset {offset}",
        builder.text(),
        order.column(),
    );
    let items = executor.rows(&sql, &builder.values()).await?.iter().map(story_with_draft).collect::<Result<_>>()?;
    Ok(Page { items, total })
}

fn filter_conditions(space: SpaceId, filter: &Filter) -> WhereBuilder {
    let mut builder = WhereBuilder::new();
    builder.and("story.space_id = {}", space.0);
    // In the text and not as a value: the indexes contain no deleted stories, and the planner must know that none is asked for.
    builder.and_text(if filter.in_trash { "story.deleted_at is not null" } else { "story.deleted_at is null" });
    if let Some(search) = &filter.search {
        builder.and("(draft.name ilike {} or story.full_slug ilike {})", contains_pattern(search));
    }
    if !filter.ids.is_empty() {
        builder.and("story.id = any({})", filter.ids.clone());
    }
    if !filter.excluding_ids.is_empty() {
        builder.and("story.id <> all({})", filter.excluding_ids.clone());
    }
    if !filter.uuids.is_empty() {
        builder.and("story.uuid = any({})", filter.uuids.clone());
    }
    if !filter.slugs.is_empty() {
        let slugs = paths(&mut builder, &filter.slugs);
        builder.and_text(&slugs);
    }
    if !filter.excluding_slugs.is_empty() {
        let slugs = paths(&mut builder, &filter.excluding_slugs);
        builder.and_text(&format!("not {slugs}"));
    }
    if let Some(slug) = &filter.with_slug {
        builder.and("story.full_slug = {}", slug.clone());
    }
    if let Some(prefix) = &filter.starts_with {
        let begins = builder.begins("story.full_slug", prefix);
        builder.and_text(&begins);
    }
    if let Some(parent) = filter.parent {
        builder.and("story.parent_id = {}", parent);
    }
    if !filter.tags.is_empty() {
        builder.and("draft.tags && {}", filter.tags.clone());
    }
    if let Some(is_folder) = filter.is_folder {
        builder.and("story.is_folder = {}", is_folder);
    }
    if let Some(is_published) = filter.is_published {
        builder.and_text(if is_published { "story.published_version is not null" } else { "story.published_version is null" });
    }
    if !filter.components.is_empty() {
        builder.and("draft.component = any({})", filter.components.clone());
    }
    builder
}

/// The condition that the path is one of these. Whole paths and prefixes are looked up; only patterns are compared with every path.
fn paths(builder: &mut WhereBuilder, slugs: &Slugs) -> String {
    let mut tests: Vec<String> = slugs.prefixes.iter().map(|prefix| builder.begins("story.full_slug", prefix)).collect();
    if !slugs.exact.is_empty() {
        tests.push(builder.among("story.full_slug", slugs.exact.clone()));
    }
    if !slugs.patterns.is_empty() {
        let patterns: Vec<String> = slugs.patterns.iter().map(|pattern| wildcard_pattern(pattern.as_str())).collect();
        tests.push(format!("story.full_slug like any({})", builder.bind(patterns)));
    }
    format!("({})", tests.join(" or "))
}
