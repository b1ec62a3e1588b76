//! `GET /api/v1/spaces/{space}/story_schedulings/{id}`.

use super::view::SchedulingView;
use crate::{
    content::{
        Content,
        management::{access, member, wrapper},
    },
    web::{Answer, Call, Dialect, Endpoint, call::call, endpoint::respond},
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
        .and(call())
        .then(move |space, id, call: Call| respond(Dialect::Management, call.arrival, read(content.clone(), space, id, call)))
        .boxed()
}

async fn read(content: Content, space: SpaceId, id: SchedulingId, call: Call) -> Result<Answer, Fault> {
    access::manager(&content, &call, space, Right::Read).await?;
    call.query()?.only(&[])?;
    let session = content.store.read("scheduling.find").await?;
    let found = schedulings::find(&session, space, id).await?.ok_or_else(Fault::not_found)?;
    Answer::ok(&wrapper::put("story_scheduling", SchedulingView::of(space, &found)))
}
