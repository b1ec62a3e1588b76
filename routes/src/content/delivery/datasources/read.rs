//! `GET /api/v2/cdn/datasources/{id or slug}`: 200 `{"datasource", "cv"}`.

use crate::{
    content::{
        Content,
        datasource::DatasourceView,
        delivery::{access::Reading, caching::answer},
    },
    web::{ApiRequest, ApiResponse, Endpoint, ErrorFormat, endpoint::respond, path::segment, request::api_request},
};
use domain::shared::Fault;
use serde::Serialize;
use storage::content::datasources::{self, Reference};
use warp::Filter;

#[derive(Serialize)]
struct Body<'a> {
    datasource: DatasourceView<'a>,
    cv: i64,
}

pub(in crate::content::delivery) fn route(content: &Content) -> Endpoint {
    let content = content.clone();
    warp::path!("api" / "v2" / "cdn" / "datasources" / ..)
        .and(segment::<String>())
        .and(warp::path::end())
        .and(warp::get())
        .and(api_request())
        .then(move |which, request: ApiRequest| respond(ErrorFormat::Delivery, request.meta, read(content.clone(), request, which)))
        .boxed()
}

async fn read(content: Content, request: ApiRequest, which: String) -> Result<ApiResponse, Fault> {
    answer(content, request, &[], |reading, _| render(reading, which)).await
}

async fn render(reading: Reading, which: String) -> Result<ApiResponse, Fault> {
    let found = datasources::find(&reading.connection, reading.reader.space, &Reference::SlugOrNumber(which)).await?;
    let found = found.ok_or_else(Fault::not_found)?;
    ApiResponse::ok(&Body { datasource: DatasourceView::of(&found), cv: reading.reader.cv })
}
