//! HTTP to a target that the guard has let pass.
//!
//! One request on a connection of its own, to an address that was checked a moment before; the name appears in `Host` and in the
//! TLS handshake only. No proxy of the environment, no cookie, no redirect, no coding of bodies, no reuse of connections. Nothing
//! runs beside the caller: dropping the answer closes the connection.

mod body;

use crate::{
    dial,
    dns::Unresolved,
    guard::{Guard, Host, Refusal, Scheme, Target, Undialled},
    tls,
};
use body::Exchange;
use bytes::Bytes;
use http::{HeaderMap, HeaderValue, Method, Request, StatusCode, header};
use http_body_util::Full;
use hyper::client::conn::http1;
use hyper_util::rt::TokioIo;
use rustls::{ClientConfig, RootCertStore, pki_types::ServerName};
use std::{io, sync::Arc};
use tokio::time::{Instant, timeout_at};

pub use body::{Body, Ended};

/// The most an answer's head may have.
const HEADERS: usize = 100;
const HEAD: usize = 64 * 1024;
/// Who asks, when the caller does not say.
const AGENT: HeaderValue = HeaderValue::from_static("lectern");

/// Why there is no answer, or only a piece of one.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum Failure {
    /// The guard forbids it. Who gave the URL is told [`crate::guard::BLOCKED`] and nothing else.
    #[error("the target is blocked")]
    Blocked(Refusal),
    /// The name leads nowhere.
    #[error("{0}")]
    Unresolved(#[from] Unresolved),
    /// Nobody answers at its addresses.
    #[error("the host cannot be reached")]
    Unreachable,
    /// TLS failed: most often the certificate is not for this name, or nobody known vouches for it.
    #[error("no secure connection could be made")]
    Tls,
    /// It took too long.
    #[error("the host did not answer in time")]
    Late,
    /// The connection ended in the middle.
    #[error("the connection ended before the answer did")]
    Cut,
    /// The answer is no HTTP, or its head is too large.
    #[error("the answer could not be read")]
    Unreadable,
    /// The body is larger than the caller wants.
    #[error("the answer is too large")]
    TooLarge,
    /// The body is coded although that was not asked for.
    #[error("the answer is compressed although that was not asked for")]
    Coded,
    /// It leads on and on.
    #[error("the answer leads elsewhere too often")]
    Redirects,
}

impl From<Undialled> for Failure {
    fn from(why: Undialled) -> Self {
        match why {
            Undialled::Refused(refusal) => Self::Blocked(refusal),
            Undialled::Unresolved(why) => Self::Unresolved(why),
        }
    }
}

/// What is sent.
#[derive(Debug, Clone, Default)]
pub struct Call {
    /// How.
    pub method: Method,
    /// Beside `Host`, `Accept-Encoding` and `Content-Length`, which are ours.
    pub headers: HeaderMap,
    /// The body.
    pub body: Bytes,
}

/// The head of an answer, and the body that is still to come.
#[derive(Debug)]
pub struct Answer {
    /// The status; a redirect is an answer like any other.
    pub status: StatusCode,
    /// The headers.
    pub headers: HeaderMap,
    /// The body.
    pub body: Body,
}

/// The client. Cheap to clone.
#[derive(Clone)]
pub struct Client {
    guard: Arc<Guard>,
    tls: Arc<ClientConfig>,
}

impl Client {
    /// A client that trusts these roots. The error is a sentence.
    pub fn new(guard: Arc<Guard>, roots: RootCertStore) -> Result<Self, String> {
        Ok(Self { guard, tls: tls::client(roots, &[b"http/1.1"])? })
    }

    /// Who says what may be called.
    pub fn guard(&self) -> &Guard {
        &self.guard
    }

    /// Resolves, checks, connects, sends, and reads the head of the answer: all of it before the deadline, which holds for the body
    /// as well until [`Body::until`] moves it.
    pub async fn send(&self, target: &Target, call: Call, deadline: Instant) -> Result<Answer, Failure> {
        timeout_at(deadline, self.exchange(target, call, deadline)).await.map_err(|_| Failure::Late)?
    }

    async fn exchange(&self, target: &Target, call: Call, deadline: Instant) -> Result<Answer, Failure> {
        let stream = self.connect(target).await?;
        let request = request(target, call)?;
        let mut builder = http1::Builder::new();
        builder.max_headers(HEADERS).max_buf_size(HEAD);
        let (mut sender, connection) = builder.handshake(TokioIo::new(stream)).await.map_err(|error| failure(&error))?;
        let mut exchange = Exchange::new(connection);
        let response = exchange.drive(sender.send_request(request)).await.map_err(|error| failure(&error))?;
        let (head, body) = response.into_parts();
        Ok(Answer { status: head.status, headers: head.headers, body: Body::new(exchange, body, deadline) })
    }

    async fn connect(&self, target: &Target) -> Result<dial::Stream, Failure> {
        let checked = self.guard.resolve(target).await?;
        let stream = dial::tcp(checked.addresses()).await.map_err(|_| Failure::Unreachable)?;
        let name = match target.scheme() {
            Scheme::Http => return Ok(dial::Stream::Plain(stream)),
            Scheme::Https => match target.host() {
                Host::Name(name) => ServerName::try_from(name.clone()).map_err(|_| Failure::Tls)?,
                Host::Address(address) => ServerName::IpAddress((*address).into()),
            },
        };
        dial::tls(stream, self.tls.clone(), name).await.map_err(|_| Failure::Tls)
    }
}

fn request(target: &Target, call: Call) -> Result<Request<Full<Bytes>>, Failure> {
    let mut request = Request::new(Full::new(call.body));
    *request.method_mut() = call.method;
    *request.uri_mut() = target.path().parse().map_err(|_| Failure::Blocked(Refusal::Form))?;
    let headers = request.headers_mut();
    *headers = call.headers;
    headers.entry(header::USER_AGENT).or_insert(AGENT);
    headers.insert(header::ACCEPT_ENCODING, HeaderValue::from_static("identity"));
    headers.insert(header::CONNECTION, HeaderValue::from_static("close"));
    let host = HeaderValue::try_from(target.authority()).map_err(|_| Failure::Blocked(Refusal::Form))?;
    headers.insert(header::HOST, host);
    Ok(request)
}

/// What an error of the protocol means.
fn failure(error: &hyper::Error) -> Failure {
    let is_cut = error.is_incomplete_message() || error.is_closed() || error.is_canceled();
    if is_cut || std::error::Error::source(error).is_some_and(<dyn std::error::Error>::is::<io::Error>) {
        Failure::Cut
    } else {
        Failure::Unreadable
    }
}
