//! Spaces as a list of them shows them, to people who administer them without working in them.

use super::{SpaceId, UserId};
use jiff::Timestamp;

/// Which spaces are wanted; `None` stands for both kinds.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct SpaceFilter {
    /// A part of the name, as a pattern of LIKE in which the characters of the text stand for themselves.
    pub name_pattern: Option<String>,
    /// Whether they have no owner.
    pub is_orphaned: Option<bool>,
    /// Whether they are deleted.
    pub is_deleted: Option<bool>,
}

/// A space of a list.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ListedSpace {
    pub id: SpaceId,
    pub name: String,
    /// The owner with their address; `None` when the account was deleted, and for a space of the command
    /// line.
    pub owner: Option<(UserId, String)>,
    /// The number of stories that are not deleted, without folders.
    pub stories: i64,
    /// The number of assets that are not in the trash.
    pub assets: i64,
    /// The size of their files, in bytes.
    pub asset_bytes: i64,
    /// The time of its creation.
    pub created_at: Timestamp,
    /// The time of the last change in it, or of its settings.
    pub changed_at: Timestamp,
    /// The time of its deletion.
    pub deleted_at: Option<Timestamp>,
}
