//! `POST /api/v1/spaces/{space}/asset_folders` `{"asset_folder": {…}}`: 201 with the folder.

use super::view::FolderView;
use crate::{
    content::{
        Content,
        management::{access, collection, wrapper},
    },
    web::{ApiRequest, ApiResponse, Endpoint, ErrorFormat, body::DEFAULT_LIMIT, endpoint::respond, request::api_request},
};
use domain::{
    content::{Right, asset_folder::AssetFolderChange},
    shared::{Fault, SpaceId},
};
use services::content::hierarchy::CreateNode;
use warp::Filter;

pub(super) fn route(content: &Content) -> Endpoint {
    let content = content.clone();
    collection("asset_folders")
        .and(warp::post())
        .and(api_request())
        .then(move |space, request: ApiRequest| {
            respond(ErrorFormat::Management, request.meta, create(content.clone(), space, request))
        })
        .boxed()
}

async fn create(content: Content, space: SpaceId, mut request: ApiRequest) -> Result<ApiResponse, Fault> {
    let by = access::manager(&content, &request, space, Right::WriteContent).await?;
    request.query()?.only(&[])?;
    let change: AssetFolderChange = wrapper::read(&mut request, "asset_folder", DEFAULT_LIMIT).await?;
    let made = content.spaces.execute(space, by, request.origin(), CreateNode(change)).await?;
    ApiResponse::created(&wrapper::put("asset_folder", FolderView::of(&made)))
}
