//! Notes when sessions were last seen: many at once, and never in the way of the request that was seen. And counts now and then how many live.
//!
//! ```text
//! Touches::note     a request, now and then; kept in memory, at most once a session
//!   SessionTouch    a second later: one statement for all of them
//! ```
//!
//! What is lost here is noted with the session's next request, so nothing of it is worth keeping.

use crate::runtime::{Bell, Observable, Reply, Runtime, Sideline, Wake};
use domain::shared::{SessionId, SharedClock};
use jiff::Timestamp;
use prometheus::{IntGauge, Registry};
use ractor::{Actor, ActorProcessingErr, ActorRef};
use serde::Serialize;
use serde_json::Value;
use std::{
    collections::HashMap,
    sync::{Arc, Mutex, PoisonError},
    time::Duration,
};
use storage::{Store, shared::sessions};

/// How long sessions are gathered before they are written.
const GATHER: Duration = Duration::from_secs(1);
/// How many are gathered at most; the others wait for their next request.
const MOST: usize = 10_000;
/// How often those that live are counted.
const COUNT: Duration = Duration::from_mins(1);

/// Where sessions that were seen are laid down. Cheap to clone.
#[derive(Clone)]
pub struct Touches {
    seen: Arc<Mutex<HashMap<SessionId, Timestamp>>>,
    bell: Bell,
}

impl Touches {
    pub(crate) fn new(bell: Bell) -> Self {
        Self { seen: Arc::default(), bell }
    }

    /// Lays one down.
    pub fn note(&self, session: SessionId, at: Timestamp) {
        let mut seen = self.seen.lock().unwrap_or_else(PoisonError::into_inner);
        if seen.len() < MOST || seen.contains_key(&session) {
            seen.insert(session, at);
        }
        drop(seen);
        self.bell.ring();
    }

    fn take(&self) -> Vec<(SessionId, Timestamp)> {
        self.seen.lock().unwrap_or_else(PoisonError::into_inner).drain().collect()
    }

    fn waiting(&self) -> usize {
        self.seen.lock().unwrap_or_else(PoisonError::into_inner).len()
    }
}

/// The actor.
pub(crate) struct SessionTouch;

/// What it is started with.
#[derive(Clone)]
pub(crate) struct Params {
    pub(crate) runtime: Runtime,
    pub(crate) store: Store,
    pub(crate) clock: SharedClock,
    pub(crate) touches: Touches,
    pub(crate) living: IntGauge,
}

impl Params {
    pub(crate) fn new(runtime: &Runtime, store: &Store, clock: &SharedClock, touches: &Touches, living: IntGauge) -> Self {
        let (runtime, store, clock, touches) = (runtime.clone(), store.clone(), clock.clone(), touches.clone());
        Self { runtime, store, clock, touches, living }
    }
}

/// What shows how many live.
pub(crate) fn gauge(registry: &Registry) -> prometheus::Result<IntGauge> {
    let living = IntGauge::new("svc_sessions_active", "Sessions that live")?;
    registry.register(Box::new(living.clone()))?;
    Ok(living)
}

/// What it is told.
pub(crate) enum Message {
    /// Some were laid down.
    Woken(Wake),
    /// Write them.
    Write,
    /// Count, and count again in a while.
    Count,
    /// What are you doing?
    Observe(Reply<Value>),
}

impl Observable for Message {
    fn observe(reply: Reply<Value>) -> Self {
        Self::Observe(reply)
    }
}

/// What it knows.
pub(crate) struct State {
    params: Params,
    /// Whether it will write soon.
    is_gathering: bool,
    count: Sideline,
    observed: Observed,
}

/// What it shows, since it started.
#[derive(Default, Serialize)]
struct Observed {
    /// Sessions that lie there now.
    waiting: usize,
    /// Sessions written.
    written: u64,
    /// Statements that failed.
    failures: u64,
}

impl Actor for SessionTouch {
    type Msg = Message;
    type State = State;
    type Arguments = Params;

    /// What an actor before it left lying there is written first.
    async fn pre_start(&self, myself: ActorRef<Message>, params: Params) -> Result<State, ActorProcessingErr> {
        myself.send_message(Message::Write)?;
        myself.send_message(Message::Count)?;
        Ok(State { params, is_gathering: true, count: Sideline::new(COUNT / 2), observed: Observed::default() })
    }

    async fn handle(&self, myself: ActorRef<Message>, message: Message, state: &mut State) -> Result<(), ActorProcessingErr> {
        match message {
            Message::Woken(wake) => {
                drop(wake);
                if !state.is_gathering {
                    state.is_gathering = true;
                    // It needs no care: it ends by itself.
                    let _timer = myself.send_after(GATHER, || Message::Write);
                }
            }
            Message::Write => {
                state.is_gathering = false;
                state.write().await;
            }
            Message::Count => {
                let Params { runtime, store, clock, living, .. } = state.params.clone();
                state.count.start(runtime.tasks(), "session.count", || count(store, clock, living));
                runtime.tick(&myself, COUNT, || Message::Count);
            }
            Message::Observe(reply) => {
                state.observed.waiting = state.params.touches.waiting();
                reply.state(&state.observed);
            }
        }
        Ok(())
    }
}

impl State {
    async fn write(&mut self) {
        let seen = self.params.touches.take();
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

async fn count(store: Store, clock: SharedClock, living: IntGauge) {
    let counted = async { sessions::count_living(&store.connection("session.count").await?, clock.now()).await };
    match counted.await {
        Ok(count) => living.set(count),
        Err(error) => tracing::warn!(%error, "sessions are not counted"),
    }
}

async fn touch(store: &Store, seen: &[(SessionId, Timestamp)]) -> storage::Result<u64> {
    sessions::touch(&store.connection("session.touch").await?, seen).await
}

#[cfg(test)]
mod tests {
    use super::{MOST, Touches, sessions::SEEN_EVERY};
    use crate::runtime::{Bell, Handle, Runtime};
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
    fn only_so_many_are_gathered_and_each_once() {
        let runtime = Runtime::new(std::sync::Arc::new(Seed), &prometheus::Registry::new()).unwrap();
        let handle = Handle::new(&runtime, "test", 1, std::time::Duration::from_secs(1));
        let touches = Touches::new(Bell::new(handle, super::Message::Woken));
        let session = |number: usize| SessionId(Uuid::from_u128(number as u128));
        let later = Timestamp::UNIX_EPOCH + SEEN_EVERY;
        for number in 0..MOST + 5 {
            touches.note(session(number), Timestamp::UNIX_EPOCH);
        }
        touches.note(session(7), later);
        assert_eq!(touches.waiting(), MOST);
        let seen = touches.take();
        assert_eq!((seen.len(), touches.waiting()), (MOST, 0));
        assert!(seen.contains(&(session(7), later)), "also when it is full, who is there is renewed");
    }
}
