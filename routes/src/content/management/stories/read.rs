//! `GET …/stories/{id}`: 200 `{"story": …}` with the draft's raw content. Deleted stories can be read too; `deleted_at` tells.

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
use storage::content::stories::read;
use warp::Filter;

pub(super) fn route(content: &Content) -> Endpoint {
    let content = content.clone();
    member::<StoryId>("stories")
        .and(warp::get())
        .and(api_request())
        .then(move |space, id, request: ApiRequest| {
            respond(ErrorFormat::Management, request.meta, read(content.clone(), space, id, request))
        })
        .boxed()
}

async fn read(content: Content, space: SpaceId, id: StoryId, request: ApiRequest) -> Result<ApiResponse, Fault> {
    access::manager(&content, &request, space, Right::Read).await?;
    request.query()?.only(&[])?;
    let connection = content.store.connection("story.find").await?;
    let found = read::find(&connection, space, id).await?.ok_or_else(Fault::not_found)?;
    let around = read::surroundings(&connection, space, &found.story).await?;
    ApiResponse::ok(&view::envelope(&found, &around))
}
