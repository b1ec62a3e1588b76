//! `GET /api/v2/cdn/datasources/{id or slug}`: 200 `{"datasource", "cv"}`.

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
use domain::shared::Fault;
use serde::Serialize;
use storage::content::datasources::{self, Reference};

#[derive(Serialize)]
struct DatasourceBody<'a> {
    datasource: DatasourceView<'a>,
    cv: i64,
}

pub(in crate::content::delivery) async fn read(
    content: Content,
    caller: DeliveryCaller,
    which: String,
    request: ApiRequest,
) -> Result<ApiResponse, Fault> {
    respond_cached(content, caller, request, |ctx, _| render(ctx, which)).await
}

async fn render(ctx: ReadContext, which: String) -> Result<ApiResponse, Fault> {
    let found = datasources::find(&ctx.connection, ctx.access.space, &Reference::SlugOrNumber(which)).await?;
    let found = found.ok_or_else(Fault::not_found)?;
    ApiResponse::ok(&DatasourceBody { datasource: DatasourceView::of(&found), cv: ctx.access.cv })
}
