//! The operator's collector of traces and metrics: requests of OTLP (OpenTelemetry's protocol) over HTTP, as
//! protobuf.
//!
//! A collector that does not answer costs the requests to it and nothing else. What could not be sent is
//! lost; the log says so, and why.

use crate::{tls, vendor::Connector};
use bytes::Bytes;
use futures_util::future::BoxFuture;
use http::{HeaderMap, HeaderValue, Method, Request, Response, Uri, header};
use http_body_util::{BodyExt, Full, Limited};
use hyper_util::{
    client::legacy::Client,
    rt::{TokioExecutor, TokioTimer},
};
use opentelemetry_http::{HttpClient, HttpError};
use std::{fmt, future::Future, pin::Pin, time::Duration};
use tokio::{runtime::Handle, time::timeout};

/// How long one request may take.
const REQUEST_TIMEOUT: Duration = Duration::from_secs(10);
/// How long an idle connection is kept.
const IDLE: Duration = Duration::from_secs(20);
/// The largest answer in bytes: a sentence about what was refused.
const MAX_ANSWER: usize = 64 * 1024;

/// The collector. Cheap to clone; clones share the connections.
#[derive(Clone)]
pub struct Collector {
    client: Client<Connector, Full<Bytes>>,
    endpoint: String,
    headers: HeaderMap,
    /// Connections belong to this runtime, while traces are sent by a thread of their own.
    runtime: Handle,
}

impl Collector {
    /// A collector at an origin that the operator configured; every request has these headers. Nothing is
    /// connected yet.
    pub fn new(endpoint: &str, headers: HeaderMap, runtime: Handle) -> Result<Self, String> {
        let connector = Connector::new(tls::system_roots(), None)?;
        let mut builder = Client::builder(TokioExecutor::new());
        builder.pool_timer(TokioTimer::new()).pool_idle_timeout(IDLE);
        Ok(Self { client: builder.build(connector), endpoint: endpoint.to_owned(), headers, runtime })
    }

    /// The URL for traces.
    pub fn traces_url(&self) -> String {
        format!("{}/v1/traces", self.endpoint)
    }

    /// Sends metrics, encoded.
    pub async fn send_metrics(&self, body: Vec<u8>) {
        let uri: Result<Uri, _> = format!("{}/v1/metrics", self.endpoint).parse();
        // An origin with a path is a URL.
        let Ok(uri) = uri else { return };
        let mut request = Request::new(Bytes::from(body));
        (*request.method_mut(), *request.uri_mut()) = (Method::POST, uri);
        request.headers_mut().insert(header::CONTENT_TYPE, HeaderValue::from_static("application/x-protobuf"));
        let _logged = self.clone().send(request).await;
    }

    fn send(self, mut request: Request<Bytes>) -> BoxFuture<'static, Result<Response<Bytes>, String>> {
        Box::pin(async move {
            request.headers_mut().extend(self.headers);
            let asked = async {
                let response = self.client.request(request.map(Full::new)).await.map_err(|error| cause(&error))?;
                let (head, body) = response.into_parts();
                let body = Limited::new(body, MAX_ANSWER).collect().await.map_err(|error| error.to_string())?.to_bytes();
                Ok(Response::from_parts(head, body))
            };
            let answered: Result<Response<Bytes>, String> =
                timeout(REQUEST_TIMEOUT, asked).await.unwrap_or_else(|_| Err("it did not answer in time".to_owned()));
            match &answered {
                Ok(response) if !response.status().is_success() => {
                    tracing::warn!(error = %response.status(), "the collector of traces and metrics refuses them");
                }
                Ok(_) => {}
                Err(error) => tracing::warn!(error, "the collector of traces and metrics cannot be reached"),
            }
            answered
        })
    }
}

/// Why a request could not be sent: the innermost error says it.
fn cause(error: &hyper_util::client::legacy::Error) -> String {
    let mut innermost: &dyn std::error::Error = error;
    while let Some(source) = innermost.source() {
        innermost = source;
    }
    innermost.to_string()
}

impl fmt::Debug for Collector {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Collector").field("endpoint", &self.endpoint).finish_non_exhaustive()
    }
}

/// For the exporter of traces, whose thread has no runtime.
impl HttpClient for Collector {
    fn send_bytes<'life0, 'async_trait>(
        &'life0 self,
        request: Request<Bytes>,
    ) -> Pin<Box<dyn Future<Output = Result<Response<Bytes>, HttpError>> + Send + 'async_trait>>
    where
        'life0: 'async_trait,
        Self: 'async_trait,
    {
        Box::pin(async move {
            let sending = self.runtime.spawn(self.clone().send(request));
            Ok(sending.await??)
        })
    }
}
