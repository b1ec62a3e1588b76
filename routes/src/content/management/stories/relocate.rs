//! `PUT …/stories/{id}/move?to_folder=&after_id=`: 200 `{"story": …}`. Without `after_id` it comes first in its folder.

use super::view;
use crate::{
    content::{Content, management::access::manager},
    web::{Answer, Call, Dialect, Endpoint, call::call, endpoint::respond, path::segment},
};
use actors::content::writes::stories::Relocate;
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
        .and(warp::path("move"))
        .and(warp::path::end())
        .and(warp::put())
        .and(call())
        .then(move |space, id, call: Call| respond(Dialect::Management, call.arrival, relocate(content.clone(), call, space, id)))
        .boxed()
}

async fn relocate(content: Content, call: Call, space: SpaceId, id: StoryId) -> Result<Answer, Fault> {
    let actor = manager(&content, &call, space, Right::WriteContent).await?;
    let query = call.query()?;
    query.only(&["to_folder", "after_id"])?;
    let relocate = Relocate { id, to_folder: query.parsed("to_folder")?, after: query.parsed("after_id")? };
    let written = content.spaces.write(space, actor, call.origin(), relocate).await?;
    Answer::ok(&view::written(&written))
}
