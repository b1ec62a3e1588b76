//! `GET /api/v2/cdn/links/{uuid}`: 200 `{"link": {…}}`.

use super::view;
use crate::{
    content::{
        Content,
        delivery::{
            access::{DeliveryCaller, ReadContext},
            cached::respond_cached,
        },
    },
    web::{ApiRequest, ApiResponse},
};
use domain::shared::{Fault, Parameters};
use serde_json::json;
use std::sync::Arc;
use storage::content::delivery::links::find;
use uuid::Uuid;

pub(in crate::content::delivery) async fn read(
    content: Content,
    caller: DeliveryCaller,
    uuid: Uuid,
    request: ApiRequest,
) -> Result<ApiResponse, Fault> {
    respond_cached(content, caller, request, move |ctx, query| render(ctx, query, uuid)).await
}

async fn render(ctx: ReadContext, query: Arc<Parameters>, uuid: Uuid) -> Result<ApiResponse, Fault> {
    let with_dates = query.flag("include_dates")?;
    let found = find(&ctx.connection, ctx.scope(), uuid).await?.ok_or_else(Fault::not_found)?;
    ApiResponse::ok(&json!({ "link": view(&found, with_dates) }))
}
