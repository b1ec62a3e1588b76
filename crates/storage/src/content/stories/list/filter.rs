//! What the list is narrowed to, and its conditions in SQL.

use crate::content::{
    delivery::condition_text,
    where_builder::{WhereBuilder, contains_pattern, wildcard_pattern},
};
use domain::{
    content::{
        query::{Condition, Slugs},
        scheduling::Status,
        story::StoryState,
    },
    shared::SpaceId,
};
use jiff::Timestamp;
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
    /// In any of these states.
    pub states: Vec<StoryState>,
    /// Any of these root components.
    pub components: Vec<String>,
    /// Deleted stories instead of the others.
    pub in_trash: bool,
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

/// The conditions; `$1` and `$2` are the space and the edition, which the conditions on content need.
pub(super) fn filter_conditions(space: SpaceId, filter: &StoryFilter) -> WhereBuilder {
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
    if !filter.states.is_empty() {
        let states: Vec<String> = filter.states.iter().map(|state| state_text(&mut builder, *state)).collect();
        builder.and_text(&format!("not story.is_folder and ({})", states.join(" or ")));
    }
    if !filter.components.is_empty() {
        builder.and("edition.component = any({})", filter.components.clone());
    }
    builder
}

/// The condition that a story is in a state.
fn state_text(builder: &mut WhereBuilder, state: StoryState) -> String {
    match state {
        StoryState::Draft => "story.published_version is null".to_owned(),
        StoryState::Published => "story.published_version is not null and not story.unpublished_changes".to_owned(),
        StoryState::Changed => "story.published_version is not null and story.unpublished_changes".to_owned(),
        StoryState::Scheduled => scheduled_text(builder, &Scheduled { status: Status::Scheduled, after: None, before: None }),
    }
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
                     and line.action = 'publish' and line.status = {status}{})",
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
