//! `GET /api/v2/cdn/links/{uuid}`: 200 `{"link": {…}}`.

use super::view;
use crate::{
    content::{
        Content,
        delivery::{access::Reading, caching::answer},
    },
    web::{ApiRequest, ApiResponse},
};
use domain::shared::{Fault, Parameters};
use serde_json::json;
use std::sync::Arc;
use storage::content::delivery::links::find;
use storage::content::delivery::read_access::ReadAccess;
use uuid::Uuid;

pub(in crate::content::delivery) async fn read(
    content: Content,
    caller: Arc<ReadAccess>,
    uuid: Uuid,
    request: ApiRequest,
) -> Result<ApiResponse, Fault> {
    answer(content, caller, request, &["include_dates"], move |reading, query| render(reading, query, uuid)).await
}

async fn render(reading: Reading, query: Parameters, uuid: Uuid) -> Result<ApiResponse, Fault> {
    let with_dates = query.flag("include_dates")?;
    let found = find(&reading.connection, reading.reader.space, reading.copy, uuid).await?.ok_or_else(Fault::not_found)?;
    ApiResponse::ok(&json!({ "link": view(&found, with_dates) }))
}
