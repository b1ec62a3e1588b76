//! Server-sent events (WHATWG HTML, section 9.2). This is the one way to open such a stream: it takes the
//! credential that opened it, and ends when that has ended.

use domain::shared::Fault;
use futures_util::{
    Stream, StreamExt,
    future::BoxFuture,
    stream::{self, BoxStream},
};
use std::{
    convert::Infallible,
    pin::Pin,
    sync::{Arc, Mutex, PoisonError},
    task::{Context, Poll},
    time::Duration,
};
use warp::{
    Reply,
    reply::Response,
    sse::{self, Event},
};

/// How often the credential of a stream is looked at: a stream ends within two seconds after it.
const CHECKED_EVERY: Duration = Duration::from_secs(1);
/// A comment is sent when there was no event for this time, so that no proxy takes the stream for dead.
const KEEP_ALIVE: Duration = Duration::from_secs(15);

/// Whether the credential still opens the stream.
pub(crate) type Check = Arc<dyn Fn() -> BoxFuture<'static, Result<bool, Fault>> + Send + Sync>;

/// 200 with the events, until they end or the credential does.
pub(crate) fn respond(events: impl Stream<Item = Event> + Send + 'static, check: Check) -> Response {
    let events = SyncStream(Mutex::new(until_over(events.boxed(), check).map(Ok).boxed()));
    sse::reply(sse::keep_alive().interval(KEEP_ALIVE).stream(events)).into_response()
}

/// No event is sent while the credential is looked at. A look that fails ends nothing: what cannot be read
/// for it cannot be read for an event either.
fn until_over(events: BoxStream<'static, Event>, check: Check) -> impl Stream<Item = Event> {
    let ticks = tokio::time::interval(CHECKED_EVERY);
    stream::unfold((events, ticks, check), |(mut events, mut ticks, check)| async move {
        loop {
            tokio::select! {
                biased;
                _ = ticks.tick() => match check().await {
                    Ok(true) => {}
                    Ok(false) => return None,
                    Err(fault) => tracing::debug!(cause = fault.cause.as_deref(), "the credential of a stream could not be looked at"),
                },
                event = events.next() => return event.map(|event| (event, (events, ticks, check))),
            }
        }
    })
}

/// A stream that is `Sync`, as warp demands. warp never polls it from two threads at once, so the lock is
/// always free.
struct SyncStream(Mutex<BoxStream<'static, Result<Event, Infallible>>>);

impl Stream for SyncStream {
    type Item = Result<Event, Infallible>;

    fn poll_next(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        self.0.get_mut().unwrap_or_else(PoisonError::into_inner).poll_next_unpin(context)
    }
}
