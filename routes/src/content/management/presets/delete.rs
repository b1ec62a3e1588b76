//! `DELETE /api/v1/spaces/{space}/presets/{id}`: 200 with the preset that was deleted.

use super::view::PresetView;
use crate::{
    content::{
        Content,
        management::{access, member, wrapper},
    },
    web::{Answer, Call, Dialect, Endpoint, call::call, endpoint::respond},
};
use actors::content::writes::presets::DeletePreset;
use domain::{
    content::Right,
    shared::{Fault, PresetId, SpaceId},
};
use warp::Filter;

pub(super) fn route(content: &Content) -> Endpoint {
    let content = content.clone();
    member::<PresetId>("presets")
        .and(warp::delete())
        .and(call())
        .then(move |space, id, call: Call| respond(Dialect::Management, call.arrival, delete(content.clone(), space, id, call)))
        .boxed()
}

async fn delete(content: Content, space: SpaceId, id: PresetId, call: Call) -> Result<Answer, Fault> {
    let by = access::manager(&content, &call, space, Right::Administer).await?;
    call.query()?.only(&[])?;
    let gone = content.spaces.write(space, by, call.origin(), DeletePreset(id)).await?;
    Answer::ok(&wrapper::put("preset", PresetView::of(space, &gone)))
}
