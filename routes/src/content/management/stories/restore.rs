//! `…/stories/{id}/restore_with?version={version id}`: 200 `{"story": …}`. The version becomes the draft; what is published stays.

use super::view;
use crate::{
    content::{Content, management::access::manager},
    web::{Answer, Call, Dialect, Endpoint, call::call, endpoint::respond, path::segment},
};
use actors::content::writes::stories::Restore;
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
        .and(warp::path("restore_with"))
        .and(warp::path::end())
        .and(warp::get().or(warp::post()).unify().or(warp::put()).unify())
        .and(call())
        .then(move |space, id, call: Call| respond(Dialect::Management, call.arrival, restore(content.clone(), call, space, id)))
        .boxed()
}

async fn restore(content: Content, call: Call, space: SpaceId, id: StoryId) -> Result<Answer, Fault> {
    call.refuse_head()?;
    let actor = manager(&content, &call, space, Right::WriteContent).await?;
    let query = call.query()?;
    query.only(&["version"])?;
    let version = query.parsed("version")?.ok_or_else(|| Fault::invalid("version", "blank", "can't be blank"))?;
    let written = content.spaces.write(space, actor, call.origin(), Restore { id, version }).await?;
    Answer::ok(&view::written(&written))
}
