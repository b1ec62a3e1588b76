//! `POST /api/v1/spaces/{space}/assets/bulk_restore` `{"ids": […]}`: 200 with the assets that came back from the trash.

use super::view::AssetView;
use crate::{
    content::{
        Content,
        management::{access, below_space, envelope},
    },
    web::{ApiRequest, ApiResponse, Endpoint, ErrorFormat, body::DEFAULT_LIMIT, endpoint::respond, request::api_request},
};
use domain::{
    content::Right,
    shared::{AssetId, Fault, SpaceId},
};
use serde::Deserialize;
use services::content::assets::RestoreAssets;
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
        .and(api_request())
        .then(move |space, request: ApiRequest| {
            respond(ErrorFormat::Management, request.meta, restore(content.clone(), space, request))
        })
        .boxed()
}

async fn restore(content: Content, space: SpaceId, mut request: ApiRequest) -> Result<ApiResponse, Fault> {
    let by = access::manager(&content, &request, space, Right::WriteContent).await?;
    request.query()?.only(&[])?;
    let body: Body = request.json(DEFAULT_LIMIT).await?;
    if body.ids.len() > MOST {
        return Err(Fault::invalid("ids", "tooMany", format!("is too long (maximum is {MOST})")));
    }
    let back = content.spaces.execute(space, by, request.origin(), RestoreAssets(body.ids)).await?;
    let views: Vec<_> = back.iter().map(|b| AssetView::of(&content.assets, b)).collect();
    ApiResponse::ok(&envelope::wrap("assets", views))
}
