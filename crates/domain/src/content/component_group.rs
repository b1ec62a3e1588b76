//! Groups of components: a tree of names. Components and whitelists name them by their UUIDs.

use super::hierarchy::{Node, NodeChange};
use crate::shared::GroupId;

/// A group as it is stored.
pub type ComponentGroup = Node<GroupId>;

/// The body of a request for a new group or a change of one.
pub type ComponentGroupChange = NodeChange<GroupId>;
