//! `PUT /api/v1/spaces/{space}/story_schedulings/{id}` `{"story_scheduling": {publish_at}}`: 200 with the plan at its new time. 422 once it
//! is over.

use super::{body::Body, view::SchedulingView};
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
use services::content::schedulings::UpdateScheduling;
use warp::Filter;

pub(super) fn route(content: &Content) -> Endpoint {
    let content = content.clone();
    member::<SchedulingId>("story_schedulings")
        .and(warp::put())
        .and(api_request())
        .then(move |space, id, request: ApiRequest| {
            respond(ErrorFormat::Management, request.meta, update(content.clone(), space, id, request))
        })
        .boxed()
}

async fn update(content: Content, space: SpaceId, id: SchedulingId, mut request: ApiRequest) -> Result<ApiResponse, Fault> {
    let by = access::manager(&content, &request, space, Right::WriteContent).await?;
    request.query()?.only(&[])?;
    let publish_at = Body::read(&mut request).await?.publish_at()?;
    let after = content.spaces.execute(space, by, request.origin(), UpdateScheduling { id, publish_at }).await?;
    ApiResponse::ok(&wrapper::put("story_scheduling", SchedulingView::of(space, &after)))
}
