//! `GET /api/v2/cdn/tags`: 200 `{"tags": [{"name", "taggings_count"}]}`, by name.
//!
//! `starts_with` is the beginning of the full slugs of the stories, not of the tags; `filter_query` selects
//! stories, too.

use super::{
    access::{DeliveryCaller, ReadContext},
    cached::respond_cached_at,
    cost::ResponseCost,
};
use crate::{
    content::Content,
    web::{ApiRequest, ApiResponse},
};
use domain::{
    content::query::{Condition, ListOrder, QueryCost, plan::filter_conditions},
    shared::{Fault, Parameters},
};
use serde_json::{Value, json};
use storage::content::delivery::tags;

pub(super) async fn list(content: Content, caller: DeliveryCaller, request: ApiRequest) -> Result<ApiResponse, Fault> {
    let render = |ctx, _, conditions| render(ctx, conditions);
    respond_cached_at(content, caller, request, compile, render).await
}

fn compile(query: &Parameters) -> Result<(ResponseCost, Vec<Condition>), Fault> {
    let mut conditions = filter_conditions(query)?;
    conditions.extend(query.text("starts_with").map(|t| Condition::StartsWith(t.to_owned())));
    Ok((ResponseCost::Query(QueryCost::of(&conditions, &ListOrder::Position)), conditions))
}

async fn render(ctx: ReadContext, conditions: Vec<Condition>) -> Result<ApiResponse, Fault> {
    let found = tags::list(&ctx.connection, ctx.scope(), &conditions).await?;
    let views: Vec<Value> = found.iter().map(|f| json!({ "name": f.name, "taggings_count": f.count })).collect();
    ApiResponse::ok(&json!({ "tags": views }))
}
