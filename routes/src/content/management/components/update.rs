//! `PUT /api/v1/spaces/{space}/components/{id}` `{"component": {…}}`: 200 with the component as it is now.
//!
//! What is not named stays; `schema` is replaced as a whole. Renaming a component leaves the bloks of stories as they are.

use super::view::ComponentView;
use crate::{
    content::{
        Content,
        management::{access, member, wrapper},
    },
    web::{ApiRequest, ApiResponse, Endpoint, ErrorFormat, body::DEFAULT_LIMIT, endpoint::respond, request::api_request},
};
use domain::{
    content::{Right, component::ComponentChange},
    shared::{ComponentId, Fault, SpaceId},
};
use services::content::components::UpdateComponent;
use warp::Filter;

pub(super) fn route(content: &Content) -> Endpoint {
    let content = content.clone();
    member::<ComponentId>("components")
        .and(warp::put())
        .and(api_request())
        .then(move |space, id, request: ApiRequest| {
            respond(ErrorFormat::Management, request.meta, update(content.clone(), space, id, request))
        })
        .boxed()
}

async fn update(content: Content, space: SpaceId, id: ComponentId, mut request: ApiRequest) -> Result<ApiResponse, Fault> {
    let by = access::manager(&content, &request, space, Right::Administer).await?;
    request.query()?.only(&[])?;
    let change: ComponentChange = wrapper::read(&mut request, "component", DEFAULT_LIMIT).await?;
    let after = content.spaces.execute(space, by, request.origin(), UpdateComponent { id, change }).await?;
    ApiResponse::ok(&wrapper::put("component", ComponentView::of(&after)))
}
