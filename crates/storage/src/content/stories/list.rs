//! The management list of stories and folders: drafts, without content.

use super::read::{
    ALTERNATES, Alternate, CHILDREN, COLUMNS, PUBLISHED_CONTENT, StoryWithDraft, published_content, story_with_draft,
};
use crate::{
    Executor, Result,
    content::{
        delivery::{ContentVersion, key_text},
        spaces,
        where_builder::WhereBuilder,
    },
    row,
};
use domain::{
    content::{Language, query::ListOrder, story::StoryContent},
    shared::{Page, PageRequest, SpaceId},
};
use filter::filter_conditions;
use serde::{Deserialize, Serialize};
use tokio_postgres::Row;

mod filter;

pub use filter::{Scheduled, StoryFilter};

/// Whether a publish of `stories story` is planned, by itself or in the list of schedulings.
const SCHEDULED: &str = "(story.publish_at is not null or exists (
         select from story_schedulings line
         where line.space_id = $1 and line.story_id = story.id and line.status = 'scheduled' and line.action = 'publish'
     ))";

/// Each story with its draft, also when it is deleted.
const JOINED: &str = "stories story join editions edition
         on edition.space_id = $1 and edition.story_id = story.id and edition.edition <> 'published'";

/// How many stories a space has, by the table that every write keeps up to date.
pub async fn count(executor: &impl Executor, space: SpaceId) -> Result<u64> {
    let sql = "select coalesce(sum(stories), 0)::bigint as stories from edition_counts where space_id = $1 and edition = 'draft'";
    let row = executor.row(sql, &[&space.0]).await?;
    Ok(u64::try_from(row::get::<i64>(&row, "stories")?).unwrap_or_default())
}

/// What a list shows of each story beside its own columns, where it is asked for.
#[derive(Debug, Clone, Copy, Default)]
pub struct Extras {
    /// The stories of its group.
    pub alternates: bool,
    /// The languages of the space, and the content that is published where the draft differs from it.
    pub translations: bool,
    /// How much is in each folder.
    pub counts: bool,
}

/// How many folders and stories are directly in a folder.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Children {
    pub folders: u64,
    pub stories: u64,
}

/// A story of a list with what was asked for beside it.
#[derive(Debug)]
pub struct ListedStory {
    /// The story with its draft.
    pub story: StoryWithDraft,
    /// The stories of its group.
    pub alternates: Vec<Alternate>,
    /// What is published of its content, when the draft differs from that.
    pub published: Option<StoryContent>,
    /// How much is in it, for a folder.
    pub children: Option<Children>,
    /// Whether a publish of it is planned.
    pub is_scheduled: bool,
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
    let order = order_text(&mut builder, order);
    let (limit, offset) = (builder.bind(page.limit()), builder.bind(page.offset()));
    let columns = COLUMNS.replace("draft.", "edition.");
    let alternates = if extras.alternates { ALTERNATES } else { "null::jsonb" };
    let published = if extras.translations { PUBLISHED_CONTENT } else { "null::json as published_content" };
    let children = if extras.counts { CHILDREN } else { "null::jsonb" };
    let shown = format!("{columns}, {alternates} as alternates, {children} as children, {SCHEDULED} as is_scheduled, {published}");
    let sql = if filter.search.is_some() {
        // Every name and path is looked at for a page as well as for the total: once for both.
        format!(
            "with found as materialized (
                 select story.id, row_number() over (order by {order}) as place, count(*) over () as total
                 from {JOINED} where {} order by place limit {limit} offset {offset}
             )
             select {shown}, found.total from found
             cross join lateral (select * from stories where space_id = $1 and id = found.id offset 0) story
             cross join lateral (
                 select * from editions where space_id = $1 and story_id = found.id and edition <> 'published' offset 0
             ) edition
             order by found.place",
            builder.text(),
        )
    } else {
        format!(
            "select {shown}, null::bigint as total from {JOINED} where {} order by {order} limit {limit} offset {offset}",
            builder.text(),
        )
    };
    let rows = executor.rows(&sql, &builder.values()).await?;
    let counted = rows.first().map(|row| row::get::<Option<i64>>(row, "total")).transpose()?.flatten();
    let total = match counted {
        Some(total) => total,
        None if filter.search.is_some() && page.offset() == 0 => 0,
        None => count_matching(executor, space, filter).await?,
    };
    let listed = |row: &Row| {
        Ok(ListedStory {
            story: story_with_draft(row)?,
            alternates: row::list(row, "alternates")?,
            published: published_content(row)?,
            children: row::json_opt(row, "children")?,
            is_scheduled: row::get(row, "is_scheduled")?,
        })
    };
    let items = rows.iter().map(listed).collect::<Result<_>>()?;
    let languages = if extras.translations { spaces::languages(executor, space).await? } else { Vec::new() };
    Ok(List { page: Page { items, total }, languages })
}

async fn count_matching(executor: &impl Executor, space: SpaceId, filter: &StoryFilter) -> Result<i64> {
    let builder = filter_conditions(space, filter);
    let sql = format!("select count(*) as total from {JOINED} where {}", builder.text());
    row::get(&executor.row(&sql, &builder.values()).await?, "total")
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
