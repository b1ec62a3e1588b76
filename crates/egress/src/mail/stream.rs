//! Adapts a plain or encrypted connection to the stream that lettre reads and writes. What the server sends
//! goes through [`Replies`].

use super::reply::Replies;
use crate::dial::Stream;
use lettre::transport::smtp::client::AsyncTokioStream;
use std::{
    fmt, io,
    net::SocketAddr,
    pin::Pin,
    task::{Context, Poll, ready},
};
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};

/// How many bytes are read from the connection at a time.
const PIECE: usize = 2048;

/// A connection to a mail server.
pub(super) struct SmtpStream {
    stream: Stream,
    peer: SocketAddr,
    replies: Replies,
}

impl SmtpStream {
    /// With `greeting`, lettre reads that first: after STARTTLS the server sends no second greeting, and
    /// lettre waits for one.
    pub(super) fn new(stream: Stream, peer: SocketAddr, greeting: &[u8]) -> Self {
        Self { stream, peer, replies: Replies::new(greeting) }
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
        loop {
            let line = this.replies.take(buffer.remaining());
            if !line.is_empty() || buffer.remaining() == 0 {
                buffer.put_slice(line);
                return Poll::Ready(Ok(()));
            }
            let mut piece = [0; PIECE];
            let mut read = ReadBuf::new(&mut piece);
            ready!(Pin::new(&mut this.stream).poll_read(context, &mut read))?;
            if read.filled().is_empty() {
                // The end. A line that was not finished is no reply.
                return Poll::Ready(Ok(()));
            }
            this.replies.receive(read.filled())?;
        }
    }
}

impl AsyncWrite for SmtpStream {
    fn poll_write(self: Pin<&mut Self>, context: &mut Context<'_>, bytes: &[u8]) -> Poll<io::Result<usize>> {
        let this = self.get_mut();
        this.replies.command(bytes);
        Pin::new(&mut this.stream).poll_write(context, bytes)
    }

    fn poll_flush(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.get_mut().stream).poll_flush(context)
    }

    fn poll_shutdown(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.get_mut().stream).poll_shutdown(context)
    }
}
