//! The body of an answer, and the connection that it comes from: whoever reads the one drives the other.

use super::{Failure, failure};
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

/// A connection that runs as long as somebody waits for something from it.
pub(super) struct Exchange {
    connection: Option<Pin<Box<Connection>>>,
}

impl Exchange {
    pub(super) fn new(connection: Connection) -> Self {
        Self { connection: Some(Box::pin(connection)) }
    }

    /// Waits for a future with the connection running.
    pub(super) async fn drive<F: Future>(&mut self, future: F) -> F::Output {
        let mut future = pin!(future);
        poll_fn(|context| {
            self.run(context);
            future.as_mut().poll(context)
        })
        .await
    }

    /// One step of the connection. Its errors reach whoever waits for an answer, too.
    fn run(&mut self, context: &mut Context<'_>) {
        if self.connection.as_mut().is_some_and(|connection| connection.poll_unpin(context).is_ready()) {
            self.connection = None;
        }
    }
}

/// A body that is read piece by piece, up to a size and a time. Dropping it closes the connection.
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

    /// How long it says it is.
    pub fn length(&self) -> Option<u64> {
        self.incoming.size_hint().exact()
    }

    /// It may have so many bytes; one more is [`Failure::TooLarge`]. They are counted as they come, whatever the head says.
    #[must_use]
    pub fn at_most(mut self, bytes: u64) -> Self {
        self.left = bytes;
        self
    }

    /// It may take until then.
    pub fn until(&mut self, deadline: Instant) {
        self.deadline.as_mut().reset(deadline);
    }

    /// The next piece; none at the end.
    pub async fn next(&mut self) -> Option<Result<Bytes, Failure>> {
        poll_fn(|context| self.poll_next(context)).await
    }

    /// The next piece, for streams.
    pub fn poll_next(&mut self, context: &mut Context<'_>) -> Poll<Option<Result<Bytes, Failure>>> {
        if self.deadline.poll_unpin(context).is_ready() {
            return Poll::Ready(Some(Err(Failure::Late)));
        }
        loop {
            self.exchange.run(context);
            return Poll::Ready(match Pin::new(&mut self.incoming).poll_frame(context) {
                Poll::Pending => return Poll::Pending,
                Poll::Ready(None) => None,
                Poll::Ready(Some(Err(error))) => Some(Err(failure(&error))),
                Poll::Ready(Some(Ok(frame))) => match frame.into_data() {
                    Ok(piece) => Some(self.take(piece)),
                    // Trailers say nothing to us.
                    Err(_) => continue,
                },
            });
        }
    }

    fn take(&mut self, piece: Bytes) -> Result<Bytes, Failure> {
        let length = u64::try_from(piece.len()).unwrap_or(u64::MAX);
        self.left = self.left.checked_sub(length).ok_or(Failure::TooLarge)?;
        Ok(piece)
    }

    /// The beginning of the body, at most so many bytes, and what came after it: the end, more, or a failure. It never waits for
    /// more than it keeps.
    pub async fn beginning(mut self, bytes: usize) -> (Bytes, Ended) {
        let mut kept = BytesMut::new();
        let ended = loop {
            match self.next().await {
                None => break Ended::Whole,
                Some(Err(why)) => break Ended::Failed(why),
                Some(Ok(piece)) => {
                    let room = bytes - kept.len();
                    kept.extend_from_slice(piece.get(..room).unwrap_or(&piece));
                    if piece.len() > room {
                        break Ended::More;
                    }
                }
            }
        };
        (kept.freeze(), ended)
    }
}

/// How reading the beginning of a body ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Ended {
    /// With its end.
    Whole,
    /// There was more.
    More,
    /// Before either.
    Failed(Failure),
}
