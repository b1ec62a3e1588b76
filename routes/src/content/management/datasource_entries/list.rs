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
    web::{ApiRequest, ApiResponse, Endpoint, ErrorFormat, endpoint::respond, request::api_request},
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
        .and(api_request())
        .then(move |space, request: ApiRequest| {
            respond(ErrorFormat::Management, request.meta, list(content.clone(), space, request))
        })
        .boxed()
}

async fn list(content: Content, space: SpaceId, request: ApiRequest) -> Result<ApiResponse, Fault> {
    access::manager(&content, &request, space, Right::Read).await?;
    let query = request.query()?;
    query.only(&["datasource_id", "datasource_slug", "dimension", "search", "page", "per_page"])?;
    let page = query.page(MOST)?;
    let dimension = query.parsed("dimension")?.map(Dimension::Number);
    let filter = EntryFilter {
        datasource: query.parsed("datasource_id")?,
        slug: query.text("datasource_slug").map(str::to_owned),
        search: query.text("search").map(str::to_owned),
    };
    let connection = content.store.connection("datasource_entry.list").await?;
    let found = datasource_entries::list(&connection, space, &filter, dimension.as_ref(), page).await?;
    let views: Vec<_> = found.items.iter().map(EntryView::of).collect();
    Ok(ApiResponse::ok(&wrapper::put("datasource_entries", views))?.paged(found.total, page))
}
