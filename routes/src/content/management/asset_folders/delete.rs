//! `DELETE /api/v1/spaces/{space}/asset_folders/{id}`: 200 with the folder that was deleted. What stood in it, assets and folders, moves
//! up to its parent.

use super::view::FolderView;
use crate::{
    content::{
        Content,
        management::{access, member, wrapper},
    },
    web::{ApiRequest, ApiResponse, Endpoint, ErrorFormat, endpoint::respond, request::api_request},
};
use domain::{
    content::Right,
    shared::{AssetFolderId, Fault, SpaceId},
};
use services::content::hierarchy::DeleteNode;
use warp::Filter;

pub(super) fn route(content: &Content) -> Endpoint {
    let content = content.clone();
    member::<AssetFolderId>("asset_folders")
        .and(warp::delete())
        .and(api_request())
        .then(move |space, id, request: ApiRequest| {
            respond(ErrorFormat::Management, request.meta, delete(content.clone(), space, id, request))
        })
        .boxed()
}

async fn delete(content: Content, space: SpaceId, id: AssetFolderId, request: ApiRequest) -> Result<ApiResponse, Fault> {
    let by = access::manager(&content, &request, space, Right::WriteContent).await?;
    request.query()?.only(&[])?;
    let gone = content.spaces.execute(space, by, request.origin(), DeleteNode(id)).await?;
    ApiResponse::ok(&wrapper::put("asset_folder", FolderView::of(&gone)))
}
