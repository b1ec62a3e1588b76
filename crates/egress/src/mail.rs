//! Sending mail over SMTP to the one server that the operator configured. The guard against internal
//! addresses does not apply to it.

mod message;
mod probe;
mod reply;
mod smtp;
mod starttls;
mod stream;

pub use probe::{Probe, ServerDescription, TlsFacts};
pub use smtp::{SmtpCredentials, SmtpSettings, SmtpTransport, Timeouts};

pub use rustls::pki_types::CertificateDer;

use domain::{
    identity::{Email, mail::Sender, mail_retry::SendError},
    shared::MailId,
};
use futures_util::future::BoxFuture;
use jiff::Timestamp;
use std::{fmt, time::Duration};

/// How the connection is protected.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Security {
    /// It starts in clear text and is upgraded to TLS before anything else is sent (RFC 3207). A server that
    /// does not offer STARTTLS gets no mail.
    StartTls,
    /// TLS from the first byte (RFC 8314).
    Implicit,
    None,
}

/// A mail ready to be sent. Its bytes are the same at every try, and its Message-ID is too, so that a
/// receiver can recognise a copy.
#[derive(Clone)]
pub struct Message {
    /// The id that the Message-ID is made of.
    pub id: MailId,
    /// The `From` header and the envelope sender.
    pub from: Sender,
    pub to: Email,
    /// The subject, one line.
    pub subject: String,
    /// The plain text alternative of the body.
    pub text: String,
    /// The HTML alternative of the body.
    pub html: String,
    /// The `Date` header: when the mail was written.
    pub at: Timestamp,
}

impl Message {
    /// The Message-ID header, in angle brackets.
    pub fn message_id(&self) -> String {
        let domain = self.from.address.as_str().rsplit('@').next().unwrap_or_default();
        format!("<{}@{domain}>", self.id)
    }
}

/// The stage of the SMTP exchange at which sending failed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Stage {
    /// Resolving the name and connecting.
    Connect,
    Tls,
    /// The server's greeting and `EHLO`.
    Hello,
    /// `AUTH`.
    Auth,
    /// `MAIL FROM`.
    From,
    /// `RCPT TO`.
    Recipient,
    /// `DATA` and the content.
    Content,
}

impl Stage {
    /// The SMTP command of the stage, or what comes before any.
    pub fn command(self) -> &'static str {
        match self {
            Self::Connect => "CONN",
            Self::Tls => "STARTTLS",
            Self::Hello => "EHLO",
            Self::Auth => "AUTH",
            Self::From => "MAIL FROM",
            Self::Recipient => "RCPT TO",
            Self::Content => "DATA",
        }
    }
}

/// A reply of the server.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Reply {
    pub code: u16,
    /// The text on one line, shortened. It may name the recipient.
    pub text: String,
}

/// Why a mail could not be sent.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Failure {
    /// What the failure means for this mail and for others.
    pub error: SendError,
    /// The stage at which it happened.
    pub stage: Stage,
    /// The server's reply, if the failure is one.
    pub reply: Option<Reply>,
    /// The cause where there is no reply.
    pub cause: String,
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.reply {
            Some(Reply { code, text }) if text.is_empty() => write!(f, "{:?}: {code}", self.stage),
            Some(reply) => write!(f, "{:?}: {} {}", self.stage, reply.code, reply.text),
            None => write!(f, "{:?}: {}", self.stage, self.cause),
        }
    }
}

/// Opens connections to a mail server.
pub trait MailTransport: Send + Sync + 'static {
    /// Connects, encrypts as configured, and authenticates.
    fn connect(&self) -> BoxFuture<'_, Result<Box<dyn MailConnection>, Failure>>;

    /// Does the same, says what it saw, and ends the session. After `patience` it gives up, and says how far
    /// it came.
    fn probe(&self, patience: Duration) -> BoxFuture<'_, Probe>;

    /// The server as it is configured.
    fn describe(&self) -> ServerDescription;
}

/// An open SMTP session. Each operation takes a bounded time.
pub trait MailConnection: Send + Sync {
    /// Sends a mail. `Ok` means that the server has accepted it.
    fn send<'a>(&'a mut self, message: &'a Message) -> BoxFuture<'a, Result<(), Failure>>;

    /// Whether the server still answers (`NOOP`).
    fn is_alive(&mut self) -> BoxFuture<'_, bool>;

    /// Whether another mail can be sent after the last one.
    fn is_usable(&self) -> bool;

    /// Ends the session (`QUIT`).
    fn close(self: Box<Self>) -> BoxFuture<'static, ()>;
}
