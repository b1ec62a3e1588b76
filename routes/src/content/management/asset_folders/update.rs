//! `PUT /api/v1/spaces/{space}/asset_folders/{id}` `{"asset_folder": {…}}`: 200 with the folder as it is now.
//!
//! What is not named stays. PATCH is the same, as on the hosted service.

use super::view::FolderView;
use crate::{
    content::{
        Content,
        management::{access, member, wrapper},
    },
    web::{Answer, Call, Dialect, Endpoint, body::DEFAULT_LIMIT, call::call, endpoint::respond},
};
use actors::content::writes::hierarchy::UpdateNode;
use domain::{
    content::{Right, asset_folder::AssetFolderChange},
    shared::{AssetFolderId, Fault, SpaceId},
};
use warp::Filter;

pub(super) fn route(content: &Content) -> Endpoint {
    let content = content.clone();
    member::<AssetFolderId>("asset_folders")
        .and(warp::put().or(warp::patch()).unify())
        .and(call())
        .then(move |space, id, call: Call| respond(Dialect::Management, call.arrival, update(content.clone(), space, id, call)))
        .boxed()
}

async fn update(content: Content, space: SpaceId, id: AssetFolderId, mut call: Call) -> Result<Answer, Fault> {
    let by = access::manager(&content, &call, space, Right::WriteContent).await?;
    call.query()?.only(&[])?;
    let change: AssetFolderChange = wrapper::read(&mut call, "asset_folder", DEFAULT_LIMIT).await?;
    let after = content.spaces.write(space, by, call.origin(), UpdateNode { id, change }).await?;
    Answer::ok(&wrapper::put("asset_folder", FolderView::of(&after)))
}
