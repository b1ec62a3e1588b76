//! `DELETE /api/v1/spaces/{space}/story_schedulings/{id}`: 200 with the plan, called off. 422 once it is over.

use super::view::SchedulingView;
use crate::{
    content::{
        Content,
        management::{access, member, wrapper},
    },
    web::{ApiRequest, ApiResponse, Endpoint, ErrorFormat, endpoint::respond, request::api_request},
};
use domain::{
    content::Right,
    shared::{Fault, SchedulingId, SpaceId},
};
use services::content::schedulings::DeleteScheduling;
use warp::Filter;

pub(super) fn route(content: &Content) -> Endpoint {
    let content = content.clone();
    member::<SchedulingId>("story_schedulings")
        .and(warp::delete())
        .and(api_request())
        .then(move |space, id, request: ApiRequest| {
            respond(ErrorFormat::Management, request.meta, delete(content.clone(), space, id, request))
        })
        .boxed()
}

async fn delete(content: Content, space: SpaceId, id: SchedulingId, request: ApiRequest) -> Result<ApiResponse, Fault> {
    let by = access::manager(&content, &request, space, Right::WriteContent).await?;
    request.query()?.only(&[])?;
    let deleted = content.spaces.execute(space, by, request.origin(), DeleteScheduling(id)).await?;
    ApiResponse::ok(&wrapper::put("story_scheduling", SchedulingView::of(space, &deleted)))
}
