//! An invitation to a space, as the page that its link leads to shows it.

use super::{MemberId, Role, SpaceId};

/// An invitation that can be taken.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SpaceInvitation {
    /// The id that the membership will have.
    pub id: MemberId,
    pub space: SpaceId,
    pub space_name: String,
    /// The account that takes it must have this address.
    pub email: String,
    pub role: Role,
    /// The name of the member who sent it; `None` when that account is gone, and for a token that acts for no
    /// person.
    pub inviter: Option<String>,
}
