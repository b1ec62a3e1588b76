//! `POST /api/v1/spaces/{space}/presets` `{"preset": {…}}`: 201 with the preset.

use super::view::PresetView;
use crate::{
    content::{
        Content,
        management::{access, collection, wrapper},
    },
    web::{Answer, Call, Dialect, Endpoint, body::DEFAULT_LIMIT, call::call, endpoint::respond},
};
use actors::content::writes::presets::CreatePreset;
use domain::{
    content::{Right, preset::PresetChange},
    shared::{Fault, SpaceId},
};
use warp::Filter;

pub(super) fn route(content: &Content) -> Endpoint {
    let content = content.clone();
    collection("presets")
        .and(warp::post())
        .and(call())
        .then(move |space, call: Call| respond(Dialect::Management, call.arrival, create(content.clone(), space, call)))
        .boxed()
}

async fn create(content: Content, space: SpaceId, mut call: Call) -> Result<Answer, Fault> {
    let by = access::manager(&content, &call, space, Right::Administer).await?;
    call.query()?.only(&[])?;
    let change: PresetChange = wrapper::read(&mut call, "preset", DEFAULT_LIMIT).await?;
    let made = content.spaces.write(space, by, call.origin(), CreatePreset(change)).await?;
    Answer::created(&wrapper::put("preset", PresetView::of(space, &made)))
}
