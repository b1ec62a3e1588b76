//! `POST /api/v1/spaces/{space}/component_groups` `{"component_group": {…}}`: 201 with the component group.

use super::view::GroupView;
use crate::{
    content::{
        Content,
        management::{access, collection, wrapper},
    },
    web::{ApiRequest, ApiResponse, Endpoint, ErrorFormat, body::DEFAULT_LIMIT, endpoint::respond, request::api_request},
};
use domain::{
    content::{Right, component_group::ComponentGroupChange},
    shared::{Fault, SpaceId},
};
use services::content::hierarchy::CreateNode;
use warp::Filter;

pub(super) fn route(content: &Content) -> Endpoint {
    let content = content.clone();
    collection("component_groups")
        .and(warp::post())
        .and(api_request())
        .then(move |space, request: ApiRequest| {
            respond(ErrorFormat::Management, request.meta, create(content.clone(), space, request))
        })
        .boxed()
}

async fn create(content: Content, space: SpaceId, mut request: ApiRequest) -> Result<ApiResponse, Fault> {
    let by = access::manager(&content, &request, space, Right::Administer).await?;
    request.query()?.only(&[])?;
    let change: ComponentGroupChange = wrapper::read(&mut request, "component_group", DEFAULT_LIMIT).await?;
    let made = content.spaces.execute(space, by, request.origin(), CreateNode(change)).await?;
    ApiResponse::created(&wrapper::put("component_group", GroupView::of(&made)))
}
