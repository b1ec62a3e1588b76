//! `PUT /api/v1/spaces/{space}/presets/{id}` `{"preset": {…}}`: 200 with the preset as it is now.
//!
//! What is not named stays; `preset` is replaced as a whole.

use super::view::PresetView;
use crate::{
    content::{
        Content,
        management::{access, member, wrapper},
    },
    web::{ApiRequest, ApiResponse, Endpoint, ErrorFormat, body::DEFAULT_LIMIT, endpoint::respond, request::api_request},
};
use domain::{
    content::{Right, preset::PresetChange},
    shared::{Fault, PresetId, SpaceId},
};
use services::content::presets::UpdatePreset;
use warp::Filter;

pub(super) fn route(content: &Content) -> Endpoint {
    let content = content.clone();
    member::<PresetId>("presets")
        .and(warp::put())
        .and(api_request())
        .then(move |space, id, request: ApiRequest| {
            respond(ErrorFormat::Management, request.meta, update(content.clone(), space, id, request))
        })
        .boxed()
}

async fn update(content: Content, space: SpaceId, id: PresetId, mut request: ApiRequest) -> Result<ApiResponse, Fault> {
    let by = access::manager(&content, &request, space, Right::Administer).await?;
    request.query()?.only(&[])?;
    let change: PresetChange = wrapper::read(&mut request, "preset", DEFAULT_LIMIT).await?;
    let after = content.spaces.execute(space, by, request.origin(), UpdatePreset { id, change }).await?;
    ApiResponse::ok(&wrapper::put("preset", PresetView::of(space, &after)))
}
