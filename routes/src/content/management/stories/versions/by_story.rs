//! `GET …/story_versions?by_story_id=`: 200 `{"story_versions": […]}`.

use crate::{
    content::{
        Content,
        management::{access, collection},
    },
    web::{ApiRequest, ApiResponse, Endpoint, ErrorFormat, endpoint::respond, request::api_request},
};
use domain::{
    content::Right,
    shared::{Fault, SpaceId},
};
use warp::Filter;

pub(in super::super) fn route(content: &Content) -> Endpoint {
    let content = content.clone();
    collection("story_versions")
        .and(warp::get())
        .and(api_request())
        .then(move |space, request: ApiRequest| {
            respond(ErrorFormat::Management, request.meta, list(content.clone(), space, request))
        })
        .boxed()
}

async fn list(content: Content, space: SpaceId, request: ApiRequest) -> Result<ApiResponse, Fault> {
    access::manager(&content, &request, space, Right::Read).await?;
    let query = request.query()?;
    query.only(&["by_story_id", "show_content", "page", "per_page"])?;
    super::list(&content, space, query.required("by_story_id")?, &query, "story_versions").await
}
