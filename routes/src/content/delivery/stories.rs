//! `GET /api/v2/cdn/stories`: 200 `{"stories": […], "cv", "rels": […], "links": […]}` with `Total` and
//! `Per-Page`; `rel_uuids` or `link_uuids` instead where there are too many to resolve.

use super::{
    access::{DeliveryCaller, ReadContext},
    cached::respond_cached_at,
    cost::ResponseCost,
    resolve::{ResolveOptions, Resolved},
    view::{self, Rendering},
};
use crate::{
    content::Content,
    web::{ApiRequest, ApiResponse},
};
use domain::{
    content::query::{Plan, QueryCost},
    shared::{Fault, Page, Parameters},
};
use futures_util::FutureExt;
use serde::Serialize;
use std::sync::Arc;
use storage::content::delivery::{
    relations::{RelatedStories, RelationPlan},
    stories::{list as list_stories, list_by_keys, list_keys},
    story::DeliveredStory,
};

#[derive(Serialize)]
struct StoriesBody<'a> {
    stories: Vec<view::Rendered<'a>>,
    cv: i64,
    #[serde(flatten)]
    resolved: Resolved,
}

pub(super) async fn list(content: Content, caller: DeliveryCaller, request: ApiRequest) -> Result<ApiResponse, Fault> {
    let own = content.clone();
    respond_cached_at(content, caller, request, compile, move |ctx, query, plan| render(own, ctx, query, plan)).await
}

pub(super) fn compile(query: &Parameters) -> Result<(ResponseCost, Plan), Fault> {
    let plan = Plan::compile(query)?;
    Ok((ResponseCost::Query(QueryCost::of(&plan.conditions, &plan.order)), plan))
}

pub(super) async fn render(content: Content, ctx: ReadContext, query: Arc<Parameters>, plan: Plan) -> Result<ApiResponse, Fault> {
    // In a list relations of relations are resolved only when `resolve_level=2` asks for it, because a list
    // has many stories.
    let options = ResolveOptions::read(&query, false, &content.assets)?;
    let relations = options.relation_plan(content.resolve_limit);
    let rendering = Rendering::read(&query, &ctx)?;
    let (ctx, found, related) = find_page(&content, ctx, &plan, &relations).await?;
    let resolved = options.resolve(&ctx, &rendering, &found.items, &related, content.resolve_limit).await?;
    let stories = found.items.iter().map(|item| view::render(item, &ctx, &rendering)).collect::<Result<_, _>>()?;
    let response =
        ApiResponse::ok_within(content.delivery_cache.max_response(), &StoriesBody { stories, cv: ctx.access.cv, resolved })?;
    Ok(response.paged(found.total, plan.page))
}

/// The stories of a page and those that they refer to: by the keys of the list where these are known, and
/// from the second page on in any case.
async fn find_page(
    content: &Content,
    mut ctx: ReadContext,
    plan: &Plan,
    relations: &RelationPlan,
) -> Result<(ReadContext, Page<DeliveredStory>, RelatedStories), Fault> {
    let lists = content.delivery_cache.list_keys();
    if let Some(key) = lists.key(&ctx.access, ctx.version, plan) {
        let mut known = lists.get(&key);
        if known.is_none() && plan.page.page > 1 {
            let (access, version, plan) = (ctx.access.clone(), ctx.version, plan.clone());
            let connection = ctx.connection;
            // The connection goes to who works the keys out; those who wait for that need none.
            let find = move || async move { Ok(list_keys(&connection, access.scope(version), &plan).await?) }.boxed();
            known = Some(lists.get_or_find(key, find).await?);
            let connection = content.store.reader("delivery.render", ctx.mark.clone()).await?;
            ctx = ReadContext { connection, mark: ctx.mark, access: ctx.access, version };
        }
        if let Some(keys) = known
            && let Some((found, related)) = list_by_keys(&ctx.connection, ctx.scope(), &keys, plan.page, relations).await?
        {
            return Ok((ctx, found, related));
        }
    }
    let (found, related) = list_stories(&ctx.connection, ctx.scope(), plan, relations).await?;
    Ok((ctx, found, related))
}
