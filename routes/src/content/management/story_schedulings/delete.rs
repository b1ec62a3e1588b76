//! `DELETE /api/v1/spaces/{space}/story_schedulings/{id}`: 200 with the plan, called off. 422 once it is over.

use super::view::SchedulingView;
use crate::{
    content::{
        Content,
        management::{access, member, wrapper},
    },
    web::{Answer, Call, Dialect, Endpoint, call::call, endpoint::respond},
};
use actors::content::writes::schedulings::DeleteScheduling;
use domain::{
    content::Right,
    shared::{Fault, SchedulingId, SpaceId},
};
use warp::Filter;

pub(super) fn route(content: &Content) -> Endpoint {
    let content = content.clone();
    member::<SchedulingId>("story_schedulings")
        .and(warp::delete())
        .and(call())
        .then(move |space, id, call: Call| respond(Dialect::Management, call.arrival, delete(content.clone(), space, id, call)))
        .boxed()
}

async fn delete(content: Content, space: SpaceId, id: SchedulingId, call: Call) -> Result<Answer, Fault> {
    let by = access::manager(&content, &call, space, Right::WriteContent).await?;
    call.query()?.only(&[])?;
    let deleted = content.spaces.write(space, by, call.origin(), DeleteScheduling(id)).await?;
    Answer::ok(&wrapper::put("story_scheduling", SchedulingView::of(space, &deleted)))
}
