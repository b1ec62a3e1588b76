//! The progress of an import as server-sent events (WHATWG HTML, section 9.2).
//!
//! The stream begins with an event `import`, has an event `progress` for each change, and ends with an event
//! `import` when the import has ended. The events are read from the import's row, whichever process runs it,
//! so a client that lost the stream opens another and has missed nothing. It ends with the credential that
//! opened it, see [`event_stream`].

use super::view::{ImportView, Progress};
use crate::{
    content::{
        Content,
        management::{access::Manager, envelope},
    },
    web::{ApiRequest, event_stream},
};
use domain::{
    content::import::{Import, Status},
    shared::{Fault, ImportId, SpaceId},
};
use futures_util::{Stream, stream};
use serde::Serialize;
use std::{
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    time::Duration,
};
use storage::content::imports::jobs;
use warp::{reply::Response, sse::Event};

/// The time between two reads of the row.
const POLL_INTERVAL: Duration = Duration::from_millis(500);
/// The most streams of one process, and of one space: each of them reads the database twice a second for as
/// long as its client likes.
const MAX_STREAMS: usize = 64;
const MAX_STREAMS_OF_SPACE: usize = 8;

/// 200 with the stream. 503 when there are too many streams.
pub(super) async fn stream(
    slots: StreamSlots,
    content: Content,
    caller: Manager,
    id: ImportId,
    request: ApiRequest,
) -> Result<Response, Fault> {
    request.query()?.only(&[])?;
    let connection = content.store.connection("import.find").await?;
    let import = jobs::find(&connection, caller.space(), id).await?.ok_or_else(Fault::not_found)?;
    drop(connection);
    let slot = slots.acquire(caller.space())?;
    let check = caller.check(&content);
    Ok(event_stream::respond(events(content, import, slot), check))
}

/// The space of each stream that is open.
#[derive(Clone, Default)]
pub(super) struct StreamSlots(Arc<Mutex<Vec<SpaceId>>>);

/// The place of one stream. It is free again when this is dropped.
struct StreamSlot(StreamSlots, SpaceId);

impl StreamSlots {
    /// 503 when the process or the space has as many streams as it may.
    fn acquire(&self, space: SpaceId) -> Result<StreamSlot, Fault> {
        let mut open = self.lock();
        if open.len() >= MAX_STREAMS || open.iter().filter(|other| **other == space).count() >= MAX_STREAMS_OF_SPACE {
            return Err(Fault::unavailable("too many streams of imports"));
        }
        open.push(space);
        Ok(StreamSlot(self.clone(), space))
    }

    fn lock(&self) -> MutexGuard<'_, Vec<SpaceId>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Drop for StreamSlot {
    fn drop(&mut self) {
        let mut open = self.0.lock();
        if let Some(at) = open.iter().position(|space| *space == self.1) {
            open.swap_remove(at);
        }
    }
}

/// What was sent last.
enum Sent {
    Nothing(Box<Import>),
    Progress(Box<Import>),
    End,
}

fn events(content: Content, import: Import, slot: StreamSlot) -> impl Stream<Item = Event> {
    stream::unfold((Sent::Nothing(Box::new(import)), slot), move |(sent, slot)| {
        let content = content.clone();
        async move {
            let (event, import) = match sent {
                Sent::Nothing(import) => (import_event(&import), import),
                Sent::Progress(before) => {
                    let now = next_change(&content, &before).await?;
                    (if now.status.is_over() { import_event(&now) } else { progress_event(&now) }, Box::new(now))
                }
                Sent::End => return None,
            };
            let sent = if import.status.is_over() { Sent::End } else { Sent::Progress(import) };
            Some((event, (sent, slot)))
        }
    })
}

/// Waits until the import differs from before; `None` when it is gone, or the server is stopping: the client
/// reconnects when the server is back. It has its report when it has ended. A read that fails does not end
/// the stream, because the next one may succeed.
async fn next_change(content: &Content, before: &Import) -> Option<Import> {
    let mut stopping = content.stopping.clone();
    loop {
        tokio::select! {
            () = tokio::time::sleep(POLL_INTERVAL) => {}
            _ = stopping.wait_for(|is_stopping| *is_stopping) => return None,
        }
        match poll(content, before).await {
            Ok(None) => return None,
            Ok(Some(now)) if is_same(before, &now) => {}
            Ok(Some(now)) => return Some(now),
            Err(error) => tracing::debug!(import = %before.id, %error, "the progress of an import could not be read"),
        }
    }
}

async fn poll(content: &Content, before: &Import) -> storage::Result<Option<Import>> {
    let connection = content.store.connection("import.find").await?;
    match jobs::find_progress(&connection, before).await? {
        Some(now) if now.status.is_over() => jobs::find(&connection, before.space, before.id).await,
        now => Ok(now),
    }
}

fn is_same(before: &Import, now: &Import) -> bool {
    let progress = |import: &Import| (import.updated_at, import.status, import.phase, import.cursor, import.done);
    progress(before) == progress(now)
}

#[derive(Serialize)]
struct Update {
    status: Status,
    progress: Progress,
}

fn progress_event(import: &Import) -> Event {
    event("progress", &Update { status: import.status, progress: Progress::of(import) })
}

fn import_event(import: &Import) -> Event {
    event("import", &envelope::wrap("import", ImportView::of(import)))
}

fn event(name: &'static str, data: &impl Serialize) -> Event {
    // Our own types have string keys only, so this always succeeds.
    let text = serde_json::to_string(data).unwrap_or_default();
    Event::default().event(name).data(text)
}
