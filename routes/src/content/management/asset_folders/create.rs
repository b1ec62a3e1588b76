//! `POST /api/v1/spaces/{space}/asset_folders` `{"asset_folder": {…}}`: 201 with the folder.

use super::view::FolderView;
use crate::{
    content::{
        Content,
        management::{access, collection, wrapper},
    },
    web::{Answer, Call, Dialect, Endpoint, body::DEFAULT_LIMIT, call::call, endpoint::respond},
};
use actors::content::writes::hierarchy::CreateNode;
use domain::{
    content::{Right, asset_folder::AssetFolderChange},
    shared::{Fault, SpaceId},
};
use warp::Filter;

pub(super) fn route(content: &Content) -> Endpoint {
    let content = content.clone();
    collection("asset_folders")
        .and(warp::post())
        .and(call())
        .then(move |space, call: Call| respond(Dialect::Management, call.arrival, create(content.clone(), space, call)))
        .boxed()
}

async fn create(content: Content, space: SpaceId, mut call: Call) -> Result<Answer, Fault> {
    let by = access::manager(&content, &call, space, Right::WriteContent).await?;
    call.query()?.only(&[])?;
    let change: AssetFolderChange = wrapper::read(&mut call, "asset_folder", DEFAULT_LIMIT).await?;
    let made = content.spaces.write(space, by, call.origin(), CreateNode(change)).await?;
    Answer::created(&wrapper::put("asset_folder", FolderView::of(&made)))
}
