//! The list of stories.

use super::{answer::authors, view};
use crate::{
    content::{
        Content,
        management::{access::Manager, paginate::list_parameters},
    },
    web::{ApiRequest, ApiResponse},
};
use domain::{
    content::{
        query::{
            Condition, ListOrder, QueryCost, Slugs,
            plan::{bounded, filter_conditions, selected},
            sort,
        },
        scheduling::Status,
        translation_status::TranslationCounts,
    },
    shared::{Code, Fault, FieldCode, Parameters, SpaceId, StoryId},
};
use serde_json::json;
use services::content::stories::translation_status;
use std::{collections::HashMap, time::Duration};
use storage::{
    Executor,
    content::stories::list::{self as stories, Extras, ListedStory, Scheduled, StoryFilter},
};
use uuid::Uuid;

/// The most stories of one page.
const MAX_PER_PAGE: u32 = 100;
/// How long the list may take. A filter that would take twice as long by an estimate is refused before.
const LIMIT: Duration = Duration::from_secs(5);

const KNOWN: &[&str] = &[
    "search",
    "text_search",
    "by_ids[]",
    "excluding_ids[]",
    "by_uuids[]",
    "by_uuids_ordered[]",
    "by_slugs[]",
    "excluding_slugs[]",
    "with_slug",
    "starts_with",
    "with_parent",
    "with_tag[]",
    "folder_only",
    "root_folders_only",
    "story_only",
    "is_published",
    "state",
    "in_trash",
    "content_type[]",
    "contain_component[]",
    "filter_query[…]",
    "reference_search",
    "scheduled_at_gt",
    "scheduled_at_lt",
    "scheduled_by_status",
    "mine",
    "pinned",
    "favourite",
    "in_workflow_stages[]",
    "has_workflow_stages",
    "in_release",
    "release_id",
    "branch_id",
    "sort_by",
    "custom_sorting",
    "with_alts",
    "with_summary",
    "with_counts",
    "with_translated_stories",
    "with_translations",
];

/// 200 `{"stories": […]}`, folders among them, without content. A parameter that is not known is 422: a
/// filter that does nothing would answer the wrong stories.
pub(super) async fn list(content: Content, caller: Manager, request: ApiRequest) -> Result<ApiResponse, Fault> {
    let query = list_parameters(&request, KNOWN)?;
    let page = query.page(MAX_PER_PAGE)?;
    let filter = filter(&query, &caller)?;
    let order = order(&query, &filter)?;
    let (with_summary, with_translations) = (query.flag("with_summary")?, query.flag("with_translated_stories")?);
    let (alternates, counts) = (query.flag("with_alts")?, query.flag("with_counts")?);
    let counts_translations = query.flag("with_translations")?;
    let extras = Extras { alternates, counts, translations: with_translations };
    let connection = content.store.connection("story.list").await?;
    let cost = cost(&filter, &order);
    let (space, filter, order) = (caller.space(), &filter, &order);
    // Dropped with its connection, it cancels its statement.
    let listing = async move {
        if !cost.is_nothing() && cost.in_space(stories::count(&connection, space).await?) > LIMIT * 2 {
            return Err(too_expensive());
        }
        let found = stories::list(&connection, space, filter, order, page, extras).await?;
        let translated =
            if counts_translations { translation_counts(&connection, space, &found.page.items).await? } else { HashMap::new() };
        Ok((found, translated))
    };
    let (found, translated) = content.store.in_time(LIMIT, listing).await?.ok_or_else(too_expensive)??;
    let languages = with_translations.then_some(found.languages.as_slice());
    let authors = authors(&content, found.page.items.iter().map(|item| &item.story.story.author)).await?;
    let listed = found.page.items.iter().map(|item| {
        let shown = view::Shown { summary: with_summary, languages, translations: &translated };
        view::listed(space, item, shown, &authors)
    });
    let views = listed.collect::<Result<Vec<_>, Fault>>()?;
    Ok(ApiResponse::ok(&json!({ "stories": views }))?.paged(found.page.total, page))
}

/// How far the stories are translated; folders are not.
async fn translation_counts(
    connection: &impl Executor,
    space: SpaceId,
    items: &[ListedStory],
) -> storage::Result<HashMap<StoryId, Vec<TranslationCounts>>> {
    let stories = items.iter().map(|item| &item.story).filter(|found| !found.story.is_folder);
    let drafts: Vec<_> = stories.map(|found| (found.story.id, &found.draft.content)).collect();
    translation_status::counts(connection, space, &drafts).await
}

/// By `sort_by`; otherwise as `by_uuids_ordered` names the stories; otherwise by position, as editors sort
/// them, which `custom_sorting` asks for by name.
fn order(query: &Parameters, filter: &StoryFilter) -> Result<ListOrder, Fault> {
    let keys = query.text("sort_by").map(sort::parse_for_editors).transpose()?.filter(|keys| !keys.is_empty());
    match keys {
        Some(_) if query.flag("custom_sorting")? => Err(Fault::invalid("custom_sorting", FieldCode::Invalid, "excludes sort_by")),
        Some(keys) => Ok(ListOrder::Keys(keys)),
        None if query.flag("custom_sorting")? => Ok(ListOrder::Position),
        None => Ok(filter.uuids_ordered.clone().map_or(ListOrder::Position, ListOrder::Given)),
    }
}

