//! `GET /api/v1/spaces/{space}/datasources`, paged.
//!
//! Filters: `search` (in name and slug), `by_ids`. Order: `sort_by=(name|created_at|updated_at):(asc|desc)`, else by age.

use crate::{
    content::{
        Content,
        datasource::DatasourceView,
        management::{access, collection, wrapper},
    },
    web::{Answer, Call, Dialect, Endpoint, call::call, endpoint::respond},
};
use domain::{
    content::Right,
    shared::{Fault, Parameters, SpaceId},
};
use storage::content::datasources::{self, Filter as DatasourceFilter, Order};
use warp::Filter;

/// The most datasources of one page.
const MOST: u32 = 1_000;

pub(super) fn route(content: &Content) -> Endpoint {
    let content = content.clone();
    collection("datasources")
        .and(warp::get())
        .and(call())
        .then(move |space, call: Call| respond(Dialect::Management, call.arrival, list(content.clone(), space, call)))
        .boxed()
}

async fn list(content: Content, space: SpaceId, call: Call) -> Result<Answer, Fault> {
    access::manager(&content, &call, space, Right::Read).await?;
    let query = call.query()?;
    query.only(&["search", "by_ids[]", "sort_by", "page", "per_page"])?;
    let (order, page) = (order(&query)?, query.page(MOST)?);
    let filter = DatasourceFilter {
        search: query.get("search").filter(|it| !it.is_empty()).map(str::to_owned),
        ids: query.parsed_list("by_ids")?,
    };
    let session = content.store.read("datasource.list").await?;
    let found = datasources::list(&session, space, &filter, order, page).await?;
    let views: Vec<_> = found.items.iter().map(DatasourceView::of).collect();
    Ok(Answer::ok(&wrapper::put("datasources", views))?.paged(found.total, page))
}

/// `name:asc`, `updated_at:desc` …
fn order(query: &Parameters) -> Result<(Order, bool), Fault> {
    let Some(text) = query.get("sort_by").filter(|it| !it.is_empty()) else { return Ok((Order::default(), false)) };
    let (column, direction) = text.split_once(':').unwrap_or((text, "asc"));
    match (Order::of(column), direction) {
        (Some(order), "asc") => Ok((order, false)),
        (Some(order), "desc") => Ok((order, true)),
        _ => Err(Fault::invalid("sort_by", "invalid", "must be name, created_at or updated_at, with :asc or :desc")),
    }
}
