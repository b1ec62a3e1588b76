//! Writes when sessions were last seen: many in one statement, and never in the way of the request that was
//! seen. Counts the active sessions now and then as well.
//!
//! ```text
//! LastSeenBuffer::note   a request; kept in memory, once for each session
//!   LastSeenWriter       a second later: one statement for all of them
//! ```
//!
//! What is lost here is noted by the session's next request, so it needs no row of its own.

use crate::runtime::{Cause, PeriodicTask, Poller, Runtime, WakeSender};
use domain::shared::{SessionId, SharedClock};
use jiff::Timestamp;
use prometheus::{IntGauge, Registry};
use ractor::ActorCell;
use serde::Serialize;
use std::{
    collections::HashMap,
    sync::{Arc, Mutex, PoisonError},
    time::Duration,
};
use storage::{Store, shared::sessions};
use tokio::time::Instant;

/// How long sessions are gathered before they are written.
const FLUSH_DELAY: Duration = Duration::from_secs(1);
/// How many sessions are gathered at most; further ones wait for their next request.
const CAPACITY: usize = 10_000;
/// How often the active sessions are counted.
const COUNT_INTERVAL: Duration = Duration::from_mins(1);

/// Sessions that were seen and are not written yet. Cheap to clone.
#[derive(Clone)]
pub struct LastSeenBuffer {
    seen: Arc<Mutex<HashMap<SessionId, Timestamp>>>,
    writer: WakeSender,
}

impl LastSeenBuffer {
    pub(crate) fn new(writer: WakeSender) -> Self {
        Self { seen: Arc::default(), writer }
    }

    /// Notes that a session was seen.
    pub fn note(&self, session: SessionId, at: Timestamp) {
        let mut seen = self.seen.lock().unwrap_or_else(PoisonError::into_inner);
        if seen.len() < CAPACITY || seen.contains_key(&session) {
            seen.insert(session, at);
        }
        drop(seen);
        self.writer.wake();
    }

    fn take(&self) -> Vec<(SessionId, Timestamp)> {
        self.seen.lock().unwrap_or_else(PoisonError::into_inner).drain().collect()
    }

    fn len(&self) -> usize {
        self.seen.lock().unwrap_or_else(PoisonError::into_inner).len()
    }
}

/// What the writer is made of.
#[derive(Clone)]
pub(crate) struct Params {
    pub(crate) runtime: Runtime,
    pub(crate) store: Store,
    pub(crate) clock: SharedClock,
    pub(crate) buffer: LastSeenBuffer,
    pub(crate) active_sessions: IntGauge,
}

/// Makes and registers the gauge of active sessions.
pub(crate) fn register_gauge(registry: &Registry) -> prometheus::Result<IntGauge> {
    let active = IntGauge::new("svc_sessions_active", "Sessions that are neither ended nor expired")?;
    registry.register(Box::new(active.clone()))?;
    Ok(active)
}

/// The actor's state.
pub(crate) struct LastSeenWriter {
    params: Params,
    /// When the buffer is written. At the start: at once, because an earlier actor may have left something.
    flush_at: Option<Instant>,
    count: PeriodicTask,
    observed: Observed,
}

/// What the actor shows, since its start.
#[derive(Default, Serialize)]
struct Observed {
    /// Sessions in the buffer now.
    waiting: usize,
    written: u64,
    failures: u64,
}

impl LastSeenWriter {
    pub(crate) fn new(params: Params) -> Self {
        let count = PeriodicTask::new(COUNT_INTERVAL);
        Self { params, flush_at: Some(Instant::now()), count, observed: Observed::default() }
    }

    async fn flush(&mut self) {
        let seen = self.params.buffer.take();
        if seen.is_empty() {
            return;
        }
        match touch(&self.params.store, &seen).await {
            Ok(written) => self.observed.written += written,
            Err(error) => {
                self.observed.failures += 1;
                tracing::warn!(%error, sessions = seen.len(), "when sessions were last seen is not noted");
            }
        }
    }
}

impl Poller for LastSeenWriter {
    async fn poll(&mut self, cause: Cause, _: &ActorCell) -> Duration {
        if cause == Cause::Woken {
            self.flush_at.get_or_insert_with(|| Instant::now() + FLUSH_DELAY);
        }
        if self.flush_at.is_some_and(|at| at <= Instant::now()) {
            self.flush_at = None;
            self.flush().await;
        }
        let Params { runtime, store, clock, active_sessions, .. } = &self.params;
        self.count.start(runtime.tasks(), "session.count", || count(store.clone(), clock.clone(), active_sessions.clone()));
        self.flush_at.map_or(COUNT_INTERVAL, |at| at.saturating_duration_since(Instant::now()))
    }

    fn observe(&mut self) -> impl Serialize {
        self.observed.waiting = self.params.buffer.len();
        &self.observed
    }
}

async fn count(store: Store, clock: SharedClock, active_sessions: IntGauge) {
    let counted = async { sessions::count_active(&store.connection("session.count").await?, clock.now()).await };
    match counted.await {
        Ok(count) => active_sessions.set(count),
        Err(error) => tracing::warn!(%error, "sessions are not counted"),
    }
}

async fn touch(store: &Store, seen: &[(SessionId, Timestamp)]) -> storage::Result<u64> {
    sessions::touch(&store.connection("session.touch").await?, seen).await
}

#[cfg(test)]
mod tests {
    use super::{CAPACITY, LastSeenBuffer, sessions::SEEN_EVERY};
    use crate::runtime::{Handle, Runtime};
    use domain::shared::SessionId;
    use jiff::Timestamp;
    use uuid::Uuid;

    struct Seed;

    impl domain::shared::Entropy for Seed {
        fn fill(&self, buffer: &mut [u8]) {
            buffer.fill(1);
        }
    }

    #[test]
    fn the_buffer_is_bounded_and_holds_each_session_once() {
        let runtime = Runtime::new(std::sync::Arc::new(Seed), &prometheus::Registry::new()).unwrap();
        let buffer = LastSeenBuffer::new(Handle::polling(&runtime, "test", 1).wake_sender());
        let session = |number: usize| SessionId(Uuid::from_u128(number as u128));
        let later = Timestamp::UNIX_EPOCH + SEEN_EVERY;
        for number in 0..CAPACITY + 5 {
            buffer.note(session(number), Timestamp::UNIX_EPOCH);
        }
        buffer.note(session(7), later);
        assert_eq!(buffer.len(), CAPACITY);
        let seen = buffer.take();
        assert_eq!((seen.len(), buffer.len()), (CAPACITY, 0));
        assert!(seen.contains(&(session(7), later)), "a session that is there is renewed also when the buffer is full");
    }
}
