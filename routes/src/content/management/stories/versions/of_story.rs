//! `GET …/stories/{id}/versions`: 200 `{"versions": […]}`.

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
use warp::Filter;

pub(in super::super) fn route(content: &Content) -> Endpoint {
    let content = content.clone();
    action::<StoryId>("stories", "versions")
        .and(warp::get())
        .and(api_request())
        .then(move |space, id, request: ApiRequest| {
            respond(ErrorFormat::Management, request.meta, list(content.clone(), space, id, request))
        })
        .boxed()
}

async fn list(content: Content, space: SpaceId, id: StoryId, request: ApiRequest) -> Result<ApiResponse, Fault> {
    access::manager(&content, &request, space, Right::Read).await?;
    let query = request.query()?;
    query.only(&["show_content", "page", "per_page"])?;
    super::list(&content, space, id, &query, "versions").await
}
