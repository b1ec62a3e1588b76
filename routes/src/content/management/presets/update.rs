//! `PUT /api/v1/spaces/{space}/presets/{id}` `{"preset": {…}}`: 200 with the preset as it is now.
//!
//! What is not named stays; `preset` is replaced as a whole.

use super::view::PresetView;
use crate::{
    content::{
        Content,
        management::{access, member, wrapper},
    },
    web::{Answer, Call, Dialect, Endpoint, body::DEFAULT_LIMIT, call::call, endpoint::respond},
};
use actors::content::writes::presets::UpdatePreset;
use domain::{
    content::{Right, preset::PresetChange},
    shared::{Fault, PresetId, SpaceId},
};
use warp::Filter;

pub(super) fn route(content: &Content) -> Endpoint {
    let content = content.clone();
    member::<PresetId>("presets")
        .and(warp::put())
        .and(call())
        .then(move |space, id, call: Call| respond(Dialect::Management, call.arrival, update(content.clone(), space, id, call)))
        .boxed()
}

async fn update(content: Content, space: SpaceId, id: PresetId, mut call: Call) -> Result<Answer, Fault> {
    let by = access::manager(&content, &call, space, Right::Administer).await?;
    call.query()?.only(&[])?;
    let change: PresetChange = wrapper::read(&mut call, "preset", DEFAULT_LIMIT).await?;
    let after = content.spaces.write(space, by, call.origin(), UpdatePreset { id, change }).await?;
    Answer::ok(&wrapper::put("preset", PresetView::of(space, &after)))
}
