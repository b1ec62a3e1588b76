//! `GET /api/v2/cdn/datasources/{id or slug}`: 200 `{"datasource", "cv"}`.

use crate::{
    content::{
        Content,
        datasource::DatasourceView,
        delivery::{access::Reading, caching::answer},
    },
    web::{ApiRequest, ApiResponse},
};
use domain::shared::Fault;
use serde::Serialize;
use std::sync::Arc;
use storage::content::datasources::{self, Reference};
use storage::content::delivery::read_access::ReadAccess;

#[derive(Serialize)]
struct Body<'a> {
    datasource: DatasourceView<'a>,
    cv: i64,
}

pub(in crate::content::delivery) async fn read(
    content: Content,
    caller: Arc<ReadAccess>,
    which: String,
    request: ApiRequest,
) -> Result<ApiResponse, Fault> {
    answer(content, caller, request, &[], |reading, _| render(reading, which)).await
}

async fn render(reading: Reading, which: String) -> Result<ApiResponse, Fault> {
    let found = datasources::find(&reading.connection, reading.reader.space, &Reference::SlugOrNumber(which)).await?;
    let found = found.ok_or_else(Fault::not_found)?;
    ApiResponse::ok(&Body { datasource: DatasourceView::of(&found), cv: reading.reader.cv })
}
