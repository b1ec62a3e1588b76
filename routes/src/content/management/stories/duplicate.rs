//! `PUT …/stories/{id}/duplicate` `{"story": {"name"?, "slug", "parent_id"?}}`: 200 `{"story": …}`, the copy, unpublished.

use super::view;
use crate::{
    content::{
        Content,
        management::{access, action, wrapper},
    },
    web::{Answer, Call, Dialect, Endpoint, body::DEFAULT_LIMIT, call::call, endpoint::respond},
};
use actors::content::writes::stories::Duplicate;
use domain::{
    content::Right,
    shared::{Fault, SpaceId, StoryId},
};
use serde::Deserialize;
use warp::Filter;

#[derive(Deserialize)]
struct Copy {
    name: Option<String>,
    slug: Option<String>,
    parent_id: Option<StoryId>,
}

pub(super) fn route(content: &Content) -> Endpoint {
    let content = content.clone();
    action::<StoryId>("stories", "duplicate")
        .and(warp::put().or(warp::post()).unify())
        .and(call())
        .then(move |space, id, call: Call| respond(Dialect::Management, call.arrival, duplicate(content.clone(), space, id, call)))
        .boxed()
}

async fn duplicate(content: Content, space: SpaceId, id: StoryId, mut call: Call) -> Result<Answer, Fault> {
    let by = access::manager(&content, &call, space, Right::WriteContent).await?;
    call.query()?.only(&[])?;
    let copy: Copy = wrapper::read(&mut call, "story", DEFAULT_LIMIT).await?;
    let duplicate = Duplicate { id, name: copy.name, slug: copy.slug.unwrap_or_default(), parent: copy.parent_id };
    let written = content.spaces.write(space, by, call.origin(), duplicate).await?;
    Answer::ok(&view::written(&written))
}
