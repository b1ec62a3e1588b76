//! What administrators do with spaces. Administrators belong to one service and spaces to the other, and both
//! have an audit log: so the use case of the administrator opens the transaction and writes its entry, and
//! calls this within it for the part of the service that spaces belong to. It needs nothing but the database,
//! so a process that serves only accounts has it too.

use domain::shared::{Actor, Email, RequestOrigin, SpaceId, TokenId, TokenKind, UserId};
use futures_util::future::BoxFuture;
use jiff::Timestamp;
use storage::{Result, Tx};

/// An act of an administrator on a space.
#[derive(Debug, Clone)]
pub struct SpaceAct {
    pub space: SpaceId,
    pub by: ActBy,
}

/// Who does something to spaces from outside of them.
#[derive(Debug, Clone)]
pub struct ActBy {
    /// The person, as the audit log of the space names them.
    pub actor: Actor,
    pub origin: RequestOrigin,
    pub at: Timestamp,
}

/// A person who takes the invitation of a link.
#[derive(Debug, Clone)]
pub struct Joining {
    /// The hash of the link's token.
    pub hash: [u8; 32],
    pub user: UserId,
    /// The address of the account.
    pub email: Email,
    pub origin: RequestOrigin,
    pub at: Timestamp,
}

/// What came of it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum JoinOutcome {
    /// The person is a member of the space.
    Joined(SpaceId),
    /// The invitation is for another address. It can still be taken.
    OtherAccount,
    /// The invitation was taken or withdrawn, or has expired.
    Stale,
}

/// The part of the service that spaces belong to. 404 when there is no such space.
pub trait SpaceAdministration: Send + Sync + 'static {
    /// Gives a space without an owner this one. Returns whether that changed anything. 409 `spaceHasOwner`,
    /// `spaceDeleted`.
    fn give_owner<'a>(&'a self, tx: &'a Tx<'_>, act: &'a SpaceAct, owner: UserId) -> BoxFuture<'a, Result<bool>>;

    /// Revokes a token of the space. Returns whether there was such a valid one.
    fn revoke_token<'a>(&'a self, tx: &'a Tx<'_>, act: &'a SpaceAct, kind: TokenKind, id: TokenId) -> BoxFuture<'a, Result<bool>>;

    /// Revokes every management token that acts for a person, in all spaces. Returns how many they were.
    fn revoke_tokens_of<'a>(&'a self, tx: &'a Tx<'_>, by: &'a ActBy, person: UserId) -> BoxFuture<'a, Result<u64>>;

    /// Removes a person from all spaces, with every management token that acts for them. Returns how many
    /// tokens those were. A space that they own passes to the admin who has been one longest.
    fn leave_all<'a>(&'a self, tx: &'a Tx<'_>, by: &'a ActBy, person: UserId) -> BoxFuture<'a, Result<u64>>;

    /// Makes a person a member by an invitation.
    fn join<'a>(&'a self, tx: &'a Tx<'_>, joining: &'a Joining) -> BoxFuture<'a, Result<JoinOutcome>>;

    /// Brings a deleted space back. Returns whether that changed anything. 409 `graceOver`.
    fn undelete<'a>(&'a self, tx: &'a Tx<'_>, act: &'a SpaceAct) -> BoxFuture<'a, Result<bool>>;
}
