//! `GET /api/v1/spaces/{space}/assets/{id}`: 200 with the asset, also one in the trash.

use super::view::AssetView;
use crate::{
    content::{
        Content,
        management::{access, member},
    },
    web::{Answer, Call, Dialect, Endpoint, call::call, endpoint::respond},
};
use domain::{
    content::Right,
    shared::{AssetId, Fault, SpaceId},
};
use storage::content::assets;
use warp::Filter;

pub(super) fn route(content: &Content) -> Endpoint {
    let content = content.clone();
    member::<AssetId>("assets")
        .and(warp::get())
        .and(call())
        .then(move |space, id, call: Call| respond(Dialect::Management, call.arrival, read(content.clone(), space, id, call)))
        .boxed()
}

async fn read(content: Content, space: SpaceId, id: AssetId, call: Call) -> Result<Answer, Fault> {
    access::manager(&content, &call, space, Right::Read).await?;
    call.query()?.only(&[])?;
    let session = content.store.read("asset.find").await?;
    let found = assets::find(&session, space, id).await?.ok_or_else(Fault::not_found)?;
    Answer::ok(&AssetView::of(&content.assets, &found))
}
