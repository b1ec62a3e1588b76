//! A space as its members see it in the list of theirs.

use super::{Role, SpaceId};
use jiff::Timestamp;

/// A space that a person is a member of.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MemberSpace {
    pub id: SpaceId,
    pub name: String,
    /// The role of the person.
    pub role: Role,
    /// The time of the last change in it, or of its settings.
    pub changed_at: Timestamp,
}
