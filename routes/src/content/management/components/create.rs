//! `POST /api/v1/spaces/{space}/components` `{"component": {…}}`: 201 with the component.

use super::view::ComponentView;
use crate::{
    content::{
        Content,
        management::{access, collection, wrapper},
    },
    web::{ApiRequest, ApiResponse, Endpoint, ErrorFormat, body::DEFAULT_LIMIT, endpoint::respond, request::api_request},
};
use domain::{
    content::{Right, component::ComponentChange},
    shared::{Fault, SpaceId},
};
use services::content::components::CreateComponent;
use warp::Filter;

pub(super) fn route(content: &Content) -> Endpoint {
    let content = content.clone();
    collection("components")
        .and(warp::post())
        .and(api_request())
        .then(move |space, request: ApiRequest| {
            respond(ErrorFormat::Management, request.meta, create(content.clone(), space, request))
        })
        .boxed()
}

async fn create(content: Content, space: SpaceId, mut request: ApiRequest) -> Result<ApiResponse, Fault> {
    let by = access::manager(&content, &request, space, Right::Administer).await?;
    request.query()?.only(&[])?;
    let change: ComponentChange = wrapper::read(&mut request, "component", DEFAULT_LIMIT).await?;
    let made = content.spaces.execute(space, by, request.origin(), CreateComponent(change)).await?;
    ApiResponse::created(&wrapper::put("component", ComponentView::of(&made)))
}
