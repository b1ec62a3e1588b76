//! `POST …/stories`: 201 `{"story": …}`.

use super::{body, view};
use crate::{
    content::{
        Content,
        management::{access, collection},
    },
    web::{Answer, Call, Dialect, Endpoint, call::call, endpoint::respond},
};
use actors::content::writes::stories::Create;
use domain::{
    content::Right,
    shared::{Fault, SpaceId},
};
use warp::Filter;

pub(super) fn route(content: &Content) -> Endpoint {
    let content = content.clone();
    collection("stories")
        .and(warp::post())
        .and(call())
        .then(move |space, call: Call| respond(Dialect::Management, call.arrival, create(content.clone(), space, call)))
        .boxed()
}

async fn create(content: Content, space: SpaceId, mut call: Call) -> Result<Answer, Fault> {
    let by = access::manager(&content, &call, space, Right::WriteContent).await?;
    let request = body::read(&mut call).await?;
    let create = Create { story: request.patch, publish: request.publish };
    let written = content.spaces.write(space, by, call.origin(), create).await?;
    Answer::created(&view::written(&written))
}
