//! `GET …/story_versions/{id}`: 200 `{"story_versions": {…}}`, one version under the plural key, as on the hosted service.

use crate::{
    content::{
        Content,
        management::{access, member},
    },
    web::{ApiRequest, ApiResponse, Endpoint, ErrorFormat, endpoint::respond, request::api_request},
};
use domain::{
    content::Right,
    shared::{Fault, SpaceId},
};
use serde_json::json;
use storage::content::stories::versions;
use warp::Filter;

pub(in super::super) fn route(content: &Content) -> Endpoint {
    let content = content.clone();
    member::<i64>("story_versions")
        .and(warp::get())
        .and(api_request())
        .then(move |space, id, request: ApiRequest| {
            respond(ErrorFormat::Management, request.meta, read(content.clone(), space, id, request))
        })
        .boxed()
}

async fn read(content: Content, space: SpaceId, id: i64, request: ApiRequest) -> Result<ApiResponse, Fault> {
    access::manager(&content, &request, space, Right::Read).await?;
    let query = request.query()?;
    query.only(&["show_content"])?;
    let is_bare = query.flag_if_given("show_content")? == Some(false);
    let connection = content.store.connection("version.find").await?;
    let (story, mut version) = versions::find(&connection, space, id).await?.ok_or_else(Fault::not_found)?;
    version.content = version.content.filter(|_| !is_bare);
    ApiResponse::ok(&json!({ "story_versions": super::view(story, &version) }))
}
