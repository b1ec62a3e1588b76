//! `GET /api/v2/cdn/spaces/me`: 200 `{"space": …}`. `version` is the current `cv`: what front ends poll (facts, section 1.17).

use super::{
    access::Reading,
    caching::{answer, lifetime},
};
use crate::{
    content::Content,
    web::{ApiRequest, ApiResponse},
};
use domain::shared::{Fault, Parameters};
use http::{HeaderValue, header};
use serde_json::json;
use std::sync::Arc;
use storage::content::delivery::read_access::ReadAccess;

pub(super) async fn read(content: Content, caller: Arc<ReadAccess>, request: ApiRequest) -> Result<ApiResponse, Fault> {
    answer(content, caller, request, &[], render).await
}

async fn render(reading: Reading, _: Parameters) -> Result<ApiResponse, Fault> {
    let reader = &reading.reader;
    let body = json!({ "space": {
        "id": reader.space,
        "name": reader.name,
        "domain": reader.domain,
        "version": reader.cv,
        "language_codes": reader.language_codes,
    }});
    // Whoever polls for the version must not be told to keep it, whatever cv it came with.
    Ok(ApiResponse::ok(&body)?.with(header::CACHE_CONTROL, HeaderValue::from_static(lifetime(reading.copy, false))))
}
