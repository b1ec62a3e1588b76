//! `GET /api/v2/cdn/stories`: 200 `{"stories": […], "cv", "rels": […], "links": […]}` with `Total` and `Per-Page`; `rel_uuids` or
//! `link_uuids` instead where there are too many to resolve.

use super::{
    access::{DeliveryCaller, ReadContext},
    cached::respond_cached_at,
    cost::ResponseCost,
    resolve::{self, ResolveOptions, Resolved},
    selection,
    view::{self, LANGUAGE_PARAMETERS, Rendering},
};
use crate::{
    content::Content,
    web::{ApiRequest, ApiResponse},
};
use domain::{
    content::query::{Plan, QueryCost, plan::PARAMETERS},
    shared::{Fault, Parameters},
};
use serde::Serialize;
use std::sync::Arc;
use storage::content::delivery::stories::list as list_stories;

#[derive(Serialize)]
struct Body<'a> {
    stories: Vec<view::Rendered<'a>>,
    cv: i64,
    #[serde(flatten)]
    resolved: Resolved,
}

pub(super) async fn list(content: Content, caller: DeliveryCaller, request: ApiRequest) -> Result<ApiResponse, Fault> {
    let known = [PARAMETERS, &LANGUAGE_PARAMETERS, &selection::PARAMETERS, &resolve::PARAMETERS].concat();
    let own = content.clone();
    respond_cached_at(content, caller, request, &known, compile, move |ctx, query, plan| render(own, ctx, query, plan)).await
}

fn compile(query: &Parameters) -> Result<(ResponseCost, Plan), Fault> {
    let plan = Plan::compile(query)?;
    Ok((ResponseCost::Query(QueryCost::of(&plan.conditions, &plan.order)), plan))
}

async fn render(content: Content, ctx: ReadContext, query: Arc<Parameters>, plan: Plan) -> Result<ApiResponse, Fault> {
    // In a list relations of relations are resolved only when `resolve_level=2` asks for it, because a list has many stories.
    let options = ResolveOptions::read(&query, false, &content.assets)?;
    let relations = options.relation_plan(content.resolve_limit);
    let rendering = Rendering::read(&query, &ctx)?;
    let (found, related) = list_stories(&ctx.connection, ctx.scope(), &plan, &relations).await?;
    let resolved = options.resolve(&ctx, &rendering, &found.items, &related, content.resolve_limit).await?;
    let stories = found.items.iter().map(|item| view::render(item, &ctx, &rendering)).collect::<Result<_, _>>()?;
    let response = ApiResponse::ok_within(content.delivery_cache.max_response(), &Body { stories, cv: ctx.access.cv, resolved })?;
    Ok(response.paged(found.total, plan.page))
}
