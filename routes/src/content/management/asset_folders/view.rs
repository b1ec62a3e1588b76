//! A folder of assets in the hosted shape.

use domain::{content::asset_folder::AssetFolder, shared::AssetFolderId};
use serde::Serialize;
use uuid::Uuid;

/// What a caller sees of a folder.
#[derive(Serialize)]
pub(super) struct FolderView<'a> {
    id: AssetFolderId,
    name: &'a str,
    uuid: Uuid,
    parent_id: Option<AssetFolderId>,
    parent_uuid: Option<Uuid>,
}

impl<'a> FolderView<'a> {
    /// The view of a folder.
    pub(super) fn of(folder: &'a AssetFolder) -> Self {
        let AssetFolder { id, uuid, name, parent_id, parent_uuid } = folder;
        Self { id: *id, name, uuid: *uuid, parent_id: *parent_id, parent_uuid: *parent_uuid }
    }
}
