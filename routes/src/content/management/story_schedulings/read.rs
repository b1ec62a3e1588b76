//! `GET /api/v1/spaces/{space}/story_schedulings/{id}`.

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
use storage::content::schedulings;
use warp::Filter;

pub(super) fn route(content: &Content) -> Endpoint {
    let content = content.clone();
    member::<SchedulingId>("story_schedulings")
        .and(warp::get())
        .and(api_request())
        .then(move |space, id, request: ApiRequest| {
            respond(ErrorFormat::Management, request.meta, read(content.clone(), space, id, request))
        })
        .boxed()
}

async fn read(content: Content, space: SpaceId, id: SchedulingId, request: ApiRequest) -> Result<ApiResponse, Fault> {
    access::manager(&content, &request, space, Right::Read).await?;
    request.query()?.only(&[])?;
    let connection = content.store.connection("scheduling.find").await?;
    let found = schedulings::find(&connection, space, id).await?.ok_or_else(Fault::not_found)?;
    ApiResponse::ok(&wrapper::put("story_scheduling", SchedulingView::of(space, &found)))
}
