//! `PUT /api/v1/spaces/{space}/component_groups/{id}` `{"component_group": {…}}`: 200 with the component group as it is now.
//!
//! What is not named stays. PATCH is the same, as on the hosted service.

use super::view::GroupView;
use crate::{
    content::{
        Content,
        management::{access, member, wrapper},
    },
    web::{ApiRequest, ApiResponse, Endpoint, ErrorFormat, body::DEFAULT_LIMIT, endpoint::respond, request::api_request},
};
use domain::{
    content::{Right, component_group::ComponentGroupChange},
    shared::{Fault, GroupId, SpaceId},
};
use services::content::hierarchy::UpdateNode;
use warp::Filter;

pub(super) fn route(content: &Content) -> Endpoint {
    let content = content.clone();
    member::<GroupId>("component_groups")
        .and(warp::put().or(warp::patch()).unify())
        .and(api_request())
        .then(move |space, id, request: ApiRequest| {
            respond(ErrorFormat::Management, request.meta, update(content.clone(), space, id, request))
        })
        .boxed()
}

async fn update(content: Content, space: SpaceId, id: GroupId, mut request: ApiRequest) -> Result<ApiResponse, Fault> {
    let by = access::manager(&content, &request, space, Right::Administer).await?;
    request.query()?.only(&[])?;
    let change: ComponentGroupChange = wrapper::read(&mut request, "component_group", DEFAULT_LIMIT).await?;
    let after = content.spaces.execute(space, by, request.origin(), UpdateNode { id, change }).await?;
    ApiResponse::ok(&wrapper::put("component_group", GroupView::of(&after)))
}
