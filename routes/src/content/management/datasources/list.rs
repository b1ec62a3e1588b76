//! `GET /api/v1/spaces/{space}/datasources`, paged.
//!
//! Filters: `search` (in name and slug), `by_ids`. Order: `sort_by=(name|created_at|updated_at):(asc|desc)`, else by age.

use crate::{
    content::{
        Content,
        datasource::DatasourceView,
        management::{access, collection, wrapper},
    },
    web::{ApiRequest, ApiResponse, Endpoint, ErrorFormat, endpoint::respond, request::api_request},
};
use domain::{
    content::Right,
    shared::{Fault, SpaceId},
};
use storage::content::datasources::{self, Filter as DatasourceFilter, Order};
use warp::Filter;

/// The most datasources of one page.
const MOST: u32 = 1_000;

pub(super) fn route(content: &Content) -> Endpoint {
    let content = content.clone();
    collection("datasources")
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
    query.only(&["search", "by_ids[]", "sort_by", "page", "per_page"])?;
    let (order, page) = (query.sort_by(Order::of, "updated_at:desc")?.unwrap_or((Order::default(), false)), query.page(MOST)?);
    let filter = DatasourceFilter { search: query.text("search").map(str::to_owned), ids: query.parsed_list("by_ids")? };
    let connection = content.store.connection("datasource.list").await?;
    let found = datasources::list(&connection, space, &filter, order, page).await?;
    let views: Vec<_> = found.items.iter().map(DatasourceView::of).collect();
    Ok(ApiResponse::ok(&wrapper::put("datasources", views))?.paged(found.total, page))
}
