//! Files from elsewhere: a GET through the guard that follows a few redirects and hands the body on as it comes.

use crate::{
    client::{Answer, Body, Call, Client, Failure},
    guard::Target,
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

/// How much, how long, how far.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Limits {
    /// The most bytes of a body.
    pub bytes: u64,
    /// From the start to the head of the last answer, redirects and all.
    pub first_byte: Duration,
    /// What any body may take from then on.
    pub whole: Duration,
    /// A body that takes longer goes on for as long as it brings so many bytes a second on average.
    pub rate: u64,
    /// How many redirects are followed.
    pub redirects: usize,
}

impl Default for Limits {
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

impl Limits {
    /// When a body that has brought so many bytes must have ended or brought more.
    fn until(&self, began: Instant, bytes: u64) -> Instant {
        let earned = Duration::from_secs(bytes.checked_div(self.rate).unwrap_or(0));
        began + self.whole.max(earned)
    }
}

/// A file that is coming.
#[derive(Debug)]
pub struct Fetched {
    /// The status of the last answer: who asked decides what is worth keeping.
    pub status: StatusCode,
    /// What the answer says that it is.
    pub content_type: Option<String>,
    /// How long the answer says that it is.
    pub length: Option<u64>,
    /// The file. It ends with an error if it does not end well.
    pub body: File,
}

/// The body of a file: a stream.
#[derive(Debug)]
pub struct File {
    body: Body,
    limits: Limits,
    began: Instant,
    bytes: u64,
    is_over: bool,
}

/// Fetches. Cheap to clone.
#[derive(Clone)]
pub struct Fetcher {
    client: Client,
}

impl Fetcher {
    /// Fetches with this client.
    pub fn new(client: Client) -> Self {
        Self { client }
    }

    /// Asks for a file. Nothing of one hop is carried to the next.
    pub async fn get(&self, url: &str, limits: Limits) -> Result<Fetched, Failure> {
        let deadline = Instant::now() + limits.first_byte;
        let mut target = self.client.guard().check(url).map_err(Failure::Blocked)?;
        for _ in 0..=limits.redirects {
            let answer = self.client.send(&target, Call::default(), deadline).await?;
            match self.next(&target, &answer)? {
                Some(next) => target = next,
                None => return fetched(answer, limits),
            }
        }
        Err(Failure::Redirects)
    }

    /// Where an answer leads, if it leads anywhere.
    fn next(&self, target: &Target, answer: &Answer) -> Result<Option<Target>, Failure> {
        if !matches!(answer.status.as_u16(), 301 | 302 | 303 | 307 | 308) {
            return Ok(None);
        }
        let location = answer.headers.get(header::LOCATION).and_then(|header| header.to_str().ok()).ok_or(Failure::Unreadable)?;
        self.client.guard().follow(target, location).map(Some).map_err(Failure::Blocked)
    }
}

fn fetched(answer: Answer, limits: Limits) -> Result<Fetched, Failure> {
    let Answer { status, headers, body } = answer;
    if is_coded(&headers) {
        return Err(Failure::Coded);
    }
    let length = body.length();
    if length.is_some_and(|length| length > limits.bytes) {
        return Err(Failure::TooLarge);
    }
    let content_type = headers.get(header::CONTENT_TYPE).and_then(|header| header.to_str().ok()).map(str::to_owned);
    let began = Instant::now();
    let mut body = body.at_most(limits.bytes);
    body.until(limits.until(began, 0));
    Ok(Fetched { status, content_type, length, body: File { body, limits, began, bytes: 0, is_over: false } })
}

/// A body in a coding could be small here and endless once it is decoded.
fn is_coded(headers: &HeaderMap) -> bool {
    headers.get_all(header::CONTENT_ENCODING).iter().any(|g| !g.as_bytes().eq_ignore_ascii_case(b"identity"))
}

impl Stream for File {
    type Item = Result<Bytes, Failure>;

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
