//! `GET /api/v1/spaces/{space}/asset_folders/{id}`.

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
use storage::content::hierarchy::ASSET_FOLDERS;
use warp::Filter;

pub(super) fn route(content: &Content) -> Endpoint {
    let content = content.clone();
    member::<AssetFolderId>("asset_folders")
        .and(warp::get())
        .and(api_request())
        .then(move |space, id, request: ApiRequest| {
            respond(ErrorFormat::Management, request.meta, read(content.clone(), space, id, request))
        })
        .boxed()
}

async fn read(content: Content, space: SpaceId, id: AssetFolderId, request: ApiRequest) -> Result<ApiResponse, Fault> {
    access::manager(&content, &request, space, Right::Read).await?;
    request.query()?.only(&[])?;
    let connection = content.store.connection("asset_folder.find").await?;
    let found = ASSET_FOLDERS.find(&connection, space, id).await?.ok_or_else(Fault::not_found)?;
    ApiResponse::ok(&wrapper::put("asset_folder", FolderView::of(&found)))
}
