//! `POST /api/v1/spaces/{space}/story_schedulings` `{"story_scheduling": {story_id, publish_at}}`: 201 with the plan. The time must lie ahead.

use super::{body::Body, view::SchedulingView};
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
use services::content::schedulings::CreateScheduling;
use warp::Filter;

pub(super) fn route(content: &Content) -> Endpoint {
    let content = content.clone();
    collection("story_schedulings")
        .and(warp::post())
        .and(api_request())
        .then(move |space, request: ApiRequest| {
            respond(ErrorFormat::Management, request.meta, create(content.clone(), space, request))
        })
        .boxed()
}

async fn create(content: Content, space: SpaceId, mut request: ApiRequest) -> Result<ApiResponse, Fault> {
    let by = access::manager(&content, &request, space, Right::WriteContent).await?;
    request.query()?.only(&[])?;
    let body = Body::read(&mut request).await?;
    let write = CreateScheduling { story: body.story()?, publish_at: body.publish_at()? };
    let made = content.spaces.execute(space, by, request.origin(), write).await?;
    ApiResponse::created(&wrapper::put("story_scheduling", SchedulingView::of(space, &made)))
}
