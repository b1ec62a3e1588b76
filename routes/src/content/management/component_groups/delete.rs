//! `DELETE /api/v1/spaces/{space}/component_groups/{id}`: 200 with the group that was deleted. Its components stay, without a group; groups
//! inside of it move up to its parent.

use super::view::GroupView;
use crate::{
    content::{
        Content,
        management::{access, member, wrapper},
    },
    web::{ApiRequest, ApiResponse, Endpoint, ErrorFormat, endpoint::respond, request::api_request},
};
use domain::{
    content::Right,
    shared::{Fault, GroupId, SpaceId},
};
use services::content::hierarchy::DeleteNode;
use warp::Filter;

pub(super) fn route(content: &Content) -> Endpoint {
    let content = content.clone();
    member::<GroupId>("component_groups")
        .and(warp::delete())
        .and(api_request())
        .then(move |space, id, request: ApiRequest| {
            respond(ErrorFormat::Management, request.meta, delete(content.clone(), space, id, request))
        })
        .boxed()
}

async fn delete(content: Content, space: SpaceId, id: GroupId, request: ApiRequest) -> Result<ApiResponse, Fault> {
    let by = access::manager(&content, &request, space, Right::Administer).await?;
    request.query()?.only(&[])?;
    let gone = content.spaces.execute(space, by, request.origin(), DeleteNode(id)).await?;
    ApiResponse::ok(&wrapper::put("component_group", GroupView::of(&gone)))
}
