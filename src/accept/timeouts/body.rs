//! The body of a response, which reports to the timeouts when the client is to read and when the server is to
//! write.

use super::Responding;
use bytes::Bytes;
use hyper::body::{Body, Frame, SizeHint};
use std::{
    pin::Pin,
    task::{Context, Poll},
};

/// How many bytes of a body an HTTP/2 stream gets at a time. hyper polls for the next piece when the client
/// has read the one before, so that reading can be observed.
pub(super) const PIECE: usize = 16 << 10;

/// The body of a response.
pub(in crate::accept) struct TimedBody<B> {
    body: B,
    /// Bytes that were read of the body and not yet passed on.
    rest: Bytes,
    /// Whether a piece of the body has been passed on.
    is_divided: bool,
    responding: Responding,
}

type Polled<E> = Poll<Option<Result<Frame<Bytes>, E>>>;

impl<B> TimedBody<B> {
    pub(super) fn new(body: B, responding: Responding) -> Self {
        Self { body, rest: Bytes::new(), is_divided: false, responding }
    }
}

impl<B: Body<Data = Bytes> + Unpin> TimedBody<B> {
    /// How many bytes the next piece has. hyper takes a piece as soon as the client lets it send one byte of
    /// it, and drops the body with the last one; so the last piece of a divided body is one byte, for which
    /// that is all of it. Otherwise a client could leave the end of a body lie without being noticed.
    fn next_length(&self) -> usize {
        match self.rest.len() {
            length @ ..=PIECE if self.is_divided && length > 1 => length - 1,
            length => length.min(PIECE),
        }
    }

    /// The next piece of a response on HTTP/2.
    fn poll_piece(&mut self, cx: &mut Context<'_>) -> Polled<B::Error> {
        if self.rest.is_empty() {
            match Pin::new(&mut self.body).poll_frame(cx) {
                Poll::Ready(Some(Ok(frame))) => match frame.into_data() {
                    Ok(data) => self.rest = data,
                    Err(frame) => return Poll::Ready(Some(Ok(frame))),
                },
                other => return other,
            }
        }
        let length = self.next_length();
        self.is_divided = true;
        Poll::Ready(Some(Ok(Frame::data(self.rest.split_to(length)))))
    }
}

impl<B: Body<Data = Bytes> + Unpin> Body for TimedBody<B> {
    type Data = Bytes;
    type Error = B::Error;

    fn poll_frame(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Polled<B::Error> {
        let Some(stream) = self.responding.stream else { return Pin::new(&mut self.body).poll_frame(cx) };
        let polled = self.poll_piece(cx);
        let piece = match &polled {
            Poll::Ready(Some(Ok(frame))) => Some(frame.data_ref().map_or(0, Bytes::len)),
            Poll::Ready(_) => Some(0),
            Poll::Pending => None,
        };
        self.responding.timeouts.on_piece(stream, piece);
        polled
    }

    fn is_end_stream(&self) -> bool {
        self.rest.is_empty() && self.body.is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        let rest = u64::try_from(self.rest.len()).unwrap_or(u64::MAX);
        let of_body = self.body.size_hint();
        let mut hint = SizeHint::new();
        hint.set_lower(of_body.lower().saturating_add(rest));
        if let Some(upper) = of_body.upper() {
            hint.set_upper(upper.saturating_add(rest));
        }
        hint
    }
}
