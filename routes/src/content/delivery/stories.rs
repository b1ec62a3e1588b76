//! `GET /api/v2/cdn/stories`: 200 `{"stories": […], "cv", "rels": […], "links": […]}` with `Total` and `Per-Page`; `rel_uuids` or
//! `link_uuids` instead where there are too many to resolve.

use super::{
    access::Reading,
    caching::answer,
    resolve::{self, Resolved, Wanted},
    selection,
    view::{self, LANGUAGE_PARAMETERS, Rendering},
};
use crate::{
    content::Content,
    web::{ApiRequest, ApiResponse},
};
use domain::{
    content::query::{Plan, plan::PARAMETERS},
    shared::{Fault, Parameters},
};
use serde::Serialize;
use std::sync::Arc;
use storage::content::delivery::read_access::ReadAccess;
use storage::content::delivery::stories::list as list_stories;

#[derive(Serialize)]
struct Body<'a> {
    stories: Vec<view::Rendered<'a>>,
    cv: i64,
    #[serde(flatten)]
    resolved: Resolved,
}

pub(super) async fn list(content: Content, caller: Arc<ReadAccess>, request: ApiRequest) -> Result<ApiResponse, Fault> {
    let known = [PARAMETERS, &LANGUAGE_PARAMETERS, &selection::PARAMETERS, &resolve::PARAMETERS].concat();
    let own = content.clone();
    answer(content, caller, request, &known, move |reading, query| render(own, reading, query)).await
}

async fn render(content: Content, reading: Reading, query: Parameters) -> Result<ApiResponse, Fault> {
    let plan = Plan::compile(&query)?;
    // Relations of relations only where they are asked for: a list has many stories (facts, section 1.8).
    let wanted = Wanted::read(&query, false, &content.assets)?;
    let follow = wanted.follow(content.resolve_limit);
    let rendering = Rendering::read(&query, &reading)?;
    let (found, followed) = list_stories(&reading.connection, reading.reader.space, reading.copy, &plan, &follow).await?;
    let resolved = wanted.resolve(&reading, &rendering, &found.items, &followed, content.resolve_limit).await?;
    let stories = found.items.iter().map(|item| view::rendered(item, &reading, &rendering)).collect::<Result<_, _>>()?;
    let answer = ApiResponse::ok(&Body { stories, cv: reading.reader.cv, resolved })?;
    Ok(answer.paged(found.total, plan.page))
}
