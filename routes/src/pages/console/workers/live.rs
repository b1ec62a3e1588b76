//! `GET /admin/workers/events`: the figures of the queues again and again, as server-sent events (WHATWG
//! HTML, section 9.2) whose data is the table.
//!
//! The stream ends with the session, and with the right to administer. It ends after some minutes anyway; the
//! browser opens another one.

use super::{Administrator, Pages, queue_rows};
use crate::web::{ApiRequest, event_stream};
use domain::shared::{Fault, Kind, Language};
use futures_util::{FutureExt, Stream, stream};
use pages::console::workers::queues;
use std::{sync::Arc, time::Duration};
use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use warp::{reply::Response, sse::Event};

/// The time between two events.
const INTERVAL: Duration = Duration::from_secs(2);
/// How many events a stream has: for five minutes.
const EVENTS: usize = 150;
/// The most streams of one process: each of them counts the queues every two seconds.
const MAX_STREAMS: usize = 16;

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
    let language = administrator.visitor.language();
    Ok(event_stream::respond(events(pages.clone(), language, permit), check(pages, request)))
}

/// Whether the session is active, and that of an administrator.
fn check(pages: Pages, request: ApiRequest) -> event_stream::Check {
    let (pages, request) = (Arc::new(pages), Arc::new(request));
    Arc::new(move || {
        let (pages, request) = (Arc::clone(&pages), Arc::clone(&request));
        async move {
            let sessions = &pages.identity.sessions;
            match sessions.signed_in(&request).await.and_then(|signed_in| sessions.check_administrator(&signed_in)) {
                Ok(()) => Ok(true),
                Err(fault) if matches!(fault.kind(), Kind::Unauthorized | Kind::Forbidden) => Ok(false),
                Err(fault) => Err(fault),
            }
        }
        .boxed()
    })
}

fn events(pages: Pages, language: Language, permit: OwnedSemaphorePermit) -> impl Stream<Item = Event> {
    stream::unfold((0, permit), move |(sent, permit)| {
        let pages = pages.clone();
        async move {
            let event = if sent < EVENTS { next(&pages, language).await? } else { return None };
            Some((event, (sent + 1, permit)))
        }
    })
}

/// The next event; `None` when the server is stopping. A count that fails ends no stream, because the next
/// one may succeed.
async fn next(pages: &Pages, language: Language) -> Option<Event> {
    let mut stopping = pages.ops.draining.clone();
    loop {
        tokio::select! {
            () = tokio::time::sleep(INTERVAL) => {}
            _ = stopping.wait_for(|is_stopping| *is_stopping) => return None,
        }
        match queue_rows(pages).await {
            Ok(rows) => return Some(Event::default().data(queues(language, &rows).into_string())),
            Err(fault) => tracing::debug!(cause = fault.cause.as_deref(), "the queues could not be counted"),
        }
    }
}
