//! `DELETE /api/v1/spaces/{space}/asset_folders/{id}`: 200 with the folder that was deleted. What stood in it, assets and folders, moves
//! up to its parent.

use super::view::FolderView;
use crate::{
    content::{
        Content,
        management::{access, member, wrapper},
    },
    web::{Answer, Call, Dialect, Endpoint, call::call, endpoint::respond},
};
use actors::content::writes::hierarchy::DeleteNode;
use domain::{
    content::Right,
    shared::{AssetFolderId, Fault, SpaceId},
};
use warp::Filter;

pub(super) fn route(content: &Content) -> Endpoint {
    let content = content.clone();
    member::<AssetFolderId>("asset_folders")
        .and(warp::delete())
        .and(call())
        .then(move |space, id, call: Call| respond(Dialect::Management, call.arrival, delete(content.clone(), space, id, call)))
        .boxed()
}

async fn delete(content: Content, space: SpaceId, id: AssetFolderId, call: Call) -> Result<Answer, Fault> {
    let by = access::manager(&content, &call, space, Right::WriteContent).await?;
    call.query()?.only(&[])?;
    let gone = content.spaces.write(space, by, call.origin(), DeleteNode(id)).await?;
    Answer::ok(&wrapper::put("asset_folder", FolderView::of(&gone)))
}
