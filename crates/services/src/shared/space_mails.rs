//! The mails of spaces: what the owner of one hears of, and invitations. Spaces belong to one service and
//! mail to the other: so the command of a space calls this within its transaction, and the row of the mail is
//! committed with what it tells of.

use domain::shared::{Email, SpaceId, TokenKind, UserId};
use futures_util::future::BoxFuture;
use jiff::Timestamp;
use secrecy::SecretString;
use std::{net::IpAddr, sync::Arc};
use storage::{Result, Tx};

/// Who made a token.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum TokenMaker {
    /// A person in a session, by the `User-Agent` of the browser.
    Person(Option<String>),
    /// Another token, by its name.
    Token(String),
}

/// A token that acts for the owner of a space, or reads its drafts, and outlives every session.
#[derive(Debug, Clone)]
pub struct NewTokenNotice {
    pub kind: TokenKind,
    pub name: String,
    pub maker: TokenMaker,
    /// The address that the request came from.
    pub ip: IpAddr,
    /// How the owner is told.
    pub mails: Arc<dyn SpaceMails>,
}

/// An invitation to a space, for the mail with its link.
#[derive(Debug, Clone)]
pub struct InvitationMail {
    pub to: Email,
    /// The complete URL with its token, see [`SpaceMails::invitation_link`].
    pub link: SecretString,
    /// The member who invites; the mail is in their language.
    pub inviter: Option<UserId>,
    /// What stands in the place of their name where there is none: the name of a token.
    pub label: String,
}

/// Where and when something happened.
#[derive(Debug, Clone, Copy)]
pub struct NoticeContext<'a> {
    pub space: SpaceId,
    pub space_name: &'a str,
    pub at: Timestamp,
}

/// The part of the service that mail belongs to. While mail is off it does nothing.
pub trait SpaceMails: std::fmt::Debug + Send + Sync + 'static {
    /// Tells the owner of a space of a new token.
    fn token_made<'a>(
        &'a self,
        tx: &'a Tx<'_>,
        notice: &'a NewTokenNotice,
        occasion: NoticeContext<'a>,
    ) -> BoxFuture<'a, Result<()>>;

    /// The URL of the page that shows the invitation of a token.
    fn invitation_link(&self, token: &str) -> String;

    /// Mails an invitation. Returns whether it does: `false` while mail is off.
    fn invite<'a>(&'a self, tx: &'a Tx<'_>, mail: &'a InvitationMail, occasion: NoticeContext<'a>) -> BoxFuture<'a, Result<bool>>;
}

impl NewTokenNotice {
    /// Tells the owner.
    pub async fn send(&self, tx: &Tx<'_>, occasion: NoticeContext<'_>) -> Result<()> {
        self.mails.token_made(tx, self, occasion).await
    }
}
