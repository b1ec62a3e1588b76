//! `GET /api/v1/spaces/{space}/presets`. Filter: `component_id`.

use super::view::PresetView;
use crate::{
    content::{
        Content,
        management::{access, collection, listing::Listing, wrapper},
    },
    web::{ApiRequest, ApiResponse, Endpoint, ErrorFormat, endpoint::respond, request::api_request},
};
use domain::{
    content::Right,
    shared::{Fault, SpaceId},
};
use storage::content::presets;
use warp::Filter;

pub(super) fn route(content: &Content) -> Endpoint {
    let content = content.clone();
    collection("presets")
        .and(warp::get())
        .and(api_request())
        .then(move |space, request: ApiRequest| {
            respond(ErrorFormat::Management, request.meta, list(content.clone(), space, request))
        })
        .boxed()
}

async fn list(content: Content, space: SpaceId, request: ApiRequest) -> Result<ApiResponse, Fault> {
    access::manager(&content, &request, space, Right::Read).await?;
    let query = request.query()?;
    query.only(&["component_id", "page", "per_page"])?;
    let component = query.parsed("component_id")?;
    let connection = content.store.connection("preset.list").await?;
    let found = Listing::of(&query, presets::list(&connection, space, component).await?)?;
    let views: Vec<_> = found.items.iter().map(|item| PresetView::of(space, item)).collect();
    Ok(found.headed(ApiResponse::ok(&wrapper::put("presets", views))?))
}
