//! What the owner of a space hears of by mail. Spaces belong to one service and mail to the other: so the
//! command of a space calls this within its transaction, and the row of the mail is committed with what it
//! tells of.

use domain::shared::{SpaceId, TokenKind};
use futures_util::future::BoxFuture;
use jiff::Timestamp;
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
    pub notices: Arc<dyn OwnerNotices>,
}

/// Where and when something happened.
#[derive(Debug, Clone, Copy)]
pub struct NoticeContext<'a> {
    pub space: SpaceId,
    pub space_name: &'a str,
    pub at: Timestamp,
}

/// The part of the service that mail belongs to. While mail is off it does nothing.
pub trait OwnerNotices: std::fmt::Debug + Send + Sync + 'static {
    /// Tells the owner of a space of a new token.
    fn token_made<'a>(
        &'a self,
        tx: &'a Tx<'_>,
        notice: &'a NewTokenNotice,
        occasion: NoticeContext<'a>,
    ) -> BoxFuture<'a, Result<()>>;
}

impl NewTokenNotice {
    /// Tells the owner.
    pub async fn send(&self, tx: &Tx<'_>, occasion: NoticeContext<'_>) -> Result<()> {
        self.notices.token_made(tx, self, occasion).await
    }
}
