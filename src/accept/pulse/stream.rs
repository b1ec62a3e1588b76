//! The stream of a connection, which tells the pulse of its bytes.

use super::Pulse;
use crate::accept::head::{Heads, SPOILT};
use std::{
    io,
    pin::Pin,
    task::{Context, Poll},
};
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};

/// A stream that reports its bytes to the pulse, and has heads looked at.
pub(in crate::accept) struct Watched<S> {
    stream: S,
    pulse: Pulse,
    heads: Heads,
    spoilt: bool,
}

impl<S> Watched<S> {
    pub(in crate::accept) fn new(stream: S, pulse: Pulse) -> Self {
        Self { stream, pulse, heads: Heads::new(), spoilt: false }
    }
}

impl<S: AsyncRead + Unpin> AsyncRead for Watched<S> {
    fn poll_read(mut self: Pin<&mut Self>, cx: &mut Context<'_>, buffer: &mut ReadBuf<'_>) -> Poll<io::Result<()>> {
        if self.spoilt && buffer.remaining() >= SPOILT.len() {
            self.spoilt = false;
            buffer.put_slice(SPOILT);
            return Poll::Ready(Ok(()));
        }
        let before = buffer.filled().len();
        let outcome = Pin::new(&mut self.stream).poll_read(cx, buffer);
        if let Some(bytes) = buffer.filled_mut().get_mut(before..).filter(|f| !f.is_empty()) {
            self.spoilt = self.heads.inspect(bytes);
            self.pulse.read(self.heads.in_head());
        }
        outcome
    }
}

impl<S: AsyncWrite + Unpin> AsyncWrite for Watched<S> {
    fn poll_write(mut self: Pin<&mut Self>, cx: &mut Context<'_>, bytes: &[u8]) -> Poll<io::Result<usize>> {
        let outcome = Pin::new(&mut self.stream).poll_write(cx, bytes);
        self.pulse.wrote(outcome.is_ready());
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
        self.pulse.wrote(outcome.is_ready());
        outcome
    }

    fn is_write_vectored(&self) -> bool {
        self.stream.is_write_vectored()
    }
}
