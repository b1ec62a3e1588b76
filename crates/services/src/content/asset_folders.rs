//! The deletion of an asset folder with all that is below it.

use super::assets::all_audited;
use crate::content::command::{CommandContext, SpaceCommand};
use domain::{
    content::{
        Changes, Right,
        hierarchy::{Node, below},
    },
    shared::{AssetFolderId, Fault},
};
use storage::content::{
    assets,
    hierarchy::{ASSET_FOLDERS, HierarchyFilter},
};

/// Removes a folder and the folders below it, and moves the assets in them to the trash. Those that come back
/// from there are in the folder above.
pub struct DeleteAssetFolderTree(pub AssetFolderId);

impl SpaceCommand for DeleteAssetFolderTree {
    type Output = Node<AssetFolderId>;

    const NAME: &'static str = "asset_folder.delete_tree";

    const NEEDS: Right = Right::WriteContent;

    async fn run(&self, ctx: &CommandContext<'_>) -> storage::Result<(Node<AssetFolderId>, Changes)> {
        let all = ASSET_FOLDERS.list(ctx.tx, ctx.space, &HierarchyFilter::default()).await?;
        let deleted = all.iter().find(|folder| folder.id == self.0).cloned().ok_or_else(Fault::not_found)?;
        let tree = below(self.0, &all);
        let ids: Vec<i64> = tree.iter().map(|folder| folder.id.0).collect();
        let held = assets::ids_in_folders(ctx.tx, ctx.space, &ids).await?;
        let trashed = assets::set_all_deleted(ctx.tx, ctx.space, &held, Some(ctx.now)).await?;
        let mut changes = all_audited("asset.delete", &trashed);
        // From the bottom up: what a folder still holds moves to the one above it.
        for folder in tree.iter().rev() {
            ASSET_FOLDERS.delete(ctx.tx, ctx.space, folder.id, ctx.now).await?;
            changes = changes.and(Changes::audited("asset_folder.delete", "asset_folder", folder.id, folder.name.as_str()));
        }
        Ok((deleted, changes))
    }
}
