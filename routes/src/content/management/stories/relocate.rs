//! `PUT …/stories/{id}/move?to_folder=&after_id=`: 200 `{"story": …}`. Without `after_id` it comes first in its folder.

use super::view;
use crate::{
    content::{
        Content,
        management::{access, action},
    },
    web::{ApiRequest, ApiResponse, Endpoint, ErrorFormat, endpoint::respond, request::api_request},
};
use domain::{
    content::Right,
    shared::{Fault, SpaceId, StoryId},
};
use services::content::stories::Relocate;
use warp::Filter;

pub(super) fn route(content: &Content) -> Endpoint {
    let content = content.clone();
    action::<StoryId>("stories", "move")
        .and(warp::put())
        .and(api_request())
        .then(move |space, id, request: ApiRequest| {
            respond(ErrorFormat::Management, request.meta, relocate(content.clone(), space, id, request))
        })
        .boxed()
}

async fn relocate(content: Content, space: SpaceId, id: StoryId, request: ApiRequest) -> Result<ApiResponse, Fault> {
    let by = access::manager(&content, &request, space, Right::WriteContent).await?;
    let query = request.query()?;
    query.only(&["to_folder", "after_id"])?;
    let relocate = Relocate { id, to_folder: query.parsed("to_folder")?, after: query.parsed("after_id")? };
    let written = content.spaces.execute(space, by, request.origin(), relocate).await?;
    ApiResponse::ok(&view::written(&written))
}
