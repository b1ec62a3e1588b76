//! `GET /api/v2/cdn/datasources`: 200 `{"datasources": […], "cv"}`, paged.

use crate::{
    content::{
        Content,
        datasource::DatasourceView,
        delivery::{access::Reading, caching::answer},
    },
    web::{ApiRequest, ApiResponse},
};
use domain::shared::{Fault, Parameters};
use serde::Serialize;
use std::sync::Arc;
use storage::content::datasources::{self, Filter as DatasourceFilter, Order};
use storage::content::delivery::read_access::ReadAccess;

/// The most datasources of one page.
const MOST: u32 = 1_000;

#[derive(Serialize)]
struct Body<'a> {
    datasources: Vec<DatasourceView<'a>>,
    cv: i64,
}

pub(in crate::content::delivery) async fn list(
    content: Content,
    caller: Arc<ReadAccess>,
    request: ApiRequest,
) -> Result<ApiResponse, Fault> {
    answer(content, caller, request, &["search", "by_ids[]", "page", "per_page"], render).await
}

async fn render(reading: Reading, query: Parameters) -> Result<ApiResponse, Fault> {
    let page = query.page(MOST)?;
    let filter = DatasourceFilter { search: query.text("search").map(str::to_owned), ids: query.parsed_list("by_ids")? };
    let found = datasources::list(&reading.connection, reading.reader.space, &filter, (Order::default(), false), page).await?;
    let views = found.items.iter().map(DatasourceView::of).collect();
    let answer = ApiResponse::ok(&Body { datasources: views, cv: reading.reader.cv })?;
    Ok(answer.paged(found.total, page))
}
