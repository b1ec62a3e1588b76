//! `POST …/stories`: 201 `{"story": …}`.

use super::{body, view};
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
use services::content::stories::Create;
use warp::Filter;

pub(super) fn route(content: &Content) -> Endpoint {
    let content = content.clone();
    collection("stories")
        .and(warp::post())
        .and(api_request())
        .then(move |space, request: ApiRequest| {
            respond(ErrorFormat::Management, request.meta, create(content.clone(), space, request))
        })
        .boxed()
}

async fn create(content: Content, space: SpaceId, mut request: ApiRequest) -> Result<ApiResponse, Fault> {
    let by = access::manager(&content, &request, space, Right::WriteContent).await?;
    let body = body::read(&mut request).await?;
    let create = Create { story: body.patch, publish: body.publish };
    let written = content.spaces.execute(space, by, request.origin(), create).await?;
    ApiResponse::created(&view::written(&written))
}
