//! `GET /api/v1/spaces/{space}/presets/{id}`.

use super::view::PresetView;
use crate::{
    content::{
        Content,
        management::{access, member, wrapper},
    },
    web::{Answer, Call, Dialect, Endpoint, call::call, endpoint::respond},
};
use domain::{
    content::Right,
    shared::{Fault, PresetId, SpaceId},
};
use storage::content::presets;
use warp::Filter;

pub(super) fn route(content: &Content) -> Endpoint {
    let content = content.clone();
    member::<PresetId>("presets")
        .and(warp::get())
        .and(call())
        .then(move |space, id, call: Call| respond(Dialect::Management, call.arrival, read(content.clone(), space, id, call)))
        .boxed()
}

async fn read(content: Content, space: SpaceId, id: PresetId, call: Call) -> Result<Answer, Fault> {
    access::manager(&content, &call, space, Right::Read).await?;
    call.query()?.only(&[])?;
    let session = content.store.read("preset.find").await?;
    let found = presets::find(&session, space, id).await?.ok_or_else(Fault::not_found)?;
    Answer::ok(&wrapper::put("preset", PresetView::of(space, &found)))
}
