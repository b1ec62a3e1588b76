//! `GET /api/v2/cdn/spaces/me`: 200 `{"space": …}`. `version` is the current `cv`, for which front ends poll.

use super::{
    access::{DeliveryCaller, ReadContext},
    cached::{cache_control, respond_cached},
};
use crate::{
    content::Content,
    web::{ApiRequest, ApiResponse},
};
use domain::shared::{Fault, Parameters};
use http::{HeaderValue, header};
use serde_json::json;
use std::sync::Arc;

pub(super) async fn read(content: Content, caller: DeliveryCaller, request: ApiRequest) -> Result<ApiResponse, Fault> {
    respond_cached(content, caller, request, render).await
}

async fn render(ctx: ReadContext, _: Arc<Parameters>) -> Result<ApiResponse, Fault> {
    let reader = &ctx.access;
    let body = json!({ "space": {
        "id": reader.space,
        "name": reader.name,
        "domain": reader.domain.as_deref().unwrap_or_default(),
        "version": reader.cv,
        "language_codes": reader.language_codes,
    }});
    // A client that polls for the version must not be allowed to keep it, whatever `cv` it sent.
    Ok(ApiResponse::ok(&body)?.with(header::CACHE_CONTROL, HeaderValue::from_static(cache_control(ctx.version, false))))
}
