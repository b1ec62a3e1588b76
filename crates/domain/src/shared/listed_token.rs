//! Tokens as a list of them shows them, to people who administer them without working in their spaces: those
//! that act for a person or a program, and those that read drafts.

use super::{SpaceId, TokenId, UserId};
use jiff::Timestamp;
use strum::{EnumString, IntoStaticStr};
/// What a token opens. Its name is on the wire.
#[derive(Debug, Clone, Copy, PartialEq, Eq, EnumString, IntoStaticStr)]
#[strum(const_into_str, serialize_all = "lowercase")]
pub enum TokenKind {
    Management,
    /// The Delivery API, drafts included.
    Delivery,
}

/// Which tokens are wanted; `None` stands for all.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct TokenFilter {
    /// Those that act for a person.
    pub user: Option<UserId>,
    /// Whether they act for no account: it was deleted, the command line made them, or they only read.
    pub is_without_person: Option<bool>,
}

/// A token of a list, without its secret.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ListedToken {
    pub kind: TokenKind,
    /// Its number, among those of its kind.
    pub id: TokenId,
    pub space: SpaceId,
    /// The name of the space.
    pub space_name: String,
    pub name: String,
    /// The role of a management token; `preview` or `private` of a delivery token.
    pub access: String,
    /// The person for whom it acts, with their address.
    pub user: Option<(UserId, String)>,
    /// Whether it opens nothing now, because that person is suspended.
    pub is_suspended: bool,
    /// The time of its creation.
    pub created_at: Timestamp,
    /// The time of its last use, to the minute; `None` where that is not known.
    pub last_used_at: Option<Timestamp>,
}

#[cfg(test)]
mod tests {
    use super::TokenKind;

    #[test]
    fn a_kind_is_found_by_its_name() {
        for kind in [TokenKind::Management, TokenKind::Delivery] {
            assert_eq!(kind.into_str().parse(), Ok(kind));
        }
        assert!("Management".parse::<TokenKind>().is_err());
    }
}
