//! The TCP stream of a connection, which reports its traffic to the timeouts and has request heads inspected.

use super::Timeouts;
use crate::accept::head::{Heads, INVALID};
use std::{
    io,
    pin::Pin,
    task::{Context, Poll},
};
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};

/// A stream that reports what is read and written.
pub(in crate::accept) struct TimedStream<S> {
    stream: S,
    timeouts: Timeouts,
    heads: Heads,
    /// Whether [`INVALID`] has to follow the bytes that were read last.
    is_invalid: bool,
}

impl<S> TimedStream<S> {
    pub(in crate::accept) fn new(stream: S, timeouts: Timeouts) -> Self {
        Self { stream, timeouts, heads: Heads::new(), is_invalid: false }
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
        let outcome = Pin::new(&mut self.stream).poll_read(cx, buffer);
        if let Some(bytes) = buffer.filled_mut().get_mut(before..).filter(|bytes| !bytes.is_empty()) {
            self.is_invalid = self.heads.inspect(bytes);
            self.timeouts.on_read(self.heads.in_head());
        }
        outcome
    }
}

impl<S: AsyncWrite + Unpin> AsyncWrite for TimedStream<S> {
    fn poll_write(mut self: Pin<&mut Self>, cx: &mut Context<'_>, bytes: &[u8]) -> Poll<io::Result<usize>> {
        let outcome = Pin::new(&mut self.stream).poll_write(cx, bytes);
        self.timeouts.on_write(outcome.is_ready());
        outcome
    }

    fn poll_flush(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_flush(cx)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_shutdown(cx)
    }

    fn poll_write_vectored(mut self: Pin<&mut Self>, cx: &mut Context<'_>, bytes: &[io::IoSlice<'_>]) -> Poll<io::Result<usize>> {
        let outcome = Pin::new(&mut self.stream).poll_write_vectored(cx, bytes);
        self.timeouts.on_write(outcome.is_ready());
        outcome
    }

    fn is_write_vectored(&self) -> bool {
        self.stream.is_write_vectored()
    }
}
