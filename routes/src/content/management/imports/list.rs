//! `GET /api/v1/spaces/{space}/imports`: the imports of a space, newest first.

use super::view::ImportView;
use crate::{
    content::{
        Content,
        management::{access, collection, wrapper},
    },
    web::{ApiRequest, ApiResponse, Endpoint, ErrorFormat, endpoint::respond, request::api_request},
};
use domain::{
    content::Right,
    shared::{Fault, SpaceId},
};
use storage::content::imports::jobs;
use warp::Filter;

/// The most that is given on one page.
const MAX_PER_PAGE: u32 = 100;

pub(super) fn route(content: &Content) -> Endpoint {
    let content = content.clone();
    collection("imports")
        .and(warp::get())
        .and(api_request())
        .then(move |space, request: ApiRequest| {
            respond(ErrorFormat::Management, request.meta, list(content.clone(), space, request))
        })
        .boxed()
}

async fn list(content: Content, space: SpaceId, request: ApiRequest) -> Result<ApiResponse, Fault> {
    access::manager(&content, &request, space, Right::Administer).await?;
    let query = request.query()?;
    query.only(&["page", "per_page"])?;
    let page = query.page(MAX_PER_PAGE)?;
    let connection = content.store.connection("import.list").await?;
    let found = jobs::list(&connection, space, page).await?;
    let views: Vec<_> = found.items.iter().map(ImportView::of).collect();
    Ok(ApiResponse::ok(&wrapper::put("imports", views))?.paged(found.total, page))
}
