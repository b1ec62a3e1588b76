//! `POST /api/v1/spaces/{space}/presets` `{"preset": {…}}`: 201 with the preset.

use super::view::PresetView;
use crate::{
    content::{
        Content,
        management::{access, collection, wrapper},
    },
    web::{ApiRequest, ApiResponse, Endpoint, ErrorFormat, body::DEFAULT_LIMIT, endpoint::respond, request::api_request},
};
use domain::{
    content::{Right, preset::PresetChange},
    shared::{Fault, SpaceId},
};
use services::content::presets::CreatePreset;
use warp::Filter;

pub(super) fn route(content: &Content) -> Endpoint {
    let content = content.clone();
    collection("presets")
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
    let change: PresetChange = wrapper::read(&mut request, "preset", DEFAULT_LIMIT).await?;
    let made = content.spaces.execute(space, by, request.origin(), CreatePreset(change)).await?;
    ApiResponse::created(&wrapper::put("preset", PresetView::of(space, &made)))
}
