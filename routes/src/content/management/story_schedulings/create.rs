//! `POST /api/v1/spaces/{space}/story_schedulings` `{"story_scheduling": {story_id, publish_at}}`: 201 with the plan. The time must lie ahead.

use super::{body::Body, view::SchedulingView};
use crate::{
    content::{
        Content,
        management::{access, collection, wrapper},
    },
    web::{Answer, Call, Dialect, Endpoint, call::call, endpoint::respond},
};
use actors::content::writes::schedulings::CreateScheduling;
use domain::{
    content::Right,
    shared::{Fault, SpaceId},
};
use warp::Filter;

pub(super) fn route(content: &Content) -> Endpoint {
    let content = content.clone();
    collection("story_schedulings")
        .and(warp::post())
        .and(call())
        .then(move |space, call: Call| respond(Dialect::Management, call.arrival, create(content.clone(), space, call)))
        .boxed()
}

async fn create(content: Content, space: SpaceId, mut call: Call) -> Result<Answer, Fault> {
    let by = access::manager(&content, &call, space, Right::WriteContent).await?;
    call.query()?.only(&[])?;
    let body = Body::read(&mut call).await?;
    let write = CreateScheduling { story: body.story()?, publish_at: body.publish_at()? };
    let made = content.spaces.write(space, by, call.origin(), write).await?;
    Answer::created(&wrapper::put("story_scheduling", SchedulingView::of(space, &made)))
}
