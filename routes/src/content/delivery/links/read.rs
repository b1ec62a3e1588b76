//! `GET /api/v2/cdn/links/{uuid}`: 200 `{"link": {…}}`.

use super::view;
use crate::{
    content::{
        Content,
        delivery::{access::Reading, caching::answer},
    },
    web::{ApiRequest, ApiResponse, Endpoint, ErrorFormat, endpoint::respond, path::segment, request::api_request},
};
use domain::shared::{Fault, Parameters};
use serde_json::json;
use storage::content::delivery::links::find;
use uuid::Uuid;
use warp::Filter;

pub(in crate::content::delivery) fn route(content: &Content) -> Endpoint {
    let content = content.clone();
    warp::path!("api" / "v2" / "cdn" / "links" / ..)
        .and(segment::<Uuid>())
        .and(warp::path::end())
        .and(warp::get())
        .and(api_request())
        .then(move |uuid, request: ApiRequest| respond(ErrorFormat::Delivery, request.meta, read(content.clone(), request, uuid)))
        .boxed()
}

async fn read(content: Content, request: ApiRequest, uuid: Uuid) -> Result<ApiResponse, Fault> {
    answer(content, request, &["include_dates"], move |reading, query| render(reading, query, uuid)).await
}

async fn render(reading: Reading, query: Parameters, uuid: Uuid) -> Result<ApiResponse, Fault> {
    let with_dates = query.flag("include_dates")?;
    let found = find(&reading.connection, reading.reader.space, reading.copy, uuid).await?.ok_or_else(Fault::not_found)?;
    ApiResponse::ok(&json!({ "link": view(&found, with_dates) }))
}
