//! `GET /api/v1/spaces/{space}/assets/{id}`: 200 with the asset, also one in the trash.

use super::view::AssetView;
use crate::{
    content::{
        Content,
        management::{access, member},
    },
    web::{ApiRequest, ApiResponse, Endpoint, ErrorFormat, endpoint::respond, request::api_request},
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
        .and(api_request())
        .then(move |space, id, request: ApiRequest| {
            respond(ErrorFormat::Management, request.meta, read(content.clone(), space, id, request))
        })
        .boxed()
}

async fn read(content: Content, space: SpaceId, id: AssetId, request: ApiRequest) -> Result<ApiResponse, Fault> {
    access::manager(&content, &request, space, Right::Read).await?;
    request.query()?.only(&[])?;
    let connection = content.store.connection("asset.find").await?;
    let found = assets::find(&connection, space, id).await?.ok_or_else(Fault::not_found)?;
    ApiResponse::ok(&AssetView::of(&content.assets, &found))
}
