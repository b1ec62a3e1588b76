//! `GET /api/v2/cdn/datasources`: 200 `{"datasources": […], "cv"}`, paged.

use crate::{
    content::{
        Content,
        datasource::DatasourceView,
        delivery::{
            access::{DeliveryCaller, ReadContext},
            cached::respond_cached,
        },
    },
    web::{ApiRequest, ApiResponse},
};
use domain::shared::{Fault, Parameters};
use serde::Serialize;
use std::sync::Arc;
use storage::content::datasources::{self, DatasourceFilter, DatasourceOrder};

/// How many datasources a page may have.
const MAX_PER_PAGE: u32 = 1_000;

#[derive(Serialize)]
struct DatasourcesBody<'a> {
    datasources: Vec<DatasourceView<'a>>,
    cv: i64,
}

pub(in crate::content::delivery) async fn list(
    content: Content,
    caller: DeliveryCaller,
    request: ApiRequest,
) -> Result<ApiResponse, Fault> {
    respond_cached(content, caller, request, render).await
}

async fn render(ctx: ReadContext, query: Arc<Parameters>) -> Result<ApiResponse, Fault> {
    let page = query.page(MAX_PER_PAGE)?;
    let filter = DatasourceFilter { search: query.search("search")?, ids: query.readable_list("by_ids") };
    let found = datasources::list(&ctx.connection, ctx.access.space, &filter, (DatasourceOrder::default(), false), page).await?;
    let views = found.items.iter().map(DatasourceView::of).collect();
    let response = ApiResponse::ok(&DatasourcesBody { datasources: views, cv: ctx.access.cv })?;
    Ok(response.paged(found.total, page))
}
