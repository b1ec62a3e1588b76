//! Writes of folders of assets. Published reads do not see them.

use crate::content::{Desk, Write};
use domain::{
    content::{
        Changes,
        asset_folder::{AssetFolder, AssetFolderChange},
    },
    shared::{AssetFolderId, Fault},
};
use storage::content::asset_folders::{self, Filter, NewFolder};

/// Adds a folder.
pub struct CreateAssetFolder(pub AssetFolderChange);

impl Write for CreateAssetFolder {
    type Done = AssetFolder;

    const NAME: &'static str = "asset_folder.create";

    async fn run(&self, desk: &Desk<'_>) -> storage::Result<(AssetFolder, Changes)> {
        let all = all(desk).await?;
        let (name, parent) = self.0.apply(None, &all)?;
        let new = NewFolder { uuid: desk.entropy.uuid(), name, parent };
        let id = asset_folders::insert(desk.tx, desk.space, &new, desk.now).await?;
        finished(desk, id, "asset_folder.create").await
    }
}

/// Changes a folder.
pub struct UpdateAssetFolder {
    /// Which.
    pub id: AssetFolderId,
    /// What changes.
    pub change: AssetFolderChange,
}

impl Write for UpdateAssetFolder {
    type Done = AssetFolder;

    const NAME: &'static str = "asset_folder.update";

    async fn run(&self, desk: &Desk<'_>) -> storage::Result<(AssetFolder, Changes)> {
        let all = all(desk).await?;
        let old = all.iter().find(|it| it.id == self.id).ok_or_else(Fault::not_found)?;
        let (name, parent) = self.change.apply(Some(old), &all)?;
        asset_folders::update(desk.tx, desk.space, self.id, &name, parent, desk.now).await?;
        finished(desk, self.id, "asset_folder.update").await
    }
}

/// Removes a folder; what stands in it moves up to its parent.
pub struct DeleteAssetFolder(pub AssetFolderId);

impl Write for DeleteAssetFolder {
    type Done = AssetFolder;

    const NAME: &'static str = "asset_folder.delete";

    async fn run(&self, desk: &Desk<'_>) -> storage::Result<(AssetFolder, Changes)> {
        let gone = asset_folders::find(desk.tx, desk.space, self.0).await?.ok_or_else(Fault::not_found)?;
        asset_folders::delete(desk.tx, desk.space, self.0, desk.now).await?;
        let changes = Changes::audited("asset_folder.delete", "asset_folder", gone.id, gone.name.as_str());
        Ok((gone, changes))
    }
}

/// Every folder of the space. Two moves at once cannot close a circle: the space's row is locked for each write.
async fn all(desk: &Desk<'_>) -> storage::Result<Vec<AssetFolder>> {
    asset_folders::list(desk.tx, desk.space, &Filter::default()).await
}

async fn finished(desk: &Desk<'_>, id: AssetFolderId, action: &'static str) -> storage::Result<(AssetFolder, Changes)> {
    let after = asset_folders::find(desk.tx, desk.space, id).await?.ok_or_else(Fault::not_found)?;
    let changes = Changes::audited(action, "asset_folder", after.id, after.name.as_str());
    Ok((after, changes))
}
