//! The TCP stream of a connection, which reports its traffic to the timeouts and has request heads inspected. When it is dropped, the stream
//! inside is left to the task of the connection.

use super::Timeouts;
use crate::accept::{
    head::{Heads, INVALID},
    linger::Leftover,
};
use std::{
    io,
    pin::Pin,
    task::{Context, Poll},
};
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};

/// A stream that reports what is read and written.
pub(in crate::accept) struct TimedStream<S> {
    /// Present until this is dropped.
    stream: Option<S>,
    leftover: Leftover<S>,
    timeouts: Timeouts,
    heads: Heads,
    /// Whether [`INVALID`] has to follow the bytes that were read last.
    is_invalid: bool,
}

impl<S> TimedStream<S> {
    pub(in crate::accept) fn new(stream: S, timeouts: Timeouts) -> Self {
        Self { stream: Some(stream), leftover: Leftover::default(), timeouts, heads: Heads::new(), is_invalid: false }
    }

    /// The timeouts that it reports to.
    pub(in crate::accept) fn timeouts(&self) -> Timeouts {
        self.timeouts.clone()
    }

    /// Where the stream will be once this is dropped.
    pub(in crate::accept) fn leftover(&self) -> Leftover<S> {
        self.leftover.clone()
    }
}

impl<S: Unpin> TimedStream<S> {
    fn poll<T>(&mut self, poll: impl FnOnce(Pin<&mut S>) -> Poll<io::Result<T>>) -> Poll<io::Result<T>> {
        match &mut self.stream {
            Some(stream) => poll(Pin::new(stream)),
            None => Poll::Ready(Err(io::ErrorKind::NotConnected.into())),
        }
    }
}

impl<S> Drop for TimedStream<S> {
    fn drop(&mut self) {
        if let Some(stream) = self.stream.take() {
            self.leftover.put(stream);
        }
    }
}

impl<S: AsyncRead + Unpin> AsyncRead for TimedStream<S> {
    fn poll_read(mut self: Pin<&mut Self>, cx: &mut Context<'_>, buffer: &mut ReadBuf<'_>) -> Poll<io::Result<()>> {
        if self.is_invalid && buffer.remaining() >= INVALID.len() {
            self.is_invalid = false;
            buffer.put_slice(INVALID);
            return Poll::Ready(Ok(()));
        }
        let before = buffer.filled().len();
        let outcome = self.poll(|stream| stream.poll_read(cx, buffer));
        if let Some(bytes) = buffer.filled_mut().get_mut(before..).filter(|bytes| !bytes.is_empty()) {
            self.is_invalid = self.heads.inspect(bytes);
            self.timeouts.on_read(self.heads.in_head());
        }
        outcome
    }
}

/// How many bytes the system took; `None` when it takes none now.
fn taken(outcome: &Poll<io::Result<usize>>) -> Option<usize> {
    match outcome {
        Poll::Ready(Ok(bytes)) => Some(*bytes),
        Poll::Ready(Err(_)) => Some(0),
        Poll::Pending => None,
    }
}

impl<S: AsyncWrite + Unpin> AsyncWrite for TimedStream<S> {
    fn poll_write(mut self: Pin<&mut Self>, cx: &mut Context<'_>, bytes: &[u8]) -> Poll<io::Result<usize>> {
        let outcome = self.poll(|stream| stream.poll_write(cx, bytes));
        self.timeouts.on_write(taken(&outcome));
        outcome
    }

    fn poll_flush(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        self.poll(|stream| stream.poll_flush(cx))
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        self.poll(|stream| stream.poll_shutdown(cx))
    }

    fn poll_write_vectored(mut self: Pin<&mut Self>, cx: &mut Context<'_>, bytes: &[io::IoSlice<'_>]) -> Poll<io::Result<usize>> {
        let outcome = self.poll(|stream| stream.poll_write_vectored(cx, bytes));
        self.timeouts.on_write(taken(&outcome));
        outcome
    }

    fn is_write_vectored(&self) -> bool {
        self.stream.as_ref().is_some_and(AsyncWrite::is_write_vectored)
    }
}
