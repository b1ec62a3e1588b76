//! The connection pool to Storyblok: connections are kept open and shared, with HTTP/2 where the server
//! supports it.

use super::{
    Error, ImportMemory, Record,
    splitter::{Limits, RecordMember, Splitter},
};
use crate::{
    dial::{self, Stream},
    dns::Resolver,
    fetch, tls,
};
use bytes::Bytes;
use http::{HeaderMap, HeaderValue, Request, StatusCode, Uri, header};
use http_body_util::{BodyExt, Empty, Limited};
use hyper::body::Incoming;
use hyper_util::{
    client::legacy::{
        Client,
        connect::{Connected, Connection},
    },
    rt::{TokioExecutor, TokioIo, TokioTimer},
};
use rustls::{ClientConfig, RootCertStore, pki_types::ServerName};
use secrecy::{ExposeSecret, SecretString};
use std::{
    future::Future,
    io,
    pin::Pin,
    sync::Arc,
    task::{Context, Poll},
    time::Duration,
};
use tokio::time::timeout;
use tower_service::Service;

/// The largest response in bytes: a hundred huge stories.
const MAX_BYTES: usize = 64 * 1024 * 1024;
/// How long one request may take, including its body.
const REQUEST_TIMEOUT: Duration = Duration::from_secs(30);
/// How long an idle connection is kept.
const IDLE: Duration = Duration::from_secs(20);
/// The number of redirects that are followed. The delivery API makes one.
const MAX_REDIRECTS: usize = 3;

/// The pool. Cheap to clone; clones share the connections.
#[derive(Clone)]
pub struct HttpPool {
    client: Client<Connector, Empty<Bytes>>,
}

/// What is read of a response.
pub(super) struct Expected<'a> {
    /// The members that hold records.
    pub(super) wanted: &'static [RecordMember],
    /// The bounds of a record.
    pub(super) limits: Limits,
    /// Where the records are counted.
    pub(super) memory: &'a ImportMemory,
}

/// The records of a response.
pub(super) struct Response {
    /// By wanted member; none for a member that is missing.
    records: Vec<Option<Vec<Record>>>,
    /// The number of records on all pages, as the source reports it.
    pub(super) total: Option<u64>,
    /// The size of a page, as the source reports it.
    pub(super) per_page: Option<u64>,
}

impl Response {
    /// Takes the records of a member; none if it is missing.
    pub(super) fn take(&mut self, place: usize) -> Option<Vec<Record>> {
        self.records.get_mut(place)?.take()
    }
}

impl HttpPool {
    /// A pool that trusts these root certificates. Names are resolved by the resolver, or by the system
    /// without one, since an origin of the operator may be a name that only this machine knows. The error is
    /// a sentence.
    pub fn new(roots: RootCertStore, resolver: Option<Resolver>) -> Result<Self, String> {
        let connector = Connector::new(roots, resolver)?;
        let mut builder = Client::builder(TokioExecutor::new());
        builder.pool_timer(TokioTimer::new()).pool_idle_timeout(IDLE);
        Ok(Self { client: builder.build(connector) })
    }

    /// A GET of a path of an origin. Only redirects to other paths of the same origin are followed.
    pub(super) async fn get(
        &self,
        (origin, path): (&str, String),
        token: Option<&SecretString>,
        expected: Expected<'_>,
    ) -> Result<Response, Error> {
        timeout(REQUEST_TIMEOUT, self.follow(origin, path, token, &expected)).await.map_err(|_| Error::Timeout)?
    }

    async fn follow(
        &self,
        origin: &str,
        mut path: String,
        token: Option<&SecretString>,
        expected: &Expected<'_>,
    ) -> Result<Response, Error> {
        for _ in 0..=MAX_REDIRECTS {
            let request = request(&format!("{origin}{path}"), token)?;
            let (head, body) = self.client.request(request).await.map_err(|error| transport_error(&error))?.into_parts();
            if head.status.is_redirection() {
                path = location(&head.headers, origin).ok_or(Error::Refused(head.status.as_u16()))?;
                continue;
            }
            status_error(head.status, &head.headers)?;
            let number = |name: &str| head.headers.get(name)?.to_str().ok()?.trim().parse().ok();
            let (total, per_page) = (number("total"), number("per-page"));
            if fetch::is_coded(&head.headers) {
                return Err(Error::Encoded);
            }
            return Ok(Response { records: read(body, expected).await?, total, per_page });
        }
        Err(Error::Refused(StatusCode::FOUND.as_u16()))
    }
}

