//! Adapts a plain or encrypted connection to the stream that lettre reads and writes.

use crate::dial::Stream;
use lettre::transport::smtp::client::AsyncTokioStream;
use std::{
    fmt, io,
    net::SocketAddr,
    pin::Pin,
    task::{Context, Poll},
};
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};

/// The longest reply to one command, in bytes. lettre reads lines of any length, so the limit is enforced here.
const MAX_REPLY: usize = 64 << 10;

/// A connection to a mail server.
pub(super) struct SmtpStream {
    stream: Stream,
    peer: SocketAddr,
    /// Bytes that are read before any of the server's. After STARTTLS the server sends no second greeting, and lettre waits for one.
    greeting: &'static [u8],
    /// The bytes read since the last write.
    reply_bytes: usize,
}

impl SmtpStream {
    pub(super) fn new(stream: Stream, peer: SocketAddr, greeting: &'static [u8]) -> Self {
        Self { stream, peer, greeting, reply_bytes: 0 }
    }
}

impl fmt::Debug for SmtpStream {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "SmtpStream({})", self.peer)
    }
}

impl AsyncTokioStream for SmtpStream {
    fn peer_addr(&self) -> io::Result<SocketAddr> {
        Ok(self.peer)
    }
}

impl AsyncRead for SmtpStream {
    fn poll_read(self: Pin<&mut Self>, context: &mut Context<'_>, buffer: &mut ReadBuf<'_>) -> Poll<io::Result<()>> {
        let this = self.get_mut();
        if !this.greeting.is_empty() {
            let (now, later) = this.greeting.split_at(this.greeting.len().min(buffer.remaining()));
            buffer.put_slice(now);
            this.greeting = later;
            return Poll::Ready(Ok(()));
        }
        if this.reply_bytes > MAX_REPLY {
            return Poll::Ready(Err(io::Error::other("the server sends a reply without end")));
        }
        let before = buffer.filled().len();
        let read = Pin::new(&mut this.stream).poll_read(context, buffer);
        this.reply_bytes = this.reply_bytes.saturating_add(buffer.filled().len().saturating_sub(before));
        read
    }
}

impl AsyncWrite for SmtpStream {
    fn poll_write(self: Pin<&mut Self>, context: &mut Context<'_>, bytes: &[u8]) -> Poll<io::Result<usize>> {
        let this = self.get_mut();
        this.reply_bytes = 0;
        Pin::new(&mut this.stream).poll_write(context, bytes)
    }

    fn poll_flush(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.get_mut().stream).poll_flush(context)
    }

    fn poll_shutdown(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.get_mut().stream).poll_shutdown(context)
    }
}
