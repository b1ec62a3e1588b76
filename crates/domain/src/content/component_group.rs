//! Groups of components: a tree of names. Components and whitelists name them by their UUIDs.

use super::hierarchy::{Node, NodeChange};
use crate::shared::GroupId;

/// A group as it is stored.
pub type ComponentGroup = Node<GroupId>;

/// What a caller sends, for a new group or a change.
pub type ComponentGroupChange = NodeChange<GroupId>;
