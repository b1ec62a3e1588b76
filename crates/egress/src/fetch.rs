//! Downloads files, and looks at pages: a GET through the guard that follows a few redirects and streams the
//! body.

use crate::{
    client::{Body, GuardedClient, HttpError, HttpRequest, HttpResponse},
    guard::OutboundTarget,
};
use bytes::Bytes;
use futures_util::Stream;
use http::{HeaderMap, StatusCode, header};
use std::{
    pin::Pin,
    task::{Context, Poll},
    time::Duration,
};
use tokio::time::Instant;

/// The limits of a download.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct FetchLimits {
    /// The largest body in bytes.
    pub bytes: u64,
    /// Time from the start to the head of the last response, redirects included.
    pub first_byte: Duration,
    /// Time that every body has from then on.
    pub whole: Duration,
    /// Bytes a second on average that a body which takes longer has to bring.
    pub rate: u64,
    /// The number of redirects that are followed.
    pub redirects: usize,
}

impl Default for FetchLimits {
    fn default() -> Self {
        Self {
            bytes: 100 * 1024 * 1024,
            first_byte: Duration::from_secs(10),
            whole: Duration::from_mins(1),
            rate: 256 * 1024,
            redirects: 3,
        }
    }
}

impl FetchLimits {
    /// The deadline of a body that has brought this many bytes.
    fn until(&self, began: Instant, bytes: u64) -> Instant {
        let earned = Duration::from_secs(bytes.checked_div(self.rate).unwrap_or(0));
        began + self.whole.max(earned)
    }
}

/// The head of a download, and its body.
#[derive(Debug)]
pub struct Fetched {
    /// The status of the last response. The caller decides which ones it accepts.
    pub status: StatusCode,
    pub content_type: Option<String>,
    pub length: Option<u64>,
    /// The body, a stream. It ends with an error when the download fails.
    pub body: File,
}

/// The body of a file: a stream.
#[derive(Debug)]
pub struct File {
    body: Body,
    limits: FetchLimits,
    began: Instant,
    bytes: u64,
    is_over: bool,
}

/// Fetches. Cheap to clone.
#[derive(Clone)]
pub struct Fetcher {
    client: GuardedClient,
}

impl Fetcher {
    /// Fetches with this client.
    pub fn new(client: GuardedClient) -> Self {
        Self { client }
    }

    /// Asks for a file.
    pub async fn get(&self, url: &str, limits: FetchLimits) -> Result<Fetched, HttpError> {
        fetched(self.follow(url, limits).await?, limits)
    }

    /// Asks for a page of which only the head is read.
    pub async fn head(&self, url: &str, limits: FetchLimits) -> Result<(StatusCode, HeaderMap), HttpError> {
        self.follow(url, limits).await.map(|response| (response.status, response.headers))
    }

    /// The response that is no redirect. Nothing of one hop is carried to the next.
    async fn follow(&self, url: &str, limits: FetchLimits) -> Result<HttpResponse, HttpError> {
        let deadline = Instant::now() + limits.first_byte;
        let mut target = self.client.guard().check(url).map_err(HttpError::Blocked)?;
        for _ in 0..=limits.redirects {
            let response = self.client.send(&target, HttpRequest::default(), deadline).await?;
            match self.next(&target, &response)? {
                Some(next) => target = next,
                None => return Ok(response),
            }
        }
        Err(HttpError::Redirects)
    }

    /// The target of a redirect; `None` for other responses.
    fn next(&self, target: &OutboundTarget, response: &HttpResponse) -> Result<Option<OutboundTarget>, HttpError> {
        if !matches!(response.status.as_u16(), 301 | 302 | 303 | 307 | 308) {
            return Ok(None);
        }
        let location =
            response.headers.get(header::LOCATION).and_then(|header| header.to_str().ok()).ok_or(HttpError::Unreadable)?;
        self.client.guard().follow(target, location).map(Some).map_err(HttpError::Blocked)
    }
}

fn fetched(response: HttpResponse, limits: FetchLimits) -> Result<Fetched, HttpError> {
    let HttpResponse { status, headers, body } = response;
    if is_coded(&headers) {
        return Err(HttpError::Encoded);
    }
    let length = body.length();
    if length.is_some_and(|length| length > limits.bytes) {
        return Err(HttpError::TooLarge);
    }
    let content_type = headers.get(header::CONTENT_TYPE).and_then(|header| header.to_str().ok()).map(str::to_owned);
    let began = Instant::now();
    let mut body = body.at_most(limits.bytes);
    body.until(limits.until(began, 0));
    Ok(Fetched { status, content_type, length, body: File { body, limits, began, bytes: 0, is_over: false } })
}

/// Whether a response has a content coding. A small body with one could decode to an endless one.
pub(crate) fn is_coded(headers: &HeaderMap) -> bool {
    headers.get_all(header::CONTENT_ENCODING).iter().any(|g| !g.as_bytes().eq_ignore_ascii_case(b"identity"))
}

impl Stream for File {
    type Item = Result<Bytes, HttpError>;

    fn poll_next(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        if self.is_over {
            return Poll::Ready(None);
        }
        let Poll::Ready(piece) = self.body.poll_next(context) else {
            return Poll::Pending;
        };
        match &piece {
            Some(Ok(piece)) => {
                self.bytes = self.bytes.saturating_add(u64::try_from(piece.len()).unwrap_or(u64::MAX));
                let until = self.limits.until(self.began, self.bytes);
                self.body.until(until);
            }
            _ => self.is_over = true,
        }
        Poll::Ready(piece)
    }
}