fn request(uri: &str, token: Option<&SecretString>) -> Result<Request<Empty<Bytes>>, Error> {
    let mut request = Request::new(Empty::new());
    *request.uri_mut() = uri.parse().map_err(|_| Error::Unreachable)?;
    let headers = request.headers_mut();
    headers.insert(header::USER_AGENT, HeaderValue::from_static("lectern"));
    headers.insert(header::ACCEPT, HeaderValue::from_static("application/json"));
    if let Some(token) = token {
        // A token that fits into no header was not issued by any source.
        let mut value = HeaderValue::from_str(token.expose_secret()).map_err(|_| Error::Unauthorized)?;
        value.set_sensitive(true);
        headers.insert(header::AUTHORIZATION, value);
    }
    Ok(request)
}

/// The path of a redirect within the origin.
fn location(headers: &HeaderMap, origin: &str) -> Option<String> {
    let location = headers.get(header::LOCATION)?.to_str().ok()?;
    let path = location.strip_prefix(origin).unwrap_or(location);
    (path.starts_with('/') && !path.starts_with("//")).then(|| path.to_owned())
}

/// The error of a status that is no success.
fn status_error(status: StatusCode, headers: &HeaderMap) -> Result<(), Error> {
    Err(match status.as_u16() {
        200..=299 => return Ok(()),
        401 => Error::Unauthorized,
        403 => Error::Forbidden,
        404 => Error::NotFound,
        429 => {
            let seconds = headers.get(header::RETRY_AFTER).and_then(|header| header.to_str().ok()?.trim().parse().ok());
            Error::Throttled { retry_after: seconds.map(Duration::from_secs) }
        }
        status @ 500.. => Error::Server(status),
        status => Error::Refused(status),
    })
}

/// Reads a body record by record; of the bytes no more is held than one record.
async fn read(body: Incoming, expected: &Expected<'_>) -> Result<Vec<Option<Vec<Record>>>, Error> {
    let Expected { wanted, limits, memory } = *expected;
    let mut splitter = Splitter::new(wanted, limits);
    let mut allocated = memory.nothing();
    let mut records: Vec<Vec<Record>> = wanted.iter().map(|_| Vec::new()).collect();
    let mut body = Limited::new(body, MAX_BYTES);
    while let Some(frame) = body.frame().await {
        let frame = frame.map_err(|error| if error.is::<hyper::Error>() { Error::Interrupted } else { Error::TooLarge })?;
        let Ok(piece) = frame.into_data() else { continue };
        splitter.push(&piece, &mut |found| {
            if let Some(records) = records.get_mut(found.member) {
                records.push(Record::read(found.text, found.weight, memory)?);
            }
            Ok(())
        })?;
        allocated.resize(splitter.allocated())?;
    }
    let found = splitter.finish()?;
    Ok(records.into_iter().zip(found).map(|(records, is_there)| is_there.then_some(records)).collect())
}

fn transport_error(error: &hyper_util::client::legacy::Error) -> Error {
    if error.is_connect() { Error::Unreachable } else { Error::Interrupted }
}

/// Opens connections to origins that the operator configured.
#[derive(Clone)]
pub(crate) struct Connector {
    resolver: Option<Resolver>,
    tls: Arc<ClientConfig>,
}

impl Connector {
    /// A connector that trusts these root certificates. The error is a sentence.
    pub(crate) fn new(roots: RootCertStore, resolver: Option<Resolver>) -> Result<Self, String> {
        Ok(Self { resolver, tls: tls::client(roots, &[b"h2", b"http/1.1"])? })
    }

    async fn connect(self, uri: Uri) -> io::Result<Stream> {
        let is_secure = uri.scheme_str() == Some("https");
        let host = uri.host().unwrap_or_default().trim_matches(['[', ']']).to_owned();
        let port = uri.port_u16().unwrap_or(if is_secure { 443 } else { 80 });
        let stream = dial::tcp(&dial::addresses(self.resolver.as_ref(), &host, port).await?).await?;
        if !is_secure {
            return Ok(Stream::Plain(stream));
        }
        let name = ServerName::try_from(host).map_err(io::Error::other)?;
        dial::tls(stream, self.tls, name).await
    }
}

impl Service<Uri> for Connector {
    type Response = TokioIo<Stream>;
    type Error = io::Error;
    type Future = Pin<Box<dyn Future<Output = io::Result<TokioIo<Stream>>> + Send>>;

    fn poll_ready(&mut self, _: &mut Context<'_>) -> Poll<io::Result<()>> {
        Poll::Ready(Ok(()))
    }

    fn call(&mut self, uri: Uri) -> Self::Future {
        let connector = self.clone();
        Box::pin(async move { connector.connect(uri).await.map(TokioIo::new) })
    }
}

impl Connection for Stream {
    fn connected(&self) -> Connected {
        let is_http2 = matches!(self, Self::Tls(stream) if stream.get_ref().1.alpn_protocol() == Some(b"h2"));
        if is_http2 { Connected::new().negotiated_h2() } else { Connected::new() }
    }
}
