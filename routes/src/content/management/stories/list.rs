//! `GET …/stories`: 200 `{"stories": […]}`, folders among them, without content (facts, section 2.6). A parameter that is not known is
//! 422: a filter that does nothing would hand out the wrong stories.

use super::view;
use crate::{
    content::{Content, management::access::manager},
    web::{Answer, Call, Dialect, Endpoint, call::call, endpoint::respond, path::segment},
};
use domain::{
    content::Right,
    shared::{Fault, Parameters, SpaceId},
};
use serde_json::json;
use storage::content::stories::list::{Filter as StoryFilter, Order, list as list_stories};
use warp::Filter;

const KNOWN: &[&str] = &[
    "page",
    "per_page",
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

pub(super) fn route(content: &Content) -> Endpoint {
    let content = content.clone();
    warp::path!("api" / "v1" / "spaces" / ..)
        .and(segment())
        .and(warp::path("stories"))
        .and(warp::path::end())
        .and(warp::get())
        .and(call())
        .then(move |space, call: Call| respond(Dialect::Management, call.arrival, list(content.clone(), call, space)))
        .boxed()
}

async fn list(content: Content, call: Call, space: SpaceId) -> Result<Answer, Fault> {
    manager(&content, &call, space, Right::Read).await?;
    let query = call.query()?;
    query.only(KNOWN)?;
    let page = query.page(100)?;
    let filter = filter(&query)?;
    let session = content.store.read("story.list").await?;
    let found = list_stories(&session, space, &filter, order(&query)?, page).await?;
    let stories: Vec<_> = found.items.iter().map(view::list_item).collect();
    Ok(Answer::ok(&json!({ "stories": stories }))?.paged(found.total, page))
}

fn filter(query: &Parameters) -> Result<StoryFilter, Fault> {
    let text = |name| query.get(name).filter(|it| !it.is_empty()).map(str::to_owned);
    let root_folders = query.flag("root_folders_only")?;
    let is_folder = match (query.flag("folder_only")? || root_folders, query.flag("story_only")?) {
        (true, true) => return Err(Fault::invalid("story_only", "invalid", "excludes folder_only")),
        (true, false) => Some(true),
        (false, true) => Some(false),
        (false, false) => None,
    };
    let is_published = match query.get("is_published") {
        None | Some("") => None,
        Some(_) => Some(query.flag("is_published")?),
    };
    Ok(StoryFilter {
        search: text("search").or_else(|| text("text_search")),
        ids: query.parsed_list("by_ids")?,
        excluding_ids: query.parsed_list("excluding_ids")?,
        uuids: query.parsed_list("by_uuids")?,
        slugs: query.list("by_slugs"),
        excluding_slugs: query.list("excluding_slugs"),
        with_slug: text("with_slug"),
        starts_with: text("starts_with"),
        parent: if root_folders { Some(0) } else { query.parsed("with_parent")? },
        tags: query.list("with_tag"),
        is_folder,
        is_published,
        components: query.list("content_type"),
        in_trash: query.flag("in_trash")?,
    })
}

/// `name:asc`, `updated_at:desc` …
fn order(query: &Parameters) -> Result<(Order, bool), Fault> {
    let Some(text) = query.get("sort_by").filter(|it| !it.is_empty()) else { return Ok((Order::default(), false)) };
    let (column, direction) = text.split_once(':').unwrap_or((text, "asc"));
    match (Order::of(column), direction) {
        (Some(order), "asc") => Ok((order, false)),
        (Some(order), "desc") => Ok((order, true)),
        _ => Err(Fault::invalid("sort_by", "invalid", "must be a column and asc or desc, like updated_at:desc")),
    }
}
