//! The management list of stories and folders: drafts, without content.

use super::read::{ALTERNATES, Alternate, COLUMNS, PUBLISHED_CONTENT, StoryWithDraft, published_content, story_with_draft};
use crate::{
    Executor, Result,
    content::{
        delivery::{ContentVersion, condition_text, key_text},
        spaces,
        where_builder::{WhereBuilder, contains_pattern, wildcard_pattern},
    },
    row,
};
use domain::{
    content::{
        Language,
        query::{Condition, ListOrder, Slugs},
        scheduling::Status,
    },
    shared::{Page, PageRequest, SpaceId},
};
use jiff::Timestamp;
use serde_json::value::RawValue;
use tokio_postgres::Row;
use uuid::Uuid;

/// The conditions of a list. Everything given has to hold.
#[derive(Debug, Clone, Default)]
pub struct StoryFilter {
    /// In the name or the path.
    pub search: Option<String>,
    /// Any of these numbers.
    pub ids: Option<Vec<i64>>,
    /// None of these numbers.
    pub excluding_ids: Vec<i64>,
    /// Any of these UUIDs.
    pub uuids: Option<Vec<Uuid>>,
    /// Any of these UUIDs, as well.
    pub uuids_ordered: Option<Vec<Uuid>>,
    /// Conditions on the content, which folders do not meet.
    pub content: Vec<Condition>,
    /// Pinned only, or not.
    pub is_pinned: Option<bool>,
    /// Those whose newest version is of this author.
    pub author: Option<String>,
    /// Those that are to be published, or were, by schedule.
    pub scheduled: Option<Scheduled>,
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

/// How many stories a space has, by the table that every write keeps up to date.
pub async fn count(executor: &impl Executor, space: SpaceId) -> Result<u64> {
    let sql = "select coalesce(sum(stories), 0)::bigint as stories from edition_counts where space_id = $1 and edition = 'draft'";
    let row = executor.row(sql, &[&space.0]).await?;
    Ok(u64::try_from(row::get::<i64>(&row, "stories")?).unwrap_or_default())
}

/// A condition on the schedules of a story.
#[derive(Debug, Clone, Copy)]
pub struct Scheduled {
    /// The status that one of them has.
    pub status: Status,
    /// Its time is after this.
    pub after: Option<Timestamp>,
    /// Its time is before this.
    pub before: Option<Timestamp>,
}

/// What a list shows of each story beside its own columns, where it is asked for.
#[derive(Debug, Clone, Copy, Default)]
pub struct Extras {
    /// The stories of its group.
    pub alternates: bool,
    /// The languages of the space, and the content that is published where the draft differs from it.
    pub translations: bool,
}

/// A story of a list with what was asked for beside it.
#[derive(Debug)]
pub struct ListedStory {
    /// The story with its draft.
    pub story: StoryWithDraft,
    /// The stories of its group.
    pub alternates: Vec<Alternate>,
    /// What is published of its content, when the draft differs from that.
    pub published: Option<Box<RawValue>>,
}

/// A page of stories with what was asked for beside them.
#[derive(Debug)]
pub struct List {
    pub page: Page<ListedStory>,
    /// The languages of the space; empty unless asked for.
    pub languages: Vec<Language>,
}

/// One page of the list.
pub async fn list(
    executor: &impl Executor,
    space: SpaceId,
    filter: &StoryFilter,
    order: &ListOrder,
    page: PageRequest,
    extras: Extras,
) -> Result<List> {
    let mut builder = filter_conditions(space, filter);
    let joined = "stories story join editions edition
         on edition.space_id = $1 and edition.story_id = story.id and edition.edition <> 'published'";
    let total = executor
        .rows(&format!("select count(*) as total from {joined} where {}", builder.text()), &builder.values())
        .await?
        .first()
        .map_or(Ok(0), |row| row::get(row, "total"))?;
    let order = order_text(&mut builder, order);
    let (limit, offset) = (builder.bind(page.limit()), builder.bind(page.offset()));
    let columns = COLUMNS.replace("draft.", "edition.");
    let alternates = if extras.alternates { ALTERNATES } else { "null::jsonb" };
    let published = if extras.translations { PUBLISHED_CONTENT } else { "null::json as published_content" };
    let sql = format!(
        "select {columns}, {alternates} as alternates, {published} from {joined} where {} order by {order} limit {limit} offset {offset}",
        builder.text(),
    );
    let rows = executor.rows(&sql, &builder.values()).await?;
    let listed = |row: &Row| {
        Ok(ListedStory {
            story: story_with_draft(row)?,
            alternates: row::list(row, "alternates")?,
            published: published_content(row)?,
        })
    };
    let items = rows.iter().map(listed).collect::<Result<_>>()?;
    let languages = if extras.translations { spaces::languages(executor, space).await? } else { Vec::new() };
    Ok(List { page: Page { items, total }, languages })
}

/// The text behind `order by`.
fn order_text(builder: &mut WhereBuilder, order: &ListOrder) -> String {
    let first: Vec<String> = match order {
        ListOrder::Position | ListOrder::Relevance => vec!["edition.position".to_owned()],
        ListOrder::Given(uuids) => vec![format!("array_position({}::uuid[], edition.uuid)", builder.bind(uuids.clone()))],
        ListOrder::Keys(keys) => keys.iter().map(|key| key_text(builder, key, ContentVersion::Draft)).collect(),
    };
    first.into_iter().chain(["story.id".to_owned()]).collect::<Vec<_>>().join(", ")
}

/// The conditions; `$1` and `$2` are the space and the edition, which the conditions on content need.
fn filter_conditions(space: SpaceId, filter: &StoryFilter) -> WhereBuilder {
    let mut builder = WhereBuilder::new();
    builder.and("story.space_id = {}", space.0);
    // Not compared with the edition: a story has one that is not published, and PostgreSQL would expect that
    // few have it, and scan them.
    builder.and("{}::text is not null", if filter.in_trash { "trashed" } else { "draft" });
    // In the text and not as a value: the indexes contain no deleted stories, and the planner must know that
    // none is asked for.
    builder.and_text(if filter.in_trash { "story.deleted_at is not null" } else { "story.deleted_at is null" });
    for condition in &filter.content {
        let text = condition_text(&mut builder, condition);
        // Folders have no content of their own.
        builder.and_text(&format!("not edition.is_folder and {text}"));
    }
    for uuids in [&filter.uuids, &filter.uuids_ordered].into_iter().flatten() {
        builder.and("story.uuid = any({})", uuids.clone());
    }
    if let Some(pinned) = filter.is_pinned {
        builder.and("story.pinned = {}", pinned);
    }
    if let Some(author) = &filter.author {
        builder.and(
            "exists (select from story_versions version where version.space_id = $1 and version.story_id = story.id
                         and version.number = story.last_version and version.author_id = {})",
            author.clone(),
        );
    }
    if let Some(scheduled) = &filter.scheduled {
        let condition = scheduled_text(&mut builder, scheduled);
        builder.and_text(&condition);
    }
    if let Some(search) = &filter.search {
        builder.and("(edition.name ilike {} or story.full_slug ilike {})", contains_pattern(search));
    }
    if let Some(ids) = &filter.ids {
        builder.and("story.id = any({})", ids.clone());
    }
    if !filter.excluding_ids.is_empty() {
        builder.and("story.id <> all({})", filter.excluding_ids.clone());
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
        builder.and("edition.tags && {}", filter.tags.clone());
    }
    if let Some(is_folder) = filter.is_folder {
        builder.and("story.is_folder = {}", is_folder);
    }
    if let Some(is_published) = filter.is_published {
        builder.and_text(if is_published { "story.published_version is not null" } else { "story.published_version is null" });
    }
    if !filter.components.is_empty() {
        builder.and("edition.component = any({})", filter.components.clone());
    }
    builder
}

/// The condition that a publish of the story is scheduled: in the list of schedulings, or as the time of the
/// story itself.
fn scheduled_text(builder: &mut WhereBuilder, scheduled: &Scheduled) -> String {
    let status = builder.bind(scheduled.status.into_str());
    let mut times = |column: &str| {
        let mut text = String::new();
        for (operator, time) in [(">", scheduled.after), ("<", scheduled.before)] {
            if let Some(time) = time {
                text = format!("{text} and {column} {operator} {}", builder.bind(time));
            }
        }
        text
    };
    let listed = format!(
        "exists (select from story_schedulings line where line.space_id = $1 and line.story_id = story.id
                     and line.status = {status}{})",
        times("line.publish_at")
    );
    if scheduled.status != Status::Scheduled {
        return listed;
    }
    format!("({listed} or story.publish_at is not null{})", times("story.publish_at"))
}

/// The condition that the path is one of these. Whole paths and prefixes are looked up; only patterns are
/// compared with every path.
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
