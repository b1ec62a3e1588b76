//! `DELETE /api/v1/spaces/{space}/presets/{id}`: 200 with the preset that was deleted.

use super::view::PresetView;
use crate::{
    content::{
        Content,
        management::{access, member, wrapper},
    },
    web::{ApiRequest, ApiResponse, Endpoint, ErrorFormat, endpoint::respond, request::api_request},
};
use domain::{
    content::Right,
    shared::{Fault, PresetId, SpaceId},
};
use services::content::presets::DeletePreset;
use warp::Filter;

pub(super) fn route(content: &Content) -> Endpoint {
    let content = content.clone();
    member::<PresetId>("presets")
        .and(warp::delete())
        .and(api_request())
        .then(move |space, id, request: ApiRequest| {
            respond(ErrorFormat::Management, request.meta, delete(content.clone(), space, id, request))
        })
        .boxed()
}

async fn delete(content: Content, space: SpaceId, id: PresetId, request: ApiRequest) -> Result<ApiResponse, Fault> {
    let by = access::manager(&content, &request, space, Right::Administer).await?;
    request.query()?.only(&[])?;
    let gone = content.spaces.execute(space, by, request.origin(), DeletePreset(id)).await?;
    ApiResponse::ok(&wrapper::put("preset", PresetView::of(space, &gone)))
}
