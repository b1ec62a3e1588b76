//! `DELETE …/stories/{id}`: 200 `{"story": …}`. Soft, with everything below a folder; see `undelete`.

use super::view;
use crate::{
    content::{Content, management::access::manager},
    web::{Answer, Call, Dialect, Endpoint, call::call, endpoint::respond, path::segment},
};
use actors::content::writes::stories::Delete;
use domain::{
    content::Right,
    shared::{Fault, SpaceId, StoryId},
};
use warp::Filter;

pub(super) fn route(content: &Content) -> Endpoint {
    let content = content.clone();
    warp::path!("api" / "v1" / "spaces" / ..)
        .and(segment())
        .and(warp::path("stories"))
        .and(segment())
        .and(warp::path::end())
        .and(warp::delete())
        .and(call())
        .then(move |space, id, call: Call| respond(Dialect::Management, call.arrival, delete(content.clone(), call, space, id)))
        .boxed()
}

async fn delete(content: Content, call: Call, space: SpaceId, id: StoryId) -> Result<Answer, Fault> {
    let actor = manager(&content, &call, space, Right::WriteContent).await?;
    call.query()?.only(&[])?;
    let written = content.spaces.write(space, actor, call.origin(), Delete { id }).await?;
    Answer::ok(&view::written(&written))
}
