//! Mail: to the one server that takes all of ours, which the operator chose. The guard has no say in it.

mod greeting;
mod message;
mod smtp;
mod wire;

pub use smtp::{Login, Security, Settings, Smtp, Times};

pub use rustls::pki_types::CertificateDer;

use domain::{
    identity::{Email, letter::Sender, mailing::Trouble},
    shared::MailId,
};
use futures_util::future::BoxFuture;
use jiff::Timestamp;
use std::fmt;

/// A mail as it leaves. The same mail is the same bytes each time, so that a receiver can know a copy by its Message-ID.
#[derive(Clone)]
pub struct Message {
    /// Its Message-ID is made of it.
    pub id: MailId,
    /// From whom.
    pub from: Sender,
    /// To whom.
    pub to: Email,
    /// One line.
    pub subject: String,
    /// For who sees text.
    pub text: String,
    /// For who sees HTML.
    pub html: String,
    /// When it was written.
    pub at: Timestamp,
}

/// How far it came.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Stage {
    /// Name, connection.
    Connect,
    /// Encryption.
    Tls,
    /// The server's greeting and ours.
    Hello,
    /// User and password.
    Auth,
    /// From whom.
    From,
    /// To whom.
    Recipient,
    /// What.
    Content,
}

/// What a server answered.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Reply {
    /// Three digits.
    pub code: u16,
    /// One line, cut to a bearable length. It may name the recipient.
    pub text: String,
}

/// Why a mail did not leave.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Failure {
    /// What it means for this mail and for others.
    pub trouble: Trouble,
    /// Where it happened.
    pub stage: Stage,
    /// What the server answered, if it did.
    pub reply: Option<Reply>,
    /// What else is known.
    pub cause: String,
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.reply {
            Some(reply) => write!(f, "{:?}: {} {}", self.stage, reply.code, reply.text),
            None => write!(f, "{:?}: {}", self.stage, self.cause),
        }
    }
}

/// The way to a mail server.
pub trait Relay: Send + Sync + 'static {
    /// Opens a conversation: connected, encrypted as it must be, signed in.
    fn connect(&self) -> BoxFuture<'_, Result<Box<dyn Conversation>, Failure>>;
}

/// An open conversation with a mail server. Everything in it takes a bounded time.
pub trait Conversation: Send + Sync {
    /// Hands a mail over. When it is `Ok`, the server has taken it.
    fn send<'a>(&'a mut self, message: &'a Message) -> BoxFuture<'a, Result<(), Failure>>;

    /// Whether the server is still listening. Asks it.
    fn is_alive(&mut self) -> BoxFuture<'_, bool>;

    /// Whether another mail can be tried after the last one.
    fn is_usable(&self) -> bool;

    /// Says goodbye.
    fn close(self: Box<Self>) -> BoxFuture<'static, ()>;
}
