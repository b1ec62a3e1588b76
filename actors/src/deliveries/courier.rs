//! The way out: one parcel, one answer. The real one goes through the guarded client; tests bring their own.

use futures_util::future::BoxFuture;
use tokio::time::Instant;

/// What is sent, as `POST`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Parcel {
    /// Where it goes.
    pub url: String,
    /// Names in lower case.
    pub headers: Vec<(&'static str, String)>,
    /// The bytes.
    pub body: Vec<u8>,
}

/// What came back.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Answer {
    /// The status.
    pub status: u16,
    /// The header `Retry-After`, as it was sent.
    pub retry_after: Option<String>,
    /// A piece of the body.
    pub piece: Vec<u8>,
}

/// Why nothing came back. It says no more than a stranger may know.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Failure {
    /// No answer in time.
    TimedOut,
    /// No name, no connection, or one that broke.
    Unreachable,
    /// The guard refused the target.
    Blocked,
}

/// Puts parcels on the wire: no redirects, no proxy, a bounded answer, the guard before each.
pub trait Courier: Send + Sync + 'static {
    /// Sends one. Until the deadline the status has to be there; the piece of the body may take a moment more.
    fn send(&self, parcel: Parcel, deadline: Instant) -> BoxFuture<'_, Result<Answer, Failure>>;

    /// Whether a URL could be called at all. Nothing is asked of the network.
    fn allows(&self, url: &str) -> bool;
}
