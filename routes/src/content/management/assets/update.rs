//! `PATCH` or `PUT /api/v1/spaces/{space}/assets/{id}` `{"asset": {…}}`: 204, as on the hosted service. What is not named stays.

use crate::{
    content::{
        Content,
        management::{access, envelope, member},
    },
    web::{ApiRequest, ApiResponse, Endpoint, ErrorFormat, body::DEFAULT_LIMIT, endpoint::respond, request::api_request},
};
use domain::{
    content::{Right, asset::AssetChange},
    shared::{AssetId, Fault, SpaceId},
};
use serde_json::{Map, Value};
use services::content::assets::UpdateAsset;
use warp::Filter;

pub(super) fn route(content: &Content) -> Endpoint {
    let content = content.clone();
    member::<AssetId>("assets")
        .and(warp::put().or(warp::patch()).unify())
        .and(api_request())
        .then(move |space, id, request: ApiRequest| {
            respond(ErrorFormat::Management, request.meta, update(content.clone(), space, id, request))
        })
        .boxed()
}

async fn update(content: Content, space: SpaceId, id: AssetId, mut request: ApiRequest) -> Result<ApiResponse, Fault> {
    let by = access::manager(&content, &request, space, Right::WriteContent).await?;
    request.query()?.only(&[])?;
    let sent: Map<String, Value> = envelope::read(&mut request, "asset", DEFAULT_LIMIT).await?;
    let write = UpdateAsset { id, change: AssetChange::of(&sent) };
    content.spaces.execute(space, by, request.origin(), write).await?;
    Ok(ApiResponse::empty())
}
