//! `DELETE …/stories/{id}`: 200 `{"story": …}`. Soft, with everything below a folder; see `undelete`.

use super::view;
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
use services::content::stories::Delete;
use warp::Filter;

pub(super) fn route(content: &Content) -> Endpoint {
    let content = content.clone();
    member::<StoryId>("stories")
        .and(warp::delete())
        .and(api_request())
        .then(move |space, id, request: ApiRequest| {
            respond(ErrorFormat::Management, request.meta, delete(content.clone(), space, id, request))
        })
        .boxed()
}

async fn delete(content: Content, space: SpaceId, id: StoryId, request: ApiRequest) -> Result<ApiResponse, Fault> {
    let by = access::manager(&content, &request, space, Right::WriteContent).await?;
    request.query()?.only(&[])?;
    let written = content.spaces.execute(space, by, request.origin(), Delete { id }).await?;
    ApiResponse::ok(&view::written(&written))
}
