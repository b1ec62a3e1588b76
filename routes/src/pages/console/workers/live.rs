//! `GET /admin/workers/events`: the figures of the queues again and again, as server-sent events (WHATWG HTML, section 9.2) whose data is the table.
//!
//! The session is looked at again before each event, and the stream ends with it. It ends after some minutes anyway; the browser opens another one.

use super::{Administrator, Pages, queue_rows};
use crate::web::ApiRequest;
use domain::shared::{Fault, Language};
use futures_util::{
    Stream, StreamExt,
    stream::{self, BoxStream},
};
use pages::console::workers::queues;
use std::{
    convert::Infallible,
    pin::Pin,
    sync::{Arc, Mutex, PoisonError},
    task::{Context, Poll},
    time::Duration,
};
use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use warp::{
    Reply,
    reply::Response,
    sse::{self, Event},
};

/// The time between two events.
const INTERVAL: Duration = Duration::from_secs(2);
/// How many events a stream has: for five minutes.
const EVENTS: usize = 150;
/// The most streams of one process: each of them counts the queues every two seconds.
const MAX_STREAMS: usize = 16;

type SentEvent = Result<Event, Infallible>;

/// The streams that are open. Cheap to clone.
#[derive(Clone)]
pub(in crate::pages) struct Streams(Arc<Semaphore>);

impl Default for Streams {
    fn default() -> Self {
        Self(Arc::new(Semaphore::new(MAX_STREAMS)))
    }
}

/// 200 with the stream; 503 when there are too many.
pub(in crate::pages::console) async fn stream(
    pages: Pages,
    administrator: Administrator,
    request: ApiRequest,
) -> Result<Response, Fault> {
    let full = |_| Fault::unavailable("too many streams of the console");
    let permit = Arc::clone(&pages.streams.0).try_acquire_owned().map_err(full)?;
    let events = SyncStream(Mutex::new(events(pages, request, administrator.visitor.language(), permit).boxed()));
    Ok(sse::reply(sse::keep_alive().stream(events)).into_response())
}

fn events(pages: Pages, request: ApiRequest, language: Language, permit: OwnedSemaphorePermit) -> impl Stream<Item = SentEvent> {
    stream::unfold((0, request, permit), move |(sent, request, permit)| {
        let pages = pages.clone();
        async move {
            let event = if sent < EVENTS { next(&pages, &request, language).await? } else { return None };
            Some((Ok(event), (sent + 1, request, permit)))
        }
    })
}

/// The next event; `None` when the server is stopping, or the session is over. A count that fails ends no stream, because the next one may succeed.
async fn next(pages: &Pages, request: &ApiRequest, language: Language) -> Option<Event> {
    let mut stopping = pages.ops.draining.clone();
    loop {
        tokio::select! {
            () = tokio::time::sleep(INTERVAL) => {}
            _ = stopping.wait_for(|is_stopping| *is_stopping) => return None,
        }
        let sessions = &pages.identity.sessions;
        let signed_in = sessions.signed_in(request).await.and_then(|signed_in| sessions.check_administrator(&signed_in));
        if signed_in.is_err() {
            return None;
        }
        match queue_rows(pages).await {
            Ok(rows) => return Some(Event::default().data(queues(language, &rows).into_string())),
            Err(fault) => tracing::debug!(cause = fault.cause.as_deref(), "the queues could not be counted"),
        }
    }
}

/// A stream that is `Sync`, as warp demands. warp never polls it from two threads at once, so the lock is always free.
struct SyncStream(Mutex<BoxStream<'static, SentEvent>>);

impl Stream for SyncStream {
    type Item = SentEvent;

    fn poll_next(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Option<SentEvent>> {
        self.0.get_mut().unwrap_or_else(PoisonError::into_inner).poll_next_unpin(context)
    }
}
