//! `…/stories/{id}/restore_with?version={version id}`: 200 `{"story": …}`. The version becomes the draft; what is published stays.

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
use services::content::stories::Restore;
use warp::Filter;

pub(super) fn route(content: &Content) -> Endpoint {
    let content = content.clone();
    action::<StoryId>("stories", "restore_with")
        .and(warp::get().or(warp::post()).unify().or(warp::put()).unify())
        .and(api_request())
        .then(move |space, id, request: ApiRequest| {
            respond(ErrorFormat::Management, request.meta, restore(content.clone(), space, id, request))
        })
        .boxed()
}

async fn restore(content: Content, space: SpaceId, id: StoryId, request: ApiRequest) -> Result<ApiResponse, Fault> {
    request.refuse_head()?;
    let by = access::manager(&content, &request, space, Right::WriteContent).await?;
    let query = request.query()?;
    query.only(&["version"])?;
    let version = query.required("version")?;
    let written = content.spaces.execute(space, by, request.origin(), Restore { id, version }).await?;
    ApiResponse::ok(&view::written(&written))
}
