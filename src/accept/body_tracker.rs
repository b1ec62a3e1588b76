//! Tracks whether the body of a request was read to its end. hyper would read the rest of a body as the head
//! of the next request, so a connection with an unread rest is closed.

use hyper::body::{Body, Bytes, Frame, Incoming, SizeHint};
use std::{
    pin::Pin,
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
    task::{Context, Poll},
};

/// A body that records when it has been read.
pub(super) struct TrackedBody {
    body: Incoming,
    unread: Unread,
}

/// Whether a part of a body has not been read.
#[derive(Clone)]
pub(super) struct Unread(Arc<AtomicBool>);

impl TrackedBody {
    /// Tracks a body; the second value tells its state while hyper owns the first.
    pub(super) fn new(body: Incoming) -> (Self, Unread) {
        let unread = Unread(Arc::new(AtomicBool::new(!body.is_end_stream())));
        (Self { body, unread: unread.clone() }, unread)
    }
}

impl Unread {
    /// Whether a part is left now.
    pub(super) fn is_some(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }
}

impl Body for TrackedBody {
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
