//! `PUT /api/v1/spaces/{space}/story_schedulings/{id}` `{"story_scheduling": {publish_at}}`: 200 with the plan at its new time. 422 once it
//! is over.

use super::{body::Body, view::SchedulingView};
use crate::{
    content::{
        Content,
        management::{access, member, wrapper},
    },
    web::{Answer, Call, Dialect, Endpoint, call::call, endpoint::respond},
};
use actors::content::writes::schedulings::UpdateScheduling;
use domain::{
    content::Right,
    shared::{Fault, SchedulingId, SpaceId},
};
use warp::Filter;

pub(super) fn route(content: &Content) -> Endpoint {
    let content = content.clone();
    member::<SchedulingId>("story_schedulings")
        .and(warp::put())
        .and(call())
        .then(move |space, id, call: Call| respond(Dialect::Management, call.arrival, update(content.clone(), space, id, call)))
        .boxed()
}

async fn update(content: Content, space: SpaceId, id: SchedulingId, mut call: Call) -> Result<Answer, Fault> {
    let by = access::manager(&content, &call, space, Right::WriteContent).await?;
    call.query()?.only(&[])?;
    let publish_at = Body::read(&mut call).await?.publish_at()?;
    let after = content.spaces.write(space, by, call.origin(), UpdateScheduling { id, publish_at }).await?;
    Answer::ok(&wrapper::put("story_scheduling", SchedulingView::of(space, &after)))
}
