//! `PUT …/stories/{id}` (PATCH too): 200 `{"story": …}`. Fields not named stay; `content` replaces the old content entirely.

use super::{body, view};
use crate::{
    content::{Content, management::access::manager},
    web::{Answer, Call, Dialect, Endpoint, call::call, endpoint::respond, path::segment},
};
use actors::content::writes::stories::Update;
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
        .and(warp::put().or(warp::patch()).unify())
        .and(call())
        .then(move |space, id, call: Call| respond(Dialect::Management, call.arrival, update(content.clone(), call, space, id)))
        .boxed()
}

async fn update(content: Content, mut call: Call, space: SpaceId, id: StoryId) -> Result<Answer, Fault> {
    let actor = manager(&content, &call, space, Right::WriteContent).await?;
    let request = body::read(&mut call).await?;
    let update = Update { id, patch: request.patch, publish: request.publish };
    let written = content.spaces.write(space, actor, call.origin(), update).await?;
    Answer::ok(&view::written(&written))
}
