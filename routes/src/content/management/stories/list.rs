//! The list of stories.

use super::view;
use crate::{
    content::{
        Content,
        management::{access::Manager, paginate::list_parameters},
    },
    web::{ApiRequest, ApiResponse},
};
use domain::{
    content::query::{Condition, Order as QueryOrder, QueryCost, Slugs, plan::bounded},
    shared::{Fault, Kind, Parameters},
};
use serde_json::json;
use std::time::Duration;
use storage::content::stories::list::{self as stories, Filter, Order};
use tokio::time::timeout;

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
    "in_trash",
    "content_type[]",
    "sort_by",
];

/// 200 `{"stories": […]}`, folders among them, without content. A parameter that is not known is 422: a filter that does nothing would answer the wrong
/// stories.
pub(super) async fn list(content: Content, caller: Manager, request: ApiRequest) -> Result<ApiResponse, Fault> {
    let query = list_parameters(&request, KNOWN)?;
    let page = query.page(MAX_PER_PAGE)?;
    let filter = filter(&query)?;
    let order = query.sort_by(Order::of, "updated_at:desc")?.unwrap_or((Order::default(), false));
    let connection = content.store.connection("story.list").await?;
    let cost = cost(&filter);
    if !cost.is_nothing() && cost.in_space(stories::count(&connection, caller.space).await?) > LIMIT * 2 {
        return Err(too_expensive());
    }
    // Dropped, it cancels its statement.
    let found =
        timeout(LIMIT, stories::list(&connection, caller.space, &filter, order, page)).await.map_err(|_| too_expensive())??;
    let views: Vec<_> = found.items.iter().map(view::list_item).collect();
    Ok(ApiResponse::ok(&json!({ "stories": views }))?.paged(found.total, page))
}

/// What the patterns of paths cost for one story; indexes find the rest, or the limit of time bounds it.
fn cost(filter: &Filter) -> QueryCost {
    let conditions =
        [(&filter.slugs, true), (&filter.excluding_slugs, false)].map(|(slugs, wanted)| Condition::Slugs(slugs.clone(), wanted));
    QueryCost::of(&conditions, &QueryOrder::Position)
}

fn too_expensive() -> Fault {
    let message = "This list takes too long in a space of this size. Ask for less: fewer values with * in by_slugs and excluding_slugs, fewer * in each; or narrow it \
                   down with starts_with, with_parent or by_ids";
    Fault::new(Kind::Invalid, "queryTooExpensive", message)
}

fn filter(query: &Parameters) -> Result<Filter, Fault> {
    let text = |name| query.text(name).map(str::to_owned);
    let root_folders = query.flag("root_folders_only")?;
    let is_folder = match (query.flag("folder_only")? || root_folders, query.flag("story_only")?) {
        (true, true) => return Err(Fault::invalid("story_only", "invalid", "excludes folder_only")),
        (true, false) => Some(true),
        (false, true) => Some(false),
        (false, false) => None,
    };
    for (one, other, is_both) in [
        ("with_parent", "root_folders_only", root_folders && query.text("with_parent").is_some()),
        ("text_search", "search", query.text("search").is_some() && query.text("text_search").is_some()),
    ] {
        if is_both {
            return Err(Fault::invalid(one, "invalid", format!("excludes {other}")));
        }
    }
    let list = |name| bounded(name, query.list(name));
    Ok(Filter {
        search: query.search("search")?.or(query.search("text_search")?),
        ids: bounded("by_ids", query.parsed_list("by_ids")?)?,
        excluding_ids: bounded("excluding_ids", query.parsed_list("excluding_ids")?)?,
        uuids: bounded("by_uuids", query.parsed_list("by_uuids")?)?,
        slugs: Slugs::parse("by_slugs", list("by_slugs")?)?,
        excluding_slugs: Slugs::parse("excluding_slugs", list("excluding_slugs")?)?,
        with_slug: text("with_slug"),
        starts_with: text("starts_with"),
        parent: if root_folders { Some(0) } else { query.parsed("with_parent")? },
        tags: list("with_tag")?,
        is_folder,
        is_published: query.flag_if_given("is_published")?,
        components: list("content_type")?,
        in_trash: query.flag("in_trash")?,
    })
}
