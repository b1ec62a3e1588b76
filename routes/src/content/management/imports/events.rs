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
    web::{Call, Dialect, Endpoint, call::call, path::segment, problem},
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
    sync::{Mutex, PoisonError},
    task::{Context, Poll},
    time::Duration,
};
use storage::content::imports::jobs;
use warp::{Filter, Reply, reply::Response, sse};

/// How often the row is looked at.
const LOOK: Duration = Duration::from_millis(500);
/// How often something is said at least, so that nothing in between takes the stream for dead.
const ALIVE: Duration = Duration::from_secs(15);

pub(super) fn route(content: &Content) -> Endpoint {
    let content = content.clone();
    below_space("imports")
        .and(segment::<ImportId>())
        .and(warp::path!("events"))
        .and(warp::get())
        .and(call())
        .then(move |space, id, call: Call| {
            let content = content.clone();
            async move {
                let arrival = call.arrival;
                match open(&content, space, id, call).await {
                    Ok(import) => stream_of(content, import),
                    Err(fault) => problem::answer(&fault, Dialect::Management, arrival.request_id).into(),
                }
            }
        })
        .boxed()
}

async fn open(content: &Content, space: SpaceId, id: ImportId, call: Call) -> Result<Import, Fault> {
    access::manager(content, &call, space, Right::Administer).await?;
    call.query()?.only(&[])?;
    find(content, space, id).await?.ok_or_else(Fault::not_found)
}

async fn find(content: &Content, space: SpaceId, id: ImportId) -> Result<Option<Import>, Fault> {
    let session = content.store.read("import.find").await?;
    Ok(jobs::find(&session, space, id).await?)
}

fn stream_of(content: Content, import: Import) -> Response {
    let events = Shared(Mutex::new(told(content, import).boxed()));
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

fn told(content: Content, import: Import) -> impl Stream<Item = Told> {
    stream::unfold(At::Begin(Box::new(import)), move |at| {
        let content = content.clone();
        async move {
            match at {
                At::Begin(import) => {
                    let event = whole(&import);
                    let then = if import.status.is_over() { At::End } else { At::Told(import) };
                    Some((Ok(event), then))
                }
                At::Told(before) => {
                    let now = next(&content, &before).await?;
                    let event = if now.status.is_over() { whole(&now) } else { event("progress", &Update::of(&now)) };
                    let then = if now.status.is_over() { At::End } else { At::Told(Box::new(now)) };
                    Some((Ok(event), then))
                }
                At::End => None,
            }
        }
    })
}

/// The import when it is another than before; none when it is gone, or cannot be read any more.
async fn next(content: &Content, before: &Import) -> Option<Import> {
    let mut stopping = content.stopping.clone();
    loop {
        tokio::select! {
            () = tokio::time::sleep(LOOK) => {}
            // The client asks again when the server is back.
            _ = stopping.wait_for(|it| *it) => return None,
        }
        let now = find(content, before.space, before.id).await.ok()??;
        if (now.updated_at, now.status, now.done, now.cursor, now.phase)
            != (before.updated_at, before.status, before.done, before.cursor, before.phase)
        {
            return Some(now);
        }
    }
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
