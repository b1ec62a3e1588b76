//! Folders of assets: a tree of names. URLs know nothing of them.

use super::hierarchy::{Node, NodeChange};
use crate::shared::AssetFolderId;

/// A folder as it is stored.
pub type AssetFolder = Node<AssetFolderId>;

/// The body of a request for a new folder or a change of one.
pub type AssetFolderChange = NodeChange<AssetFolderId>;
