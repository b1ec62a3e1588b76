//! HTTP requests to targets that the guard allows.
//!
//! Each request has a connection of its own, to an address that was just checked; the host name appears only
//! in `Host` and in the TLS handshake. Proxies of the environment, cookies, redirects, content codings and
//! connection reuse are not supported. No task is spawned: dropping the response closes the connection.

mod body;

use crate::{
    dial,
    dns::DnsError,
    guard::{Guard, GuardRefusal, Host, OutboundTarget, ResolveError, Scheme},
    tls,
};
use body::Exchange;
use bytes::Bytes;
use futures_util::future::BoxFuture;
use http::{HeaderMap, HeaderValue, Method, Request, StatusCode, header};
use http_body_util::Full;
use hyper::client::conn::http1;
use hyper_util::rt::TokioIo;
use rustls::{ClientConfig, RootCertStore, pki_types::ServerName};
use std::{io, sync::Arc};
use tokio::time::{Instant, timeout_at};

pub use body::{Body, BodyEnd};

/// The largest head of a response: its header lines and its bytes.
const MAX_HEADERS: usize = 100;
const MAX_HEAD_BYTES: usize = 64 * 1024;
/// The `User-Agent` of requests that set none.
const USER_AGENT: HeaderValue = HeaderValue::from_static("lectern");

/// Why there is no response, or only a part of one.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum HttpError {
    /// The guard refuses the target. The user who gave the URL sees
    /// [`domain::shared::FieldCode::BlockedTarget`] and nothing else.
    #[error("the target is blocked")]
    Blocked(GuardRefusal),
    /// The host name could not be resolved.
    #[error("{0}")]
    Dns(#[from] DnsError),
    /// No address of the host accepts a connection.
    #[error("the host cannot be reached")]
    Unreachable,
    /// The TLS handshake failed, most often because the certificate is for another name or of an unknown
    /// authority.
    #[error("no secure connection could be made")]
    Tls,
    #[error("the host did not answer in time")]
    TimedOut,
    /// The connection was closed before the response was complete.
    #[error("the connection ended before the answer did")]
    Interrupted,
    /// The response is no HTTP, or its head is too large.
    #[error("the answer could not be read")]
    Unreadable,
    /// The body is larger than the caller's limit.
    #[error("the answer is too large")]
    TooLarge,
    /// The body has a content coding, although the request asked for none.
    #[error("the answer is compressed although that was not asked for")]
    Encoded,
    /// There are more redirects than the caller's limit.
    #[error("the answer leads elsewhere too often")]
    Redirects,
}

impl From<ResolveError> for HttpError {
    fn from(why: ResolveError) -> Self {
        match why {
            ResolveError::Refused(refusal) => Self::Blocked(refusal),
            ResolveError::Dns(why) => Self::Dns(why),
        }
    }
}

/// A request.
#[derive(Debug, Clone, Default)]
pub struct HttpRequest {
    pub method: Method,
    /// Headers other than `Host`, `Accept-Encoding`, `Connection` and `Content-Length`, which the client
    /// sets.
    pub headers: HeaderMap,
    pub body: Bytes,
}

/// The head of a response, and the body, which is still to be read.
#[derive(Debug)]
pub struct HttpResponse {
    /// The status. Redirects are returned like any other response.
    pub status: StatusCode,
    pub headers: HeaderMap,
    pub body: Body,
}

/// The client. Cheap to clone.
#[derive(Clone)]
pub struct GuardedClient {
    guard: Arc<Guard>,
    tls: Arc<ClientConfig>,
}

impl GuardedClient {
    /// A client that trusts these root certificates. The error is a sentence.
    pub fn new(guard: Arc<Guard>, roots: RootCertStore) -> Result<Self, String> {
        Ok(Self { guard, tls: tls::client(roots, &[b"http/1.1"])? })
    }

    /// The guard that checks targets.
    pub fn guard(&self) -> &Guard {
        &self.guard
    }

    /// Resolves and checks the target, connects, sends the request, and reads the head of the response, all
    /// before the deadline. The same deadline holds for the body until [`Body::until`] sets another one.
    pub fn send<'a>(
        &'a self,
        target: &'a OutboundTarget,
        call: HttpRequest,
        deadline: Instant,
    ) -> BoxFuture<'a, Result<HttpResponse, HttpError>> {
        Box::pin(async move { timeout_at(deadline, self.exchange(target, call, deadline)).await.map_err(|_| HttpError::TimedOut)? })
    }

    async fn exchange(&self, target: &OutboundTarget, call: HttpRequest, deadline: Instant) -> Result<HttpResponse, HttpError> {
        let stream = self.connect(target).await?;
        let request = request(target, call)?;
        let mut builder = http1::Builder::new();
        builder.max_headers(MAX_HEADERS).max_buf_size(MAX_HEAD_BYTES);
        let (mut sender, connection) = builder.handshake(TokioIo::new(stream)).await.map_err(|error| classify(&error))?;
        let mut exchange = Exchange::new(connection);
        let response = exchange.drive(sender.send_request(request)).await.map_err(|error| classify(&error))?;
        let (head, body) = response.into_parts();
        Ok(HttpResponse { status: head.status, headers: head.headers, body: Body::new(exchange, body, deadline) })
    }

    async fn connect(&self, target: &OutboundTarget) -> Result<dial::Stream, HttpError> {
        let checked = self.guard.resolve(target).await?;
        let stream = dial::tcp(checked.addresses()).await.map_err(|_| HttpError::Unreachable)?;
        let name = match target.scheme() {
            Scheme::Http => return Ok(dial::Stream::Plain(stream)),
            Scheme::Https => match target.host() {
                Host::Name(name) => ServerName::try_from(name.clone()).map_err(|_| HttpError::Tls)?,
                Host::Address(address) => ServerName::IpAddress((*address).into()),
            },
        };
        dial::tls(stream, self.tls.clone(), name).await.map_err(|_| HttpError::Tls)
    }
}

fn request(target: &OutboundTarget, call: HttpRequest) -> Result<Request<Full<Bytes>>, HttpError> {
    let mut request = Request::new(Full::new(call.body));
    *request.method_mut() = call.method;
    *request.uri_mut() = target.path().parse().map_err(|_| HttpError::Blocked(GuardRefusal::Form))?;
    let headers = request.headers_mut();
    *headers = call.headers;
    headers.entry(header::USER_AGENT).or_insert(USER_AGENT);
    headers.insert(header::ACCEPT_ENCODING, HeaderValue::from_static("identity"));
    headers.insert(header::CONNECTION, HeaderValue::from_static("close"));
    let host = HeaderValue::try_from(target.authority()).map_err(|_| HttpError::Blocked(GuardRefusal::Form))?;
    headers.insert(header::HOST, host);
    Ok(request)
}

/// Classifies an error of hyper.
fn classify(error: &hyper::Error) -> HttpError {
    let is_cut = error.is_incomplete_message() || error.is_closed() || error.is_canceled();
    if is_cut || std::error::Error::source(error).is_some_and(<dyn std::error::Error>::is::<io::Error>) {
        HttpError::Interrupted
    } else {
        HttpError::Unreadable
    }
}
