//! `POST …/stories`: 201 `{"story": …}`.

use super::{body, view};
use crate::{
    content::{Content, management::access::manager},
    web::{Answer, Call, Dialect, Endpoint, call::call, endpoint::respond, path::segment},
};
use actors::content::writes::stories::Create;
use domain::{
    content::Right,
    shared::{Fault, SpaceId},
};
use warp::Filter;

pub(super) fn route(content: &Content) -> Endpoint {
    let content = content.clone();
    warp::path!("api" / "v1" / "spaces" / ..)
        .and(segment())
        .and(warp::path("stories"))
        .and(warp::path::end())
        .and(warp::post())
        .and(call())
        .then(move |space, call: Call| respond(Dialect::Management, call.arrival, create(content.clone(), call, space)))
        .boxed()
}

async fn create(content: Content, mut call: Call, space: SpaceId) -> Result<Answer, Fault> {
    let actor = manager(&content, &call, space, Right::WriteContent).await?;
    let request = body::read(&mut call).await?;
    let create = Create { story: request.patch, publish: request.publish };
    let written = content.spaces.write(space, actor, call.origin(), create).await?;
    Answer::created(&view::written(&written))
}
