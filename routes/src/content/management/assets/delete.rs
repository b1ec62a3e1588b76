//! `DELETE /api/v1/spaces/{space}/assets/{id}`: 200 with the asset, which is in the trash from then on, and not served. It can be restored for 90 days.

use super::view::AssetView;
use crate::{
    content::{
        Content,
        management::{access, member},
    },
    web::{Answer, Call, Dialect, Endpoint, call::call, endpoint::respond},
};
use actors::content::writes::assets::DeleteAsset;
use domain::{
    content::Right,
    shared::{AssetId, Fault, SpaceId},
};
use warp::Filter;

pub(super) fn route(content: &Content) -> Endpoint {
    let content = content.clone();
    member::<AssetId>("assets")
        .and(warp::delete())
        .and(call())
        .then(move |space, id, call: Call| respond(Dialect::Management, call.arrival, delete(content.clone(), space, id, call)))
        .boxed()
}

async fn delete(content: Content, space: SpaceId, id: AssetId, call: Call) -> Result<Answer, Fault> {
    let by = access::manager(&content, &call, space, Right::WriteContent).await?;
    call.query()?.only(&[])?;
    let gone = content.spaces.write(space, by, call.origin(), DeleteAsset(id)).await?;
    Answer::ok(&AssetView::of(&content.assets, &gone))
}
