//! `GET /api/v2/cdn/stories/{full slug | id | uuid}`: 200 `{"story": …, "cv", "rels": […], "links": […]}` (decisions 6).
//!
//! A folder's path answers its start page. With `language`, the path may be the one in that language. Slashes at either end are not heeded.

use super::{
    access::Reading,
    caching::answer,
    resolve::{self, Resolved, Wanted},
    selection,
    view::{self, LANGUAGE_PARAMETERS, Rendering},
};
use crate::{
    content::Content,
    web::{ApiRequest, ApiResponse, path::Rest},
};
use domain::shared::{Fault, Parameters};
use serde::Serialize;
use std::sync::Arc;
use storage::content::delivery::read_access::ReadAccess;
use storage::content::delivery::stories::{Identifier, find};

#[derive(Serialize)]
struct Body<'a> {
    story: view::Rendered<'a>,
    cv: i64,
    #[serde(flatten)]
    resolved: Resolved,
}

pub(super) async fn show(
    content: Content,
    caller: Arc<ReadAccess>,
    Rest(identifier): Rest,
    request: ApiRequest,
) -> Result<ApiResponse, Fault> {
    let known = [&["find_by", "content_type"][..], &LANGUAGE_PARAMETERS, &selection::PARAMETERS, &resolve::PARAMETERS].concat();
    let own = content.clone();
    answer(content, caller, request, &known, move |reading, query| render(own, reading, query, identifier)).await
}

async fn render(
    content: Content,
    reading: Reading,
    query: Parameters,
    identifier: Result<String, Fault>,
) -> Result<ApiResponse, Fault> {
    if !matches!(query.get("find_by"), None | Some("" | "uuid" | "slug" | "id")) {
        return Err(Fault::invalid("find_by", "invalid", "must be uuid"));
    }
    let wanted = Wanted::read(&query, true, &content.assets)?;
    let rendering = Rendering::read(&query, &reading)?;
    let identifier = Identifier { text: identifier?, language: rendering.language().map(str::to_owned) };
    let follow = wanted.follow(content.resolve_limit);
    let found = find(&reading.connection, reading.reader.space, reading.copy, &identifier, &follow).await?;
    let component = query.text("content_type");
    let found = found.filter(|(f, _)| component.is_none_or(|wanted| f.edition.component.as_deref() == Some(wanted)));
    let (found, followed) = found.ok_or_else(Fault::not_found)?;
    let found = [found];
    let resolved = wanted.resolve(&reading, &rendering, &found, &followed, content.resolve_limit).await?;
    let [found] = &found;
    let story = view::rendered(found, &reading, &rendering)?;
    ApiResponse::ok(&Body { story, cv: reading.reader.cv, resolved })
}
