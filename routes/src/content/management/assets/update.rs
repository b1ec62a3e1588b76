//! `PATCH` or `PUT /api/v1/spaces/{space}/assets/{id}` `{"asset": {…}}`: 204, as on the hosted service. What is not named stays.

use crate::{
    content::{
        Content,
        management::{access, member, wrapper},
    },
    web::{Answer, Call, Dialect, Endpoint, body::DEFAULT_LIMIT, call::call, endpoint::respond},
};
use actors::content::writes::assets::UpdateAsset;
use domain::{
    content::{Right, asset::AssetChange},
    shared::{AssetId, Fault, SpaceId},
};
use serde_json::{Map, Value};
use warp::Filter;

pub(super) fn route(content: &Content) -> Endpoint {
    let content = content.clone();
    member::<AssetId>("assets")
        .and(warp::put().or(warp::patch()).unify())
        .and(call())
        .then(move |space, id, call: Call| respond(Dialect::Management, call.arrival, update(content.clone(), space, id, call)))
        .boxed()
}

async fn update(content: Content, space: SpaceId, id: AssetId, mut call: Call) -> Result<Answer, Fault> {
    let by = access::manager(&content, &call, space, Right::WriteContent).await?;
    call.query()?.only(&[])?;
    let sent: Map<String, Value> = wrapper::read(&mut call, "asset", DEFAULT_LIMIT).await?;
    let write = UpdateAsset { id, change: AssetChange::of(&sent) };
    content.spaces.write(space, by, call.origin(), write).await?;
    Ok(Answer::empty())
}
