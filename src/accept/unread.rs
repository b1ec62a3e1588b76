//! Whether a request's body was read to its end. What is left of one would be read as the head of the next request, so a connection
//! with such a rest is not used again.

use hyper::body::{Body, Bytes, Frame, Incoming, SizeHint};
use std::{
    pin::Pin,
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
    task::{Context, Poll},
};

/// A body that is watched.
pub(super) struct Watched {
    body: Incoming,
    unread: Unread,
}

/// Whether some of a body is left.
#[derive(Clone)]
pub(super) struct Unread(Arc<AtomicBool>);

impl Watched {
    /// Watches a body.
    pub(super) fn new(body: Incoming) -> (Self, Unread) {
        let unread = Unread(Arc::new(AtomicBool::new(!body.is_end_stream())));
        (Self { body, unread: unread.clone() }, unread)
    }
}

impl Unread {
    /// Whether some is left now.
    pub(super) fn is_some(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }
}

impl Body for Watched {
    type Data = Bytes;
    type Error = hyper::Error;

    fn poll_frame(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Option<Result<Frame<Bytes>, hyper::Error>>> {
        let frame = Pin::new(&mut self.body).poll_frame(cx);
        if matches!(frame, Poll::Ready(None)) || self.body.is_end_stream() {
            self.unread.0.store(false, Ordering::Relaxed);
        }
        frame
    }

    fn is_end_stream(&self) -> bool {
        self.body.is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        self.body.size_hint()
    }
}
