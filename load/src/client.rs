//! One user's connection to the server: hyper's pooled client with a pool of one, which is opened again after
//! an error.

use anyhow::{Context, Result, ensure};
use bytes::Bytes;
use http::{
    Method, Request, Response, Uri, header,
    uri::{Authority, Scheme},
};
use http_body_util::{BodyExt, Full, Limited};
use hyper_util::{
    client::legacy::{self, connect::HttpConnector},
    rt::TokioExecutor,
};
use percent_encoding::{NON_ALPHANUMERIC, utf8_percent_encode};
use serde_json::Value;
use std::{fmt::Display, time::Duration};
use tokio::{net::lookup_host, time::timeout};

/// The largest response in bytes.
const MAX_BODY: usize = 256 * 1024 * 1024;
/// A response that takes longer counts as a failure.
const PATIENCE: Duration = Duration::from_secs(30);

/// Why a request failed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Failure {
    /// The connection could not be opened, or was closed.
    Connection,
    /// It took too long.
    Timeout,
}

impl Failure {
    /// Its name in the report.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Connection => "connection",
            Self::Timeout => "timeout",
        }
    }
}

/// The address of the server.
#[derive(Debug, Clone)]
pub(crate) struct Target(Authority);

impl Target {
    /// Reads `http://host[:port]`.
    pub(crate) fn parse(url: &str) -> Result<Self> {
        let uri: Uri = url.parse().with_context(|| format!("{url} is not a URL"))?;
        ensure!(uri.scheme() == Some(&Scheme::HTTP), "{url}: only http:// is spoken");
        ensure!(matches!(uri.path(), "" | "/") && uri.query().is_none(), "{url}: give the address only, without a path");
        let authority = uri.authority().filter(|authority| !authority.host().is_empty());
        Ok(Self(authority.with_context(|| format!("{url} names no host"))?.clone()))
    }

    /// Fails unless every address of the host is one of this machine, or `allow_remote` is set: a typing
    /// error must not put another machine under load.
    pub(crate) async fn guard(&self, allow_remote: bool) -> Result<()> {
        if allow_remote {
            return Ok(());
        }
        let host = self.0.host().trim_matches(['[', ']']);
        let addresses = lookup_host((host, self.0.port_u16().unwrap_or(80))).await;
        let mut addresses = addresses.with_context(|| format!("{} has no address", self.0))?;
        ensure!(addresses.all(|address| address.ip().is_loopback()), "{} is not this machine: --allow-remote permits that", self.0);
        Ok(())
    }

    /// The absolute form of a path with its query.
    fn uri(&self, path: &Uri) -> Result<Uri> {
        let path = path.path_and_query().map_or("/", |path| path.as_str());
        Ok(Uri::builder().scheme(Scheme::HTTP).authority(self.0.clone()).path_and_query(path).build()?)
    }
}

/// A connection to it.
pub(crate) struct Client {
    target: Target,
    connections: legacy::Client<HttpConnector, Full<Bytes>>,
}

impl Client {
    /// Not connected yet.
    pub(crate) fn new(target: Target) -> Self {
        let mut connector = HttpConnector::new();
        connector.set_nodelay(true);
        let connections = legacy::Client::builder(TokioExecutor::new()).pool_max_idle_per_host(1).build(connector);
        Self { target, connections }
    }

    /// Sends a request that has to succeed. Returns the JSON of its response.
    pub(crate) async fn ask(&mut self, request: Request<Full<Bytes>>) -> Result<Value> {
        let what = format!("{} {}", request.method(), request.uri().path());
        let answer = self.answer(request).await.ok().with_context(|| format!("{what}: the server does not answer"))?;
        ensure!(answer.status().is_success(), "{what}: {} {}", answer.status(), String::from_utf8_lossy(answer.body()));
        Ok(serde_json::from_slice(answer.body())?)
    }

    /// Sends a request and reads the whole response. Dropping it, as the timeout does, closes the connection:
    /// what comes next must not read its response.
    pub(crate) async fn answer(&mut self, request: Request<Full<Bytes>>) -> Result<Response<Bytes>, Failure> {
        let answer = timeout(PATIENCE, self.exchange(request)).await;
        answer.map_err(|_| Failure::Timeout)?.map_err(|_| Failure::Connection)
    }

    async fn exchange(&mut self, mut request: Request<Full<Bytes>>) -> Result<Response<Bytes>> {
        *request.uri_mut() = self.target.uri(request.uri())?;
        let (head, body) = self.connections.request(request).await?.into_parts();
        let body = Limited::new(body, MAX_BODY).collect().await.map_err(anyhow::Error::from_boxed)?;
        Ok(Response::from_parts(head, body.to_bytes()))
    }
}

/// A GET.
pub(crate) fn get(path: &str) -> Result<Request<Full<Bytes>>> {
    Ok(Request::get(path).body(Full::default())?)
}

/// JSON with a management token.
pub(crate) fn json(method: Method, path: &str, token: &str, body: &Value) -> Result<Request<Full<Bytes>>> {
    let request = Request::builder().method(method).uri(path).header(header::CONTENT_TYPE, "application/json");
    let request = request.header(header::AUTHORIZATION, format!("Bearer {token}"));
    Ok(request.body(Full::from(serde_json::to_vec(body)?))?)
}

/// A value in a query or a form.
pub(crate) fn encode(text: &str) -> impl Display {
    utf8_percent_encode(text, NON_ALPHANUMERIC)
}

#[cfg(test)]
mod tests {
    use super::Target;
    use http::Uri;

    #[test]
    fn an_address_is_plain_http_without_a_path() {
        let uri = |url: &str| Target::parse(url).unwrap().uri(&Uri::from_static("/a?b=c")).unwrap().to_string();
        assert_eq!(uri("http://127.0.0.1:8080/"), "http://127.0.0.1:8080/a?b=c");
        assert_eq!(uri("http://example.org"), "http://example.org/a?b=c");
        assert_eq!(uri("http://[::1]:9"), "http://[::1]:9/a?b=c");
        for bad in ["https://example.org", "example.org", "http://example.org/api", "http://", ""] {
            assert!(Target::parse(bad).is_err(), "{bad}");
        }
    }

    #[tokio::test]
    async fn only_this_machine_is_put_under_load_unless_it_is_permitted() {
        for url in ["http://127.0.0.1:8080", "http://127.9.9.9", "http://[::1]:9"] {
            Target::parse(url).unwrap().guard(false).await.unwrap();
        }
        for url in ["http://192.0.2.1", "http://0.0.0.0:8080", "http://[2001:db8::1]:9", "http://[::ffff:127.0.0.1]"] {
            let target = Target::parse(url).unwrap();
            let refused = target.guard(false).await.unwrap_err().to_string();
            assert!(refused.contains("--allow-remote"), "{refused}");
            target.guard(true).await.unwrap();
        }
    }
}
