//! Folders of assets: a tree of names. URLs know nothing of them.

use super::hierarchy::{Node, NodeChange};
use crate::shared::AssetFolderId;

/// A folder as it is stored.
pub type AssetFolder = Node<AssetFolderId>;

/// What a caller sends, for a new folder or a change.
pub type AssetFolderChange = NodeChange<AssetFolderId>;
