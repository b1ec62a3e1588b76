//! `GET …/versions?model=stories&model_id=`: 200 `{"versions": […]}`. What the hosted service's own client asks for; only stories have a history here.

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
    collection("versions")
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
    query.only(&["model", "model_id", "show_content", "page", "per_page"])?;
    if query.get("model") != Some("stories") {
        return Err(Fault::invalid("model", "unsupported", "must be stories: nothing else has versions"));
    }
    super::list(&content, space, query.required("model_id")?, &query, "versions").await
}
