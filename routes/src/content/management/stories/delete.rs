//! `DELETE …/stories/{id}`: 200 `{"story": …}`. Soft, with everything below a folder; see `undelete`.

use super::view;
use crate::{
    content::{
        Content,
        management::{access, member},
    },
    web::{Answer, Call, Dialect, Endpoint, call::call, endpoint::respond},
};
use actors::content::writes::stories::Delete;
use domain::{
    content::Right,
    shared::{Fault, SpaceId, StoryId},
};
use warp::Filter;

pub(super) fn route(content: &Content) -> Endpoint {
    let content = content.clone();
    member::<StoryId>("stories")
        .and(warp::delete())
        .and(call())
        .then(move |space, id, call: Call| respond(Dialect::Management, call.arrival, delete(content.clone(), space, id, call)))
        .boxed()
}

async fn delete(content: Content, space: SpaceId, id: StoryId, call: Call) -> Result<Answer, Fault> {
    let by = access::manager(&content, &call, space, Right::WriteContent).await?;
    call.query()?.only(&[])?;
    let written = content.spaces.write(space, by, call.origin(), Delete { id }).await?;
    Answer::ok(&view::written(&written))
}
