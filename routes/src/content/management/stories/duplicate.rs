//! `PUT …/stories/{id}/duplicate` `{"story": {"name"?, "slug", "parent_id"?}}`: 200 `{"story": …}`, the copy, unpublished.

use super::view;
use crate::{
    content::{
        Content,
        management::{access, action, envelope},
    },
    web::{ApiRequest, ApiResponse, Endpoint, ErrorFormat, body::DEFAULT_LIMIT, endpoint::respond, request::api_request},
};
use domain::{
    content::Right,
    shared::{Fault, SpaceId, StoryId},
};
use serde::Deserialize;
use services::content::stories::Duplicate;
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
        .and(api_request())
        .then(move |space, id, request: ApiRequest| {
            respond(ErrorFormat::Management, request.meta, duplicate(content.clone(), space, id, request))
        })
        .boxed()
}

async fn duplicate(content: Content, space: SpaceId, id: StoryId, mut request: ApiRequest) -> Result<ApiResponse, Fault> {
    let by = access::manager(&content, &request, space, Right::WriteContent).await?;
    request.query()?.only(&[])?;
    let copy: Copy = envelope::read(&mut request, "story", DEFAULT_LIMIT).await?;
    let duplicate = Duplicate { id, name: copy.name, slug: copy.slug.unwrap_or_default(), parent: copy.parent_id };
    let written = content.spaces.execute(space, by, request.origin(), duplicate).await?;
    ApiResponse::ok(&view::written(&written))
}
