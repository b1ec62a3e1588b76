//! `GET /api/v2/cdn/tags`: 200 `{"tags": [{"name", "taggings_count"}]}`, by name.
//!
//! `starts_with` is the beginning of the stories' full slugs, not of the tag; `filter_query` selects stories too (facts, section 1.16).

use super::{access::Reading, caching::answer};
use crate::{
    content::Content,
    web::{ApiRequest, ApiResponse},
};
use domain::{
    content::query::{Condition, plan::filter_conditions},
    shared::{Fault, Parameters},
};
use serde_json::{Value, json};
use std::sync::Arc;
use storage::content::delivery::read_access::ReadAccess;
use storage::content::delivery::tags;

pub(super) async fn list(content: Content, caller: Arc<ReadAccess>, request: ApiRequest) -> Result<ApiResponse, Fault> {
    answer(content, caller, request, &["starts_with", "filter_query[…]"], render).await
}

async fn render(reading: Reading, query: Parameters) -> Result<ApiResponse, Fault> {
    let mut conditions = filter_conditions(&query)?;
    conditions.extend(query.text("starts_with").map(|t| Condition::StartsWith(t.to_owned())));
    let found = tags::list(&reading.connection, reading.reader.space, reading.copy, &conditions).await?;
    let views: Vec<Value> = found.iter().map(|f| json!({ "name": f.name, "taggings_count": f.count })).collect();
    ApiResponse::ok(&json!({ "tags": views }))
}
