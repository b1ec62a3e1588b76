//! The real transport: every request passes the guard, has a connection of its own, and no redirect is
//! followed.

use super::transport::{OutboundRequest, Transport, TransportError, TransportResponse};
use domain::shared::delivery::MAX_ANSWER_BYTES;
use egress::{
    client::{GuardedClient, HttpError, HttpRequest},
    guard::GuardRefusal,
};
use futures_util::{FutureExt, future::BoxFuture};
use http::{HeaderMap, HeaderName, HeaderValue, Method, header};
use std::time::Duration;
use tokio::time::Instant;

/// How long the beginning of the body may take once the status is there.
const BODY_TIMEOUT: Duration = Duration::from_millis(500);

/// Sends with the guarded HTTP client.
pub struct HttpTransport {
    client: GuardedClient,
}

impl HttpTransport {
    /// A transport on a client.
    pub fn new(client: GuardedClient) -> Self {
        Self { client }
    }

    async fn exchange(&self, request: OutboundRequest, deadline: Instant) -> Result<TransportResponse, TransportError> {
        let target = self.client.guard().check(&request.url).map_err(|_| TransportError::Blocked)?;
        let mut headers = HeaderMap::with_capacity(request.headers.len());
        for (name, value) in request.headers {
            let value = HeaderValue::try_from(value).map_err(|_| TransportError::Unreachable)?;
            headers.insert(HeaderName::from_static(name), value);
        }
        let call = HttpRequest { method: Method::POST, headers, body: request.body };
        let response = self.client.send(&target, call, deadline).await.map_err(transport_error)?;
        let retry_after = response.headers.get(header::RETRY_AFTER).and_then(|value| value.to_str().ok()).map(str::to_owned);
        let status = response.status.as_u16();
        // The status decides how the attempt ended; the body is only shown to people. One that comes slowly,
        // or never ends, is cut.
        let mut body = response.body;
        body.until(Instant::now() + BODY_TIMEOUT);
        let (snippet, _) = body.prefix(MAX_ANSWER_BYTES).await;
        Ok(TransportResponse { status, retry_after, body_snippet: snippet.to_vec() })
    }
}

impl Transport for HttpTransport {
    fn send(&self, request: OutboundRequest, deadline: Instant) -> BoxFuture<'_, Result<TransportResponse, TransportError>> {
        self.exchange(request, deadline).boxed()
    }

    fn check(&self, url: &str) -> Result<(), GuardRefusal> {
        self.client.guard().check(url).map(drop)
    }
}

fn transport_error(failure: HttpError) -> TransportError {
    match failure {
        HttpError::Blocked(_) => TransportError::Blocked,
        HttpError::TimedOut => TransportError::TimedOut,
        _ => TransportError::Unreachable,
    }
}
