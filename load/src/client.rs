//! One HTTP/1.1 connection that is kept open, and reopened after an error.

use anyhow::{Context, Result, ensure};
use bytes::Bytes;
use http::{HeaderValue, Request, Response, StatusCode, header};
use http_body_util::{BodyExt, Full, Limited};
use hyper::client::conn::http1::{SendRequest, handshake};
use hyper_util::rt::TokioIo;
use std::time::Duration;
use tokio::{net::TcpStream, task::JoinSet, time::timeout};

/// The largest response in bytes.
const MAX_BODY: usize = 256 * 1024 * 1024;
/// A response that takes longer counts as a failure.
const PATIENCE: Duration = Duration::from_secs(30);

/// Why a request failed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Failure {
    /// The connection could not be opened, or was closed.
    Connection,
    /// It took too long.
    Timeout,
    /// The response is stale.
    Stale,
}

impl Failure {
    /// Its name in the report.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Connection => "connection",
            Self::Timeout => "timeout",
            Self::Stale => "stale",
        }
    }
}

/// The address of the server.
#[derive(Debug, Clone)]
pub(crate) struct Target {
    address: String,
    host: HeaderValue,
}

impl Target {
    /// Reads `http://host[:port]`.
    pub(crate) fn parse(url: &str) -> Result<Self> {
        let uri: http::Uri = url.parse().with_context(|| format!("{url} is not a URL"))?;
        ensure!(uri.scheme_str() == Some("http"), "{url}: only http:// is spoken");
        ensure!(matches!(uri.path(), "" | "/") && uri.query().is_none(), "{url}: give the address only, without a path");
        let host = uri.host().with_context(|| format!("{url} names no host"))?;
        let authority = uri.authority().map_or(host, |a| a.as_str());
        Ok(Self {
            address: format!("{host}:{}", uri.port_u16().unwrap_or(80)),
            host: HeaderValue::from_str(authority).with_context(|| format!("{url} names no usable host"))?,
        })
    }
}

/// A connection to it.
pub(crate) struct Client {
    target: Target,
    sender: Option<SendRequest<Full<Bytes>>>,
    // Reads and writes of the connection; ends with it.
    drivers: JoinSet<()>,
}

impl Client {
    /// Not connected yet.
    pub(crate) fn new(target: Target) -> Self {
        Self { target, sender: None, drivers: JoinSet::new() }
    }

    /// Sends a request and reads the whole response: its status and its body.
    pub(crate) async fn send(&mut self, request: Request<Full<Bytes>>) -> Result<(StatusCode, Bytes), Failure> {
        let answer = self.answer(request).await?;
        Ok((answer.status(), answer.into_body()))
    }

    /// The same, with the headers of the response.
    pub(crate) async fn answer(&mut self, request: Request<Full<Bytes>>) -> Result<Response<Bytes>, Failure> {
        let answer = timeout(PATIENCE, self.exchange(request)).await;
        let answer = answer.map_err(|_| Failure::Timeout).and_then(|m| m.map_err(|_| Failure::Connection));
        if answer.is_err() {
            // Whatever was under way is cut off: what comes next must not read its answer.
            self.sender = None;
            self.drivers.abort_all();
        }
        answer
    }

    async fn exchange(&mut self, mut request: Request<Full<Bytes>>) -> Result<Response<Bytes>> {
        request.headers_mut().insert(header::HOST, self.target.host.clone());
        let sender = match self.sender.take() {
            Some(sender) if !sender.is_closed() => sender,
            _ => self.connect().await?,
        };
        let sender = self.sender.insert(sender);
        sender.ready().await?;
        let answer = sender.send_request(request).await?;
        let (head, body) = answer.into_parts();
        let body = Limited::new(body, MAX_BODY).collect().await.map_err(anyhow::Error::from_boxed)?;
        Ok(Response::from_parts(head, body.to_bytes()))
    }

    async fn connect(&mut self) -> Result<SendRequest<Full<Bytes>>> {
        let stream = TcpStream::connect(&self.target.address).await?;
        stream.set_nodelay(true)?;
        let (sender, connection) = handshake(TokioIo::new(stream)).await?;
        while self.drivers.try_join_next().is_some() {}
        self.drivers.spawn(async move {
            // A broken connection shows at the request that is waiting on it.
            let _ = connection.await;
        });
        Ok(sender)
    }
}

#[cfg(test)]
mod tests {
    use super::Target;

    #[test]
    fn an_address_is_plain_http_without_a_path() {
        let target = Target::parse("http://127.0.0.1:8080/").unwrap();
        assert_eq!((target.address.as_str(), target.host.to_str().unwrap()), ("127.0.0.1:8080", "127.0.0.1:8080"));
        assert_eq!(Target::parse("http://example.org").unwrap().address, "example.org:80");
        assert_eq!(Target::parse("http://[::1]:9").unwrap().address, "[::1]:9");
        for bad in ["https://example.org", "example.org", "http://example.org/api", "http://", ""] {
            assert!(Target::parse(bad).is_err(), "{bad}");
        }
    }
}
