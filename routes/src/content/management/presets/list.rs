//! `GET /api/v1/spaces/{space}/presets`. Filter: `component_id`.

use super::view::PresetView;
use crate::{
    content::{
        Content,
        management::{access, collection, listing::Listing, wrapper},
    },
    web::{Answer, Call, Dialect, Endpoint, call::call, endpoint::respond},
};
use domain::{
    content::Right,
    shared::{Fault, SpaceId},
};
use storage::content::presets;
use warp::Filter;

pub(super) fn route(content: &Content) -> Endpoint {
    let content = content.clone();
    collection("presets")
        .and(warp::get())
        .and(call())
        .then(move |space, call: Call| respond(Dialect::Management, call.arrival, list(content.clone(), space, call)))
        .boxed()
}

async fn list(content: Content, space: SpaceId, call: Call) -> Result<Answer, Fault> {
    access::manager(&content, &call, space, Right::Read).await?;
    let query = call.query()?;
    query.only(&["component_id", "page", "per_page"])?;
    let component = query.parsed("component_id")?;
    let session = content.store.read("preset.list").await?;
    let found = Listing::of(&query, presets::list(&session, space, component).await?)?;
    let views: Vec<_> = found.items.iter().map(|it| PresetView::of(space, it)).collect();
    Ok(found.headed(Answer::ok(&wrapper::put("presets", views))?))
}
