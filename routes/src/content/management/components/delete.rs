//! `DELETE /api/v1/spaces/{space}/components/{id}`: 200 with the component that was deleted, its presets with it. Stories keep their bloks.

use super::view::ComponentView;
use crate::{
    content::{
        Content,
        management::{access, member, wrapper},
    },
    web::{ApiRequest, ApiResponse, Endpoint, ErrorFormat, endpoint::respond, request::api_request},
};
use domain::{
    content::Right,
    shared::{ComponentId, Fault, SpaceId},
};
use services::content::components::DeleteComponent;
use warp::Filter;

pub(super) fn route(content: &Content) -> Endpoint {
    let content = content.clone();
    member::<ComponentId>("components")
        .and(warp::delete())
        .and(api_request())
        .then(move |space, id, request: ApiRequest| {
            respond(ErrorFormat::Management, request.meta, delete(content.clone(), space, id, request))
        })
        .boxed()
}

async fn delete(content: Content, space: SpaceId, id: ComponentId, request: ApiRequest) -> Result<ApiResponse, Fault> {
    let by = access::manager(&content, &request, space, Right::Administer).await?;
    request.query()?.only(&[])?;
    let gone = content.spaces.execute(space, by, request.origin(), DeleteComponent(id)).await?;
    ApiResponse::ok(&wrapper::put("component", ComponentView::of(&gone)))
}
