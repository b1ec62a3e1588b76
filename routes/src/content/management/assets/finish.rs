//! `GET /api/v1/spaces/{space}/assets/{id}/finish_upload`: the third step, 200 with the asset. Hosted clients take it as GET, so HEAD is
//! refused. Done again, it answers the same.

use super::view::AssetView;
use crate::{
    content::{
        Content,
        management::{access, below_space},
    },
    web::{Answer, Call, Dialect, Endpoint, call::call, endpoint::respond, path::segment},
};
use actors::content::writes::assets::FinishUpload;
use domain::{
    content::Right,
    shared::{AssetId, Fault, SpaceId},
};
use warp::Filter;

pub(super) fn route(content: &Content) -> Endpoint {
    let content = content.clone();
    below_space("assets")
        .and(segment::<AssetId>())
        .and(warp::path("finish_upload"))
        .and(warp::path::end())
        .and(warp::get())
        .and(call())
        .then(move |space, id, call: Call| respond(Dialect::Management, call.arrival, finish(content.clone(), space, id, call)))
        .boxed()
}

async fn finish(content: Content, space: SpaceId, id: AssetId, call: Call) -> Result<Answer, Fault> {
    call.refuse_head()?;
    let by = access::manager(&content, &call, space, Right::WriteContent).await?;
    call.query()?.only(&[])?;
    let done = content.spaces.write(space, by, call.origin(), FinishUpload(id)).await?;
    Answer::ok(&AssetView::of(&content.assets, &done))
}
