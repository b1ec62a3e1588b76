//! `GET /api/v1/spaces/{space}/datasource_entries`, paged.
//!
//! Filters: `datasource_id` or `datasource_slug` (one that nothing has answers an empty list, neither answers the whole space),
//! `search` (in name and value). `dimension` is a dimension's **number** here.

use super::view::EntryView;
use crate::{
    content::{
        Content,
        management::{access, collection, wrapper},
    },
    web::{Answer, Call, Dialect, Endpoint, call::call, endpoint::respond},
};
use domain::{
    content::Right,
    shared::{Fault, SpaceId},
};
use storage::content::datasource_entries::{self, Dimension, Filter as EntryFilter};
use warp::Filter;

/// The most entries of one page.
const MOST: u32 = 1_000;

pub(super) fn route(content: &Content) -> Endpoint {
    let content = content.clone();
    collection("datasource_entries")
        .and(warp::get())
        .and(call())
        .then(move |space, call: Call| respond(Dialect::Management, call.arrival, list(content.clone(), space, call)))
        .boxed()
}

async fn list(content: Content, space: SpaceId, call: Call) -> Result<Answer, Fault> {
    access::manager(&content, &call, space, Right::Read).await?;
    let query = call.query()?;
    query.only(&["datasource_id", "datasource_slug", "dimension", "search", "page", "per_page"])?;
    let page = query.page(MOST)?;
    let dimension = query.parsed("dimension")?.map(Dimension::Number);
    let filter = EntryFilter {
        datasource: query.parsed("datasource_id")?,
        slug: query.text("datasource_slug").map(str::to_owned),
        search: query.text("search").map(str::to_owned),
    };
    let session = content.store.read("datasource_entry.list").await?;
    let found = datasource_entries::list(&session, space, &filter, dimension.as_ref(), page).await?;
    let views: Vec<_> = found.items.iter().map(EntryView::of).collect();
    Ok(Answer::ok(&wrapper::put("datasource_entries", views))?.paged(found.total, page))
}
