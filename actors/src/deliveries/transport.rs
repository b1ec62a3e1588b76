//! The transport of deliveries: one request, one response. The real one is [`super::HttpTransport`]; tests
//! bring their own.

use bytes::Bytes;
use egress::guard::GuardRefusal;
use futures_util::future::BoxFuture;
use tokio::time::Instant;

/// What is sent, as `POST`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OutboundRequest {
    /// The URL of the receiver.
    pub url: String,
    /// Names in lower case.
    pub headers: Vec<(&'static str, String)>,
    /// The bytes, the same on each attempt.
    pub body: Bytes,
}

/// The response of the receiver.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct TransportResponse {
    pub status: u16,
    /// The header `Retry-After`, as it was sent.
    pub retry_after: Option<String>,
    /// The beginning of the body.
    pub body_snippet: Vec<u8>,
}

/// Why nothing came back. It tells the owner of a webhook nothing about the network behind the guard.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TransportError {
    /// No answer in time.
    TimedOut,
    /// The name does not resolve, the connection is refused, or it broke.
    Unreachable,
    /// The guard against requests to internal targets refused this one.
    Blocked,
}

/// Sends requests: no redirects, no proxy, a bounded response, the guard before each.
pub trait Transport: Send + Sync + 'static {
    /// Sends one request. The status has to be there by the deadline; the beginning of the body may take a
    /// moment longer.
    fn send(&self, request: OutboundRequest, deadline: Instant) -> BoxFuture<'_, Result<TransportResponse, TransportError>>;

    /// Whether a URL could be called at all. Nothing is resolved.
    fn check(&self, url: &str) -> Result<(), GuardRefusal>;
}
