//! `PUT …/stories/{id}/duplicate` `{"story": {"name"?, "slug", "parent_id"?}}`: 200 `{"story": …}`, the copy, unpublished.

use super::view;
use crate::{
    content::{Content, management::access::manager},
    web::{Answer, Call, Dialect, Endpoint, body::DEFAULT_LIMIT, call::call, endpoint::respond, path::segment},
};
use actors::content::writes::stories::Duplicate;
use domain::{
    content::Right,
    shared::{Fault, SpaceId, StoryId},
};
use serde::Deserialize;
use warp::Filter;

#[derive(Deserialize)]
struct Body {
    story: Option<Copy>,
}

#[derive(Deserialize)]
struct Copy {
    name: Option<String>,
    slug: Option<String>,
    parent_id: Option<StoryId>,
}

pub(super) fn route(content: &Content) -> Endpoint {
    let content = content.clone();
    warp::path!("api" / "v1" / "spaces" / ..)
        .and(segment())
        .and(warp::path("stories"))
        .and(segment())
        .and(warp::path("duplicate"))
        .and(warp::path::end())
        .and(warp::put().or(warp::post()).unify())
        .and(call())
        .then(move |space, id, call: Call| respond(Dialect::Management, call.arrival, duplicate(content.clone(), call, space, id)))
        .boxed()
}

async fn duplicate(content: Content, mut call: Call, space: SpaceId, id: StoryId) -> Result<Answer, Fault> {
    let actor = manager(&content, &call, space, Right::WriteContent).await?;
    call.query()?.only(&[])?;
    let body: Body = call.json(DEFAULT_LIMIT).await?;
    let Some(copy) = body.story else {
        return Err(Fault::invalid("story", "missing", "param is missing or the value is empty: story"));
    };
    let duplicate = Duplicate { id, name: copy.name, slug: copy.slug.unwrap_or_default(), parent: copy.parent_id };
    let written = content.spaces.write(space, actor, call.origin(), duplicate).await?;
    Answer::ok(&view::written(&written))
}
