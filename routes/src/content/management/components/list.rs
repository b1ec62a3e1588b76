//! `GET /api/v1/spaces/{space}/components`: the components and, beside them, all groups.
//!
//! Filters: `in_group` (a group's UUID), `is_root`, `search` (in both names), `by_ids`.

use super::view::ComponentView;
use crate::{
    content::{
        Content,
        management::{access, collection, component_groups::view::GroupView, listing::Listing},
    },
    web::{ApiRequest, ApiResponse, Endpoint, ErrorFormat, endpoint::respond, request::api_request},
};
use domain::{
    content::Right,
    shared::{Fault, SpaceId},
};
use serde::Serialize;
use storage::content::{
    components,
    hierarchy::{self, COMPONENT_GROUPS},
};
use warp::Filter;

#[derive(Serialize)]
struct Body<'a> {
    components: Vec<ComponentView<'a>>,
    component_groups: Vec<GroupView<'a>>,
}

pub(super) fn route(content: &Content) -> Endpoint {
    let content = content.clone();
    collection("components")
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
    query.only(&["in_group", "is_root", "search", "by_ids[]", "page", "per_page"])?;
    let filter = components::Filter {
        in_group: query.parsed("in_group")?,
        is_root: query.flag_if_given("is_root")?,
        search: query.text("search").map(str::to_owned),
        by_ids: Some(query.parsed_list("by_ids")?).filter(|value| !value.is_empty()),
    };
    let connection = content.store.connection("component.list").await?;
    let found = Listing::of(&query, components::list(&connection, space, &filter).await?)?;
    let groups = COMPONENT_GROUPS.list(&connection, space, &hierarchy::Filter::default()).await?;
    let body = Body {
        components: found.items.iter().map(ComponentView::of).collect(),
        component_groups: groups.iter().map(GroupView::of).collect(),
    };
    Ok(found.headed(ApiResponse::ok(&body)?))
}