/// What the patterns of paths and the conditions on content cost for one story; indexes find the rest, or the
/// limit of time bounds it.
fn cost(filter: &StoryFilter, order: &ListOrder) -> QueryCost {
    let slugs =
        [(&filter.slugs, true), (&filter.excluding_slugs, false)].map(|(slugs, wanted)| Condition::Slugs(slugs.clone(), wanted));
    let conditions: Vec<Condition> = filter.content.iter().cloned().chain(slugs).collect();
    QueryCost::of(&conditions, &ListOrder::Position).with_order(order)
}

fn too_expensive() -> Fault {
    let message = "This list takes too long in a space of this size. Ask for less: fewer conditions of filter_query, fewer values with * in by_slugs and excluding_slugs, \
                   fewer * in each, fewer keys of sort_by; or narrow it down with starts_with, with_parent or by_ids";
    Fault::new(Code::QueryTooExpensive, message)
}

fn filter(query: &Parameters, caller: &Manager) -> Result<StoryFilter, Fault> {
    let text = |name| query.text(name).map(str::to_owned);
    let root_folders = query.flag("root_folders_only")?;
    let is_folder = match (query.flag("folder_only")? || root_folders, query.flag("story_only")?) {
        (true, true) => return Err(Fault::invalid("story_only", FieldCode::Invalid, "excludes folder_only")),
        (true, false) => Some(true),
        (false, true) => Some(false),
        (false, false) => None,
    };
    for (one, other, is_both) in [
        ("with_parent", "root_folders_only", root_folders && query.text("with_parent").is_some()),
        ("text_search", "search", query.text("search").is_some() && query.text("text_search").is_some()),
    ] {
        if is_both {
            return Err(Fault::invalid(one, FieldCode::Invalid, format!("excludes {other}")));
        }
    }
    let list = |name| bounded(name, query.list(name));
    Ok(StoryFilter {
        search: query.search("search")?.or(query.search("text_search")?),
        ids: selected("by_ids", query)?,
        excluding_ids: selected("excluding_ids", query)?.unwrap_or_default(),
        uuids: selected("by_uuids", query)?,
        uuids_ordered: selected("by_uuids_ordered", query)?,
        content: content_conditions(query)?,
        is_pinned: query.flag_if_given("pinned")?,
        author: query.flag("mine")?.then(|| caller.authorized.actor().id.clone()),
        scheduled: scheduled(query)?,
        slugs: Slugs::parse("by_slugs", list("by_slugs")?)?,
        excluding_slugs: Slugs::parse("excluding_slugs", list("excluding_slugs")?)?,
        with_slug: text("with_slug"),
        starts_with: text("starts_with"),
        parent: if root_folders { Some(0) } else { query.parsed("with_parent")? },
        tags: list("with_tag")?,
        is_folder,
        is_published: query.flag_if_given("is_published")?,
        states: bounded("state", query.parsed_list("state")?)?,
        components: list("content_type")?,
        in_trash: query.flag("in_trash")?,
    })
}

/// The conditions on the content of stories.
fn content_conditions(query: &Parameters) -> Result<Vec<Condition>, Fault> {
    let mut conditions = filter_conditions(query)?;
    let components = bounded("contain_component", query.list("contain_component"))?;
    if !components.is_empty() {
        conditions.push(Condition::ContainsComponent(components));
    }
    if let Some(story) = query.parsed::<Uuid>("reference_search")? {
        conditions.push(Condition::RefersTo(story));
    }
    if asks_for_what_is_not_here(query)? {
        conditions.push(Condition::Nothing);
    }
    Ok(conditions)
}

/// Whether only stories of a release, of a branch or in a workflow are asked for, or a person's favourites: a
/// space has none of them.
fn asks_for_what_is_not_here(query: &Parameters) -> Result<bool, Fault> {
    let stages: Vec<i64> = bounded("in_workflow_stages", query.parsed_list("in_workflow_stages")?)?;
    let mut asks = !stages.is_empty();
    for name in ["has_workflow_stages", "favourite"] {
        asks |= query.flag(name)?;
    }
    for name in ["in_release", "release_id", "branch_id"] {
        asks |= query.parsed::<i64>(name)?.is_some_and(|number| number != 0);
    }
    Ok(asks)
}

/// The condition on schedules: without a status those that are still to run.
fn scheduled(query: &Parameters) -> Result<Option<Scheduled>, Fault> {
    let (after, before) = (query.time("scheduled_at_gt")?, query.time("scheduled_at_lt")?);
    let known = |name: &str| name.parse().map_err(|_| Fault::invalid("scheduled_by_status", FieldCode::Invalid, "is not valid"));
    let status = query.text("scheduled_by_status").map(known).transpose()?;
    let is_asked = status.is_some() || after.is_some() || before.is_some();
    Ok(is_asked.then(|| Scheduled { status: status.unwrap_or(Status::Scheduled), after, before }))
}
