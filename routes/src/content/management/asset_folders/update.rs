//! `PUT /api/v1/spaces/{space}/asset_folders/{id}` `{"asset_folder": {…}}`: 200 with the folder as it is now.
//!
//! What is not named stays. PATCH is the same, as on the hosted service.

use super::view::FolderView;
use crate::{
    content::{
        Content,
        management::{access, member, wrapper},
    },
    web::{ApiRequest, ApiResponse, Endpoint, ErrorFormat, body::DEFAULT_LIMIT, endpoint::respond, request::api_request},
};
use domain::{
    content::{Right, asset_folder::AssetFolderChange},
    shared::{AssetFolderId, Fault, SpaceId},
};
use services::content::hierarchy::UpdateNode;
use warp::Filter;

pub(super) fn route(content: &Content) -> Endpoint {
    let content = content.clone();
    member::<AssetFolderId>("asset_folders")
        .and(warp::put().or(warp::patch()).unify())
        .and(api_request())
        .then(move |space, id, request: ApiRequest| {
            respond(ErrorFormat::Management, request.meta, update(content.clone(), space, id, request))
        })
        .boxed()
}

async fn update(content: Content, space: SpaceId, id: AssetFolderId, mut request: ApiRequest) -> Result<ApiResponse, Fault> {
    let by = access::manager(&content, &request, space, Right::WriteContent).await?;
    request.query()?.only(&[])?;
    let change: AssetFolderChange = wrapper::read(&mut request, "asset_folder", DEFAULT_LIMIT).await?;
    let after = content.spaces.execute(space, by, request.origin(), UpdateNode { id, change }).await?;
    ApiResponse::ok(&wrapper::put("asset_folder", FolderView::of(&after)))
}
