//! `GET /api/v1/spaces/{space}/imports/{id}/events`: the progress of an import as server-sent events (WHATWG HTML, section 9.2).
//!
//! The stream begins with the import as it is, tells its progress as it changes, and ends with the import when it is over. What is told comes
//! from the row, whichever process is at the import; a client that lost the stream opens another and has missed nothing.

use super::view::{ImportView, Progress};
use crate::{
    content::{
        Content,
        management::{access, below_space, wrapper},
    },
    web::{ApiRequest, Endpoint, ErrorFormat, path::segment, problem, request::api_request},
};
use domain::{
    content::{
        Right,
        import::{Import, Status},
    },
    shared::{Fault, ImportId, SpaceId},
};
use futures_util::{
    Stream, StreamExt,
    stream::{self, BoxStream},
};
use serde::Serialize;
use std::{
    convert::Infallible,
    pin::Pin,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    task::{Context, Poll},
    time::Duration,
};
use storage::content::imports::jobs;
use warp::{Filter, Reply, reply::Response, sse};

/// How often the row is looked at.
const LOOK: Duration = Duration::from_millis(500);
/// How many streams of all spaces there may be, and of one space. Each asks the database twice a second, for as long as its client likes.
const MOST: usize = 64;
const MOST_OF_SPACE: usize = 8;
/// How often something is said at least, so that nothing in between takes the stream for dead.
const ALIVE: Duration = Duration::from_secs(15);

pub(super) fn route(content: &Content) -> Endpoint {
    let (content, seats) = (content.clone(), Seats::default());
    below_space("imports")
        .and(segment::<ImportId>())
        .and(warp::path!("events"))
        .and(warp::get())
        .and(api_request())
        .then(move |space, id, request: ApiRequest| {
            let (content, seats) = (content.clone(), seats.clone());
            async move {
                let meta = request.meta;
                match open(&content, &seats, space, id, request).await {
                    Ok((import, seat)) => stream_of(content, import, seat),
                    Err(fault) => problem::answer(&fault, ErrorFormat::Management, meta.request_id).into(),
                }
            }
        })
        .boxed()
}

async fn open(
    content: &Content,
    seats: &Seats,
    space: SpaceId,
    id: ImportId,
    request: ApiRequest,
) -> Result<(Import, Seat), Fault> {
    access::manager(content, &request, space, Right::Administer).await?;
    request.query()?.only(&[])?;
    let import = find(content, space, id).await?.ok_or_else(Fault::not_found)?;
    Ok((import, seats.take(space)?))
}

async fn find(content: &Content, space: SpaceId, id: ImportId) -> Result<Option<Import>, Fault> {
    let connection = content.store.connection("import.find").await?;
    Ok(jobs::find(&connection, space, id).await?)
}

/// Who listens: the space of each stream.
#[derive(Clone, Default)]
struct Seats(Arc<Mutex<Vec<SpaceId>>>);

/// The place of a stream. It is free again when this is dropped.
struct Seat(Seats, SpaceId);

impl Seats {
    /// 503 when there are as many as may be.
    fn take(&self, space: SpaceId) -> Result<Seat, Fault> {
        let mut taken = self.lock();
        if taken.len() >= MOST || taken.iter().filter(|t| **t == space).count() >= MOST_OF_SPACE {
            return Err(Fault::unavailable("too many streams of imports"));
        }
        taken.push(space);
        Ok(Seat(self.clone(), space))
    }

    fn lock(&self) -> MutexGuard<'_, Vec<SpaceId>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Drop for Seat {
    fn drop(&mut self) {
        let mut taken = self.0.lock();
        if let Some(at) = taken.iter().position(|t| *t == self.1) {
            taken.swap_remove(at);
        }
    }
}

fn stream_of(content: Content, import: Import, seat: Seat) -> Response {
    let events = Shared(Mutex::new(told(content, import, seat).boxed()));
    sse::reply(sse::keep_alive().interval(ALIVE).stream(events)).into_response()
}

/// A stream that warp may look at from several threads, which it never does at once: nobody waits for the lock.
struct Shared(Mutex<BoxStream<'static, Told>>);

impl Stream for Shared {
    type Item = Told;

    fn poll_next(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Option<Told>> {
        self.0.get_mut().unwrap_or_else(PoisonError::into_inner).poll_next_unpin(context)
    }
}

type Told = Result<sse::Event, Infallible>;

/// Where the telling is.
enum At {
    /// Nothing is told yet.
    Begin(Box<Import>),
    /// This was told last.
    Told(Box<Import>),
    /// Everything is.
    End,
}

fn told(content: Content, import: Import, seat: Seat) -> impl Stream<Item = Told> {
    stream::unfold((At::Begin(Box::new(import)), seat), move |(at, seat)| {
        let content = content.clone();
        async move {
            match at {
                At::Begin(import) => {
                    let event = whole(&import);
                    let then = if import.status.is_over() { At::End } else { At::Told(import) };
                    Some((Ok(event), (then, seat)))
                }
                At::Told(before) => {
                    let now = next(&content, &before).await?;
                    let event = if now.status.is_over() { whole(&now) } else { event("progress", &Update::of(&now)) };
                    let then = if now.status.is_over() { At::End } else { At::Told(Box::new(now)) };
                    Some((Ok(event), (then, seat)))
                }
                At::End => None,
            }
        }
    })
}

/// The import when it is another than before; none when it is gone. It has its report when it is over. A look that fails is no end: the next one may not.
async fn next(content: &Content, before: &Import) -> Option<Import> {
    let mut stopping = content.stopping.clone();
    loop {
        tokio::select! {
            () = tokio::time::sleep(LOOK) => {}
            // The client asks again when the server is back.
            _ = stopping.wait_for(|stopping| *stopping) => return None,
        }
        match look(content, before).await {
            Ok(None) => return None,
            Ok(Some(now)) if is_same(before, &now) => {}
            Ok(Some(now)) => return Some(now),
            Err(error) => tracing::debug!(import = %before.id, %error, "an import is looked at again"),
        }
    }
}

async fn look(content: &Content, before: &Import) -> storage::Result<Option<Import>> {
    let connection = content.store.connection("import.find").await?;
    match jobs::find_progress(&connection, before).await? {
        Some(now) if now.status.is_over() => jobs::find(&connection, before.space, before.id).await,
        now => Ok(now),
    }
}

fn is_same(before: &Import, now: &Import) -> bool {
    let place = |value: &Import| (value.updated_at, value.status, value.phase, value.cursor, value.done);
    place(before) == place(now)
}

#[derive(Serialize)]
struct Update {
    status: Status,
    progress: Progress,
}

impl Update {
    fn of(import: &Import) -> Self {
        Self { status: import.status, progress: Progress::of(import) }
    }
}

fn whole(import: &Import) -> sse::Event {
    event("import", &wrapper::put("import", ImportView::of(import)))
}

fn event(name: &'static str, data: &impl Serialize) -> sse::Event {
    // Our own types have string keys only, so this always succeeds.
    let text = serde_json::to_string(data).unwrap_or_default();
    sse::Event::default().event(name).data(text)
}
