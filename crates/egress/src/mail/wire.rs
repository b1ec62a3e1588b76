//! The bytes to and from a mail server, as lettre wants them.

use crate::dial::Stream;
use lettre::transport::smtp::client::AsyncTokioStream;
use std::{
    fmt, io,
    net::SocketAddr,
    pin::Pin,
    task::{Context, Poll},
};
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};

/// The most that a server may say to one thing that it is told. Lines are read whole, so somebody has to count.
const ANSWER: usize = 64 << 10;

/// A connection.
pub(super) struct Wire {
    stream: Stream,
    peer: SocketAddr,
    /// What is read before anything comes from the server: after STARTTLS it does not greet again, and lettre waits for a greeting.
    greeting: &'static [u8],
    heard: usize,
}

impl Wire {
    pub(super) fn new(stream: Stream, peer: SocketAddr, greeting: &'static [u8]) -> Self {
        Self { stream, peer, greeting, heard: 0 }
    }
}

impl fmt::Debug for Wire {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Wire({})", self.peer)
    }
}

impl AsyncTokioStream for Wire {
    fn peer_addr(&self) -> io::Result<SocketAddr> {
        Ok(self.peer)
    }
}

impl AsyncRead for Wire {
    fn poll_read(self: Pin<&mut Self>, context: &mut Context<'_>, buffer: &mut ReadBuf<'_>) -> Poll<io::Result<()>> {
        let this = self.get_mut();
        if !this.greeting.is_empty() {
            let (now, later) = this.greeting.split_at(this.greeting.len().min(buffer.remaining()));
            buffer.put_slice(now);
            this.greeting = later;
            return Poll::Ready(Ok(()));
        }
        if this.heard > ANSWER {
            return Poll::Ready(Err(io::Error::other("the server talks without end")));
        }
        let before = buffer.filled().len();
        let read = Pin::new(&mut this.stream).poll_read(context, buffer);
        this.heard = this.heard.saturating_add(buffer.filled().len().saturating_sub(before));
        read
    }
}

impl AsyncWrite for Wire {
    fn poll_write(self: Pin<&mut Self>, context: &mut Context<'_>, bytes: &[u8]) -> Poll<io::Result<usize>> {
        let this = self.get_mut();
        this.heard = 0;
        Pin::new(&mut this.stream).poll_write(context, bytes)
    }

    fn poll_flush(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.get_mut().stream).poll_flush(context)
    }

    fn poll_shutdown(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.get_mut().stream).poll_shutdown(context)
    }
}
