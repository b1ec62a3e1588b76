//! `…/stories/{id}/restore_with?version={version id}`: 200 `{"story": …}`. The version becomes the draft; what is published stays.

use super::view;
use crate::{
    content::{
        Content,
        management::{access, action},
    },
    web::{Answer, Call, Dialect, Endpoint, call::call, endpoint::respond},
};
use actors::content::writes::stories::Restore;
use domain::{
    content::Right,
    shared::{Fault, SpaceId, StoryId},
};
use warp::Filter;

pub(super) fn route(content: &Content) -> Endpoint {
    let content = content.clone();
    action::<StoryId>("stories", "restore_with")
        .and(warp::get().or(warp::post()).unify().or(warp::put()).unify())
        .and(call())
        .then(move |space, id, call: Call| respond(Dialect::Management, call.arrival, restore(content.clone(), space, id, call)))
        .boxed()
}

async fn restore(content: Content, space: SpaceId, id: StoryId, call: Call) -> Result<Answer, Fault> {
    call.refuse_head()?;
    let by = access::manager(&content, &call, space, Right::WriteContent).await?;
    let query = call.query()?;
    query.only(&["version"])?;
    let version = query.required("version")?;
    let written = content.spaces.write(space, by, call.origin(), Restore { id, version }).await?;
    Answer::ok(&view::written(&written))
}
