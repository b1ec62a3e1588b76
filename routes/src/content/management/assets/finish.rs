//! `GET /api/v1/spaces/{space}/assets/{id}/finish_upload`: the third step, 200 with the asset. Hosted clients take it as GET, so HEAD is
//! refused. Done again, it answers the same.

use super::view::AssetView;
use crate::{
    content::{
        Content,
        management::{access, below_space},
    },
    web::{ApiRequest, ApiResponse, Endpoint, ErrorFormat, endpoint::respond, path::segment, request::api_request},
};
use domain::{
    content::Right,
    shared::{AssetId, Fault, SpaceId},
};
use services::content::assets::FinishUpload;
use warp::Filter;

pub(super) fn route(content: &Content) -> Endpoint {
    let content = content.clone();
    below_space("assets")
        .and(segment::<AssetId>())
        .and(warp::path("finish_upload"))
        .and(warp::path::end())
        .and(warp::get())
        .and(api_request())
        .then(move |space, id, request: ApiRequest| {
            respond(ErrorFormat::Management, request.meta, finish(content.clone(), space, id, request))
        })
        .boxed()
}

async fn finish(content: Content, space: SpaceId, id: AssetId, request: ApiRequest) -> Result<ApiResponse, Fault> {
    request.refuse_head()?;
    let by = access::manager(&content, &request, space, Right::WriteContent).await?;
    request.query()?.only(&[])?;
    let done = content.spaces.execute(space, by, request.origin(), FinishUpload(id)).await?;
    ApiResponse::ok(&AssetView::of(&content.assets, &done))
}
