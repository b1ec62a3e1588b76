//! `GET /api/v2/cdn/stories/{full slug | id | uuid}`: 200 `{"story": …, "cv", "rels": […], "links": […]}`.
//!
//! The path of a folder leads to its start page. With `language`, the path may be the one in that language.
//! Slashes at either end are ignored.

use super::{
    access::{DeliveryCaller, ReadContext},
    cached::respond_cached,
    resolve::{ResolveOptions, Resolved},
    view::{self, Rendering},
};
use crate::{
    content::Content,
    web::{ApiRequest, ApiResponse, path::Rest},
};
use domain::shared::{Fault, FieldCode, Parameters};
use serde::Serialize;
use std::sync::Arc;
use storage::content::delivery::stories::{Identifier, find};

#[derive(Serialize)]
struct StoryBody<'a> {
    story: view::Rendered<'a>,
    cv: i64,
    #[serde(flatten)]
    resolved: Resolved,
}

pub(super) async fn show(
    content: Content,
    caller: DeliveryCaller,
    Rest(identifier): Rest,
    request: ApiRequest,
) -> Result<ApiResponse, Fault> {
    let own = content.clone();
    respond_cached(content, caller, request, move |ctx, query| render(own, ctx, query, identifier)).await
}

pub(super) async fn render(
    content: Content,
    ctx: ReadContext,
    query: Arc<Parameters>,
    identifier: Result<String, Fault>,
) -> Result<ApiResponse, Fault> {
    if !matches!(query.get("find_by"), None | Some("" | "uuid" | "slug" | "id")) {
        return Err(Fault::invalid("find_by", FieldCode::Invalid, "must be uuid"));
    }
    let options = ResolveOptions::read(&query, true, &content.assets)?;
    let rendering = Rendering::read(&query, &ctx)?;
    let identifier = Identifier { text: identifier?, language: rendering.language().map(str::to_owned) };
    let relations = options.relation_plan(content.resolve_limit);
    let found = find(&ctx.connection, ctx.scope(), &identifier, &relations).await?;
    let component = query.text("content_type");
    let found = found.filter(|(f, _)| component.is_none_or(|wanted| f.edition.component.as_deref() == Some(wanted)));
    let (found, related) = found.ok_or_else(Fault::not_found)?;
    let found = [found];
    let resolved = options.resolve(&ctx, &rendering, &found, &related, content.resolve_limit).await?;
    let [found] = &found;
    let story = view::render(found, &ctx, &rendering)?;
    ApiResponse::ok_within(content.delivery_cache.max_response(), &StoryBody { story, cv: ctx.access.cv, resolved })
}
