//! `DELETE /api/v1/spaces/{space}/assets/{id}`: 200 with the asset, which is in the trash from then on, and not served. It can be restored for 90 days.

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
use services::content::assets::DeleteAsset;
use warp::Filter;

pub(super) fn route(content: &Content) -> Endpoint {
    let content = content.clone();
    member::<AssetId>("assets")
        .and(warp::delete())
        .and(api_request())
        .then(move |space, id, request: ApiRequest| {
            respond(ErrorFormat::Management, request.meta, delete(content.clone(), space, id, request))
        })
        .boxed()
}

async fn delete(content: Content, space: SpaceId, id: AssetId, request: ApiRequest) -> Result<ApiResponse, Fault> {
    let by = access::manager(&content, &request, space, Right::WriteContent).await?;
    request.query()?.only(&[])?;
    let gone = content.spaces.execute(space, by, request.origin(), DeleteAsset(id)).await?;
    ApiResponse::ok(&AssetView::of(&content.assets, &gone))
}
