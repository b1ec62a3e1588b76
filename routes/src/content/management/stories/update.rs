//! `PUT …/stories/{id}` (PATCH too): 200 `{"story": …}`. Fields not named stay; `content` replaces the old content entirely.

use super::{body, view};
use crate::{
    content::{
        Content,
        management::{access, member},
    },
    web::{Answer, Call, Dialect, Endpoint, call::call, endpoint::respond},
};
use actors::content::writes::stories::Update;
use domain::{
    content::Right,
    shared::{Fault, SpaceId, StoryId},
};
use warp::Filter;

pub(super) fn route(content: &Content) -> Endpoint {
    let content = content.clone();
    member::<StoryId>("stories")
        .and(warp::put().or(warp::patch()).unify())
        .and(call())
        .then(move |space, id, call: Call| respond(Dialect::Management, call.arrival, update(content.clone(), space, id, call)))
        .boxed()
}

async fn update(content: Content, space: SpaceId, id: StoryId, mut call: Call) -> Result<Answer, Fault> {
    let by = access::manager(&content, &call, space, Right::WriteContent).await?;
    let request = body::read(&mut call).await?;
    let update = Update { id, patch: request.patch, publish: request.publish };
    let written = content.spaces.write(space, by, call.origin(), update).await?;
    Answer::ok(&view::written(&written))
}
