//! The TCP stream of a connection, which reports its traffic to the timeouts and has request heads inspected.
//! When it is dropped, the stream inside is left to the task of the connection.

use super::Timeouts;
use crate::accept::{
    head::{Heads, RefusedRequest, Verdict},
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
    /// The beginning of a line of a head, which waits for its end.
    held: Vec<u8>,
    /// Bytes that are to be read next.
    ready: Vec<u8>,
    /// Whether a head was refused, so that the client is not read from any more.
    is_refused: bool,
}

impl<S> TimedStream<S> {
    pub(in crate::accept) fn new(stream: S, timeouts: Timeouts) -> Self {
        Self {
            stream: Some(stream),
            leftover: Leftover::default(),
            heads: Heads::new(timeouts.limits),
            timeouts,
            held: Vec::new(),
            ready: Vec::new(),
            is_refused: false,
        }
    }

    /// The timeouts that it reports to.
    pub(in crate::accept) fn timeouts(&self) -> Timeouts {
        self.timeouts.clone()
    }

    /// The request whose head is refused, once there is one.
    pub(in crate::accept) fn refused_request(&self) -> RefusedRequest {
        self.heads.refused_request()
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

impl<S> TimedStream<S> {
    /// Inspects the bytes that were read into the buffer behind `before`, and leaves those that may be read
    /// now.
    fn inspect(&mut self, buffer: &mut ReadBuf<'_>, before: usize) {
        let read = buffer.filled().get(before..).unwrap_or_default();
        if self.held.is_empty() {
            let Verdict { pass, instead } = self.heads.inspect(read, 0);
            self.is_refused = instead.is_some();
            if let Some(instead) = instead {
                self.ready = instead;
            } else {
                self.held.extend_from_slice(read.get(pass..).unwrap_or_default());
            }
            buffer.set_filled(before + pass);
        } else {
            let searched = self.held.len();
            self.held.extend_from_slice(read);
            let Verdict { pass, instead } = self.heads.inspect(&self.held, searched);
            self.ready.extend(self.held.drain(..pass));
            if let Some(instead) = instead {
                self.is_refused = true;
                self.ready.extend(instead);
                self.held.clear();
            }
            buffer.set_filled(before);
        }
        self.timeouts.on_read(self.heads.in_head() || !self.held.is_empty());
    }

    /// Moves what is ready into the buffer, as much as it takes.
    fn give(&mut self, buffer: &mut ReadBuf<'_>) {
        let count = self.ready.len().min(buffer.remaining());
        buffer.put_slice(self.ready.get(..count).unwrap_or_default());
        self.ready.drain(..count);
    }
}

impl<S: AsyncRead + Unpin> AsyncRead for TimedStream<S> {
    fn poll_read(mut self: Pin<&mut Self>, cx: &mut Context<'_>, buffer: &mut ReadBuf<'_>) -> Poll<io::Result<()>> {
        let before = buffer.filled().len();
        // Until something may be read, or no more bytes are there.
        while buffer.filled().len() == before {
            if !self.ready.is_empty() {
                self.give(buffer);
                break;
            }
            if self.is_refused {
                // The connection ends with the response to the refused request.
                return Poll::Pending;
            }
            match self.poll(|stream| stream.poll_read(cx, buffer)) {
                Poll::Ready(Ok(())) if buffer.filled().len() > before => self.inspect(buffer, before),
                outcome => return outcome,
            }
        }
        Poll::Ready(Ok(()))
    }
}

/// How many bytes the system took; `None` when it takes none now.
fn bytes_taken(outcome: &Poll<io::Result<usize>>) -> Option<usize> {
    match outcome {
        Poll::Ready(Ok(bytes)) => Some(*bytes),
        Poll::Ready(Err(_)) => Some(0),
        Poll::Pending => None,
    }
}

impl<S: AsyncWrite + Unpin> AsyncWrite for TimedStream<S> {
    fn poll_write(mut self: Pin<&mut Self>, cx: &mut Context<'_>, bytes: &[u8]) -> Poll<io::Result<usize>> {
        let outcome = self.poll(|stream| stream.poll_write(cx, bytes));
        self.timeouts.on_write(bytes_taken(&outcome));
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
        self.timeouts.on_write(bytes_taken(&outcome));
        outcome
    }

    fn is_write_vectored(&self) -> bool {
        self.stream.as_ref().is_some_and(AsyncWrite::is_write_vectored)
    }
}
