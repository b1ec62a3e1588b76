//! `PUT …/stories/{id}/move?to_folder=&after_id=`: 200 `{"story": …}`. Without `after_id` it comes first in its folder.

use super::view;
use crate::{
    content::{
        Content,
        management::{access, action},
    },
    web::{Answer, Call, Dialect, Endpoint, call::call, endpoint::respond},
};
use actors::content::writes::stories::Relocate;
use domain::{
    content::Right,
    shared::{Fault, SpaceId, StoryId},
};
use warp::Filter;

pub(super) fn route(content: &Content) -> Endpoint {
    let content = content.clone();
    action::<StoryId>("stories", "move")
        .and(warp::put())
        .and(call())
        .then(move |space, id, call: Call| respond(Dialect::Management, call.arrival, relocate(content.clone(), space, id, call)))
        .boxed()
}

async fn relocate(content: Content, space: SpaceId, id: StoryId, call: Call) -> Result<Answer, Fault> {
    let by = access::manager(&content, &call, space, Right::WriteContent).await?;
    let query = call.query()?;
    query.only(&["to_folder", "after_id"])?;
    let relocate = Relocate { id, to_folder: query.parsed("to_folder")?, after: query.parsed("after_id")? };
    let written = content.spaces.write(space, by, call.origin(), relocate).await?;
    Answer::ok(&view::written(&written))
}
