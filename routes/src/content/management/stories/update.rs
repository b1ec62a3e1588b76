//! `PUT …/stories/{id}` (PATCH too): 200 `{"story": …}`. Fields not named stay; `content` replaces the old content entirely.

use super::{body, view};
use crate::{
    content::{
        Content,
        management::{access, member},
    },
    web::{ApiRequest, ApiResponse, Endpoint, ErrorFormat, endpoint::respond, request::api_request},
};
use domain::{
    content::Right,
    shared::{Fault, SpaceId, StoryId},
};
use services::content::stories::Update;
use warp::Filter;

pub(super) fn route(content: &Content) -> Endpoint {
    let content = content.clone();
    member::<StoryId>("stories")
        .and(warp::put().or(warp::patch()).unify())
        .and(api_request())
        .then(move |space, id, request: ApiRequest| {
            respond(ErrorFormat::Management, request.meta, update(content.clone(), space, id, request))
        })
        .boxed()
}

async fn update(content: Content, space: SpaceId, id: StoryId, mut request: ApiRequest) -> Result<ApiResponse, Fault> {
    let by = access::manager(&content, &request, space, Right::WriteContent).await?;
    let body = body::read(&mut request).await?;
    let update = Update { id, patch: body.patch, publish: body.publish };
    let written = content.spaces.execute(space, by, request.origin(), update).await?;
    ApiResponse::ok(&view::written(&written))
}
