//! Folders of assets.

use super::{
    access::Manager,
    envelope,
    paginate::{list_parameters, paginate},
    write_parameters::WriteParameters,
};
use crate::{
    content::Content,
    web::{ApiRequest, ApiResponse, Endpoints, ErrorFormat, body::DEFAULT_LIMIT},
};
use domain::{
    content::{
        Right,
        asset_folder::{AssetFolder, AssetFolderChange},
    },
    shared::{AssetFolderId, Fault},
};
use serde::Serialize;
use services::content::{
    asset_folders::DeleteAssetFolderTree,
    hierarchy::{CreateNode, DeleteNode, UpdateNode},
};
use storage::content::hierarchy::{self, ASSET_FOLDERS};
use uuid::Uuid;

const KEY: &str = "asset_folder";

/// The endpoints below `/api/v1/spaces/{space}/asset_folders`.
pub(super) fn endpoints(content: &Content) -> Endpoints<Content> {
    Endpoints::new(content, ErrorFormat::Management)
        .get("/api/v1/spaces/{space}/asset_folders", Right::Read, list)
        .post("/api/v1/spaces/{space}/asset_folders", Right::WriteContent, create)
        .get("/api/v1/spaces/{space}/asset_folders/{id}", Right::Read, read)
        .put("/api/v1/spaces/{space}/asset_folders/{id}", Right::WriteContent, update)
        .patch("/api/v1/spaces/{space}/asset_folders/{id}", Right::WriteContent, update)
        .delete("/api/v1/spaces/{space}/asset_folders/{id}", Right::WriteContent, delete)
}

/// 200 `{"asset_folders": […]}`. Filters: `search` (in the name), `with_parent` (a folder's number; 0 for the
/// top), `by_ids`, `by_uuids`.
async fn list(content: Content, caller: Manager, request: ApiRequest) -> Result<ApiResponse, Fault> {
    let query = list_parameters(&request, &["search", "with_parent", "by_ids[]", "by_uuids[]"])?;
    let filter = hierarchy::HierarchyFilter {
        search: query.search("search")?,
        with_parent: query.parsed("with_parent")?,
        ids: query.readable_list("by_ids"),
        uuids: query.readable_list("by_uuids"),
    };
    let connection = content.store.connection("asset_folder.list").await?;
    let found = paginate(&query, ASSET_FOLDERS.list(&connection, caller.space(), &filter).await?)?;
    let views: Vec<_> = found.items.iter().map(FolderView::of).collect();
    Ok(found.add_headers(ApiResponse::ok(&envelope::wrap("asset_folders", views))?))
}

/// 200 with the folder.
async fn read(content: Content, caller: Manager, id: AssetFolderId, request: ApiRequest) -> Result<ApiResponse, Fault> {
    request.query()?.only(&[])?;
    let connection = content.store.connection("asset_folder.find").await?;
    let folder = ASSET_FOLDERS.find(&connection, caller.space(), id).await?.ok_or_else(Fault::not_found)?;
    ApiResponse::ok(&envelope::wrap(KEY, FolderView::of(&folder)))
}

/// Of `{"asset_folder": {…}}`: 201 with the folder.
async fn create(content: Content, caller: Manager, mut request: ApiRequest) -> Result<ApiResponse, Fault> {
    request.query()?.only(&[])?;
    let change: AssetFolderChange = envelope::read(&mut request, KEY, DEFAULT_LIMIT).await?;
    let created = content.execute(&caller, CreateNode(change)).await?;
    ApiResponse::created(&envelope::wrap(KEY, FolderView::of(&created)))
}

/// Of `{"asset_folder": {…}}`: 200 with the folder as it is now. Members that are not named keep their
/// values, for PUT as for PATCH, as on Storyblok.
async fn update(content: Content, caller: Manager, id: AssetFolderId, mut request: ApiRequest) -> Result<ApiResponse, Fault> {
    request.query()?.only(&[])?;
    let change: AssetFolderChange = envelope::read(&mut request, KEY, DEFAULT_LIMIT).await?;
    let updated = content.execute(&caller, UpdateNode { id, change }).await?;
    ApiResponse::ok(&envelope::wrap(KEY, FolderView::of(&updated)))
}

/// 200 with the folder that was deleted. The assets and folders in it move up to its parent; with `recursive`
/// they are deleted as well, the assets to the trash.
async fn delete(content: Content, caller: Manager, id: AssetFolderId, request: ApiRequest) -> Result<ApiResponse, Fault> {
    let parameters = WriteParameters::of_query(&request, &["recursive"])?;
    let deleted = if parameters.switch("recursive")?.unwrap_or(false) {
        content.execute(&caller, DeleteAssetFolderTree(id)).await?
    } else {
        content.execute(&caller, DeleteNode(id)).await?
    };
    ApiResponse::ok(&envelope::wrap(KEY, FolderView::of(&deleted)))
}

/// A folder in Storyblok's shape.
#[derive(Serialize)]
struct FolderView<'a> {
    id: AssetFolderId,
    name: &'a str,
    uuid: Uuid,
    parent_id: Option<AssetFolderId>,
    parent_uuid: Option<Uuid>,
}

impl<'a> FolderView<'a> {
    fn of(folder: &'a AssetFolder) -> Self {
        let AssetFolder { id, uuid, name, parent_id, parent_uuid } = folder;
        Self { id: *id, name, uuid: *uuid, parent_id: *parent_id, parent_uuid: *parent_uuid }
    }
}
