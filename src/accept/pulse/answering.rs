//! The body of an answer, which tells the pulse whose turn it is.

use super::Sending;
use bytes::Bytes;
use hyper::body::{Body, Frame, SizeHint};
use std::{
    pin::Pin,
    task::{Context, Poll},
};

/// How much of a body an HTTP/2 stream is given at a time. hyper asks for more when the client has taken the piece before, so that we see it.
pub(super) const PIECE: usize = 16 << 10;

/// The body of an answer.
pub(in crate::accept) struct Answering<B> {
    body: B,
    /// What was read of the body and not given on yet.
    rest: Bytes,
    sending: Sending,
}

type Polled<E> = Poll<Option<Result<Frame<Bytes>, E>>>;

impl<B> Answering<B> {
    pub(super) fn new(body: B, sending: Sending) -> Self {
        Self { body, rest: Bytes::new(), sending }
    }
}

impl<B: Body<Data = Bytes> + Unpin> Answering<B> {
    /// The next piece of an answer on HTTP/2.
    fn piece(&mut self, cx: &mut Context<'_>) -> Polled<B::Error> {
        if self.rest.is_empty() {
            match Pin::new(&mut self.body).poll_frame(cx) {
                Poll::Ready(Some(Ok(frame))) => match frame.into_data() {
                    Ok(data) => self.rest = data,
                    Err(frame) => return Poll::Ready(Some(Ok(frame))),
                },
                other => return other,
            }
        }
        let length = self.rest.len().min(PIECE);
        Poll::Ready(Some(Ok(Frame::data(self.rest.split_to(length)))))
    }
}

impl<B: Body<Data = Bytes> + Unpin> Body for Answering<B> {
    type Data = Bytes;
    type Error = B::Error;

    fn poll_frame(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Polled<B::Error> {
        let Some(number) = self.sending.number else { return Pin::new(&mut self.body).poll_frame(cx) };
        let polled = self.piece(cx);
        self.sending.pulse.turn(number, polled.is_ready());
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
