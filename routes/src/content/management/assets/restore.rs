//! `POST /api/v1/spaces/{space}/assets/bulk_restore` `{"ids": […]}`: 200 with the assets that came back from the trash.

use super::view::AssetView;
use crate::{
    content::{
        Content,
        management::{access, below_space, wrapper},
    },
    web::{Answer, Call, Dialect, Endpoint, body::DEFAULT_LIMIT, call::call, endpoint::respond},
};
use actors::content::writes::assets::RestoreAssets;
use domain::{
    content::Right,
    shared::{AssetId, Fault, SpaceId},
};
use serde::Deserialize;
use warp::Filter;

/// The most that come back at once.
const MOST: usize = 100;

#[derive(Deserialize)]
struct Body {
    ids: Vec<AssetId>,
}

pub(super) fn route(content: &Content) -> Endpoint {
    let content = content.clone();
    below_space("assets")
        .and(warp::path("bulk_restore"))
        .and(warp::path::end())
        .and(warp::post())
        .and(call())
        .then(move |space, call: Call| respond(Dialect::Management, call.arrival, restore(content.clone(), space, call)))
        .boxed()
}

async fn restore(content: Content, space: SpaceId, mut call: Call) -> Result<Answer, Fault> {
    let by = access::manager(&content, &call, space, Right::WriteContent).await?;
    call.query()?.only(&[])?;
    let body: Body = call.json(DEFAULT_LIMIT).await?;
    if body.ids.len() > MOST {
        return Err(Fault::invalid("ids", "tooMany", format!("is too long (maximum is {MOST})")));
    }
    let back = content.spaces.write(space, by, call.origin(), RestoreAssets(body.ids)).await?;
    let views: Vec<_> = back.iter().map(|it| AssetView::of(&content.assets, it)).collect();
    Answer::ok(&wrapper::put("assets", views))
}
