//! The body of a response, and its connection: reading the body drives the connection.

use super::{HttpError, classify};
use crate::dial::Stream;
use bytes::{Bytes, BytesMut};
use futures_util::FutureExt;
use http_body::Body as _;
use http_body_util::Full;
use hyper::{body::Incoming, client::conn::http1};
use hyper_util::rt::TokioIo;
use std::{
    fmt,
    future::{Future, poll_fn},
    pin::{Pin, pin},
    task::{Context, Poll},
};
use tokio::time::{Instant, Sleep, sleep_until};

type Connection = http1::Connection<TokioIo<Stream>, Full<Bytes>>;

/// A connection that makes progress while it is polled through this.
pub(super) struct Exchange {
    connection: Option<Pin<Box<Connection>>>,
}

impl Exchange {
    pub(super) fn new(connection: Connection) -> Self {
        Self { connection: Some(Box::pin(connection)) }
    }

    /// Awaits a future and drives the connection meanwhile.
    pub(super) async fn drive<F: Future>(&mut self, future: F) -> F::Output {
        let mut future = pin!(future);
        poll_fn(|context| {
            self.poll_connection(context);
            future.as_mut().poll(context)
        })
        .await
    }

    /// Polls the connection. Its errors also reach the future that waits for the response.
    fn poll_connection(&mut self, context: &mut Context<'_>) {
        if self.connection.as_mut().is_some_and(|connection| connection.poll_unpin(context).is_ready()) {
            self.connection = None;
        }
    }
}

/// A body that is read in pieces, up to a size and a deadline. Dropping it closes the connection.
pub struct Body {
    exchange: Exchange,
    incoming: Incoming,
    deadline: Pin<Box<Sleep>>,
    left: u64,
}

impl fmt::Debug for Body {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Body").field("left", &self.left).finish_non_exhaustive()
    }
}

impl Body {
    pub(super) fn new(exchange: Exchange, incoming: Incoming, deadline: Instant) -> Self {
        Self { exchange, incoming, deadline: Box::pin(sleep_until(deadline)), left: u64::MAX }
    }

    /// The announced length.
    pub fn length(&self) -> Option<u64> {
        self.incoming.size_hint().exact()
    }

    /// Limits the body to this many bytes; one more is [`HttpError::TooLarge`]. The bytes are counted as they
    /// are read, whatever the head announces.
    #[must_use]
    pub fn at_most(mut self, bytes: u64) -> Self {
        self.left = bytes;
        self
    }

    /// Sets the deadline.
    pub fn until(&mut self, deadline: Instant) {
        self.deadline.as_mut().reset(deadline);
    }

    /// The next piece; none at the end.
    pub async fn next(&mut self) -> Option<Result<Bytes, HttpError>> {
        poll_fn(|context| self.poll_next(context)).await
    }

    /// The next piece, for streams.
    pub fn poll_next(&mut self, context: &mut Context<'_>) -> Poll<Option<Result<Bytes, HttpError>>> {
        if self.deadline.poll_unpin(context).is_ready() {
            return Poll::Ready(Some(Err(HttpError::TimedOut)));
        }
        loop {
            self.exchange.poll_connection(context);
            return Poll::Ready(match Pin::new(&mut self.incoming).poll_frame(context) {
                Poll::Pending => return Poll::Pending,
                Poll::Ready(None) => None,
                Poll::Ready(Some(Err(error))) => Some(Err(classify(&error))),
                Poll::Ready(Some(Ok(frame))) => match frame.into_data() {
                    Ok(piece) => Some(self.take(piece)),
                    // Trailers are ignored.
                    Err(_) => continue,
                },
            });
        }
    }

    fn take(&mut self, piece: Bytes) -> Result<Bytes, HttpError> {
        let length = u64::try_from(piece.len()).unwrap_or(u64::MAX);
        self.left = self.left.checked_sub(length).ok_or(HttpError::TooLarge)?;
        Ok(piece)
    }

    /// The first bytes of the body, at most this many, and what followed them. It never waits for more than
    /// it returns.
    pub async fn prefix(mut self, bytes: usize) -> (Bytes, BodyEnd) {
        let mut kept = BytesMut::new();
        let ended = loop {
            match self.next().await {
                None => break BodyEnd::Whole,
                Some(Err(why)) => break BodyEnd::Failed(why),
                Some(Ok(piece)) => {
                    let missing = bytes - kept.len();
                    kept.extend_from_slice(piece.get(..missing).unwrap_or(&piece));
                    if piece.len() > missing {
                        break BodyEnd::More;
                    }
                }
            }
        };
        (kept.freeze(), ended)
    }
}

/// How reading the first bytes of a body ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum BodyEnd {
    Whole,
    More,
    /// An error occurred before either.
    Failed(HttpError),
}
