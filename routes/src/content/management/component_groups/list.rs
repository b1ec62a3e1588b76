//! `GET /api/v1/spaces/{space}/component_groups`. Filters: `search` (in the name), `with_parent` (a group's number; 0 for the top).

use super::view::GroupView;
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
use storage::content::hierarchy::{self, COMPONENT_GROUPS};
use warp::Filter;

pub(super) fn route(content: &Content) -> Endpoint {
    let content = content.clone();
    collection("component_groups")
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
    query.only(&["search", "with_parent", "page", "per_page"])?;
    let filter = hierarchy::Filter {
        search: query.text("search").map(str::to_owned),
        with_parent: query.parsed("with_parent")?,
        ..hierarchy::Filter::default()
    };
    let connection = content.store.connection("component_group.list").await?;
    let found = Listing::of(&query, COMPONENT_GROUPS.list(&connection, space, &filter).await?)?;
    let views: Vec<_> = found.items.iter().map(GroupView::of).collect();
    Ok(found.headed(ApiResponse::ok(&wrapper::put("component_groups", views))?))
}
