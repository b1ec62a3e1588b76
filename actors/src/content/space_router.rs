//! The way into a space's writes.

use super::{
    News, SpaceNews,
    command::SpaceCommand,
    queued_command::{Bench, Task},
    space::{self, Space},
};
use crate::runtime::{
    Child, Handle, Restart, Runtime,
    handle::DEADLINE,
    supervisor::{self, Started},
};
use domain::shared::{Actor, Fault, Origin, SharedClock, SharedEntropy, SpaceId};
use ractor::ActorRef;
use serde_json::Value;
use std::{
    collections::HashMap,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    time::Duration,
};
use storage::Store;

/// How often a caller asks for a space's actor before it gives up: once, and again when the former one was just leaving.
const STARTS: u32 = 3;

/// The bounds of one space's actor.
#[derive(Debug, Clone, Copy)]
pub struct Limits {
    /// How many writes may wait, the running one included; the next one gets 503.
    pub waiting: usize,
    /// How long a caller waits.
    pub deadline: Duration,
    /// An actor without a write for about that time leaves.
    pub idle_after: Duration,
}

impl Default for Limits {
    fn default() -> Self {
        Self { waiting: 128, deadline: DEADLINE, idle_after: Duration::from_mins(5) }
    }
}

/// Hands writes to the actor of their space. Cheap to clone.
#[derive(Clone)]
pub struct SpaceRouter {
    runtime: Runtime,
    bench: Bench,
    limits: Limits,
    rooms: Rooms,
    supervisor: Handle<supervisor::Message>,
}

/// What it is made of.
pub(crate) struct Params {
    pub(crate) runtime: Runtime,
    pub(crate) store: Store,
    pub(crate) clock: SharedClock,
    pub(crate) entropy: SharedEntropy,
    pub(crate) news: SpaceNews,
    pub(crate) limits: Limits,
    /// Below which spaces are started.
    pub(crate) supervisor: Handle<supervisor::Message>,
}

impl SpaceRouter {
    /// The router of a tree.
    pub(crate) fn new(params: Params) -> Self {
        let Params { runtime, store, clock, entropy, news, limits, supervisor } = params;
        Self { runtime, bench: Bench { store, clock, entropy, news }, limits, rooms: Rooms::default(), supervisor }
    }

    /// Runs a write in the order of its space. When it answers `Ok`, it is committed, and this process reads nothing older.
    ///
    /// 404 when there is no such space. 503 with `Retry-After` when the space has too many writes waiting, when its actor failed,
    /// and when the write did not end in time: a write that had begun by then may still be committed.
    pub async fn execute<W: SpaceCommand>(&self, space: SpaceId, by: Actor, origin: Origin, write: W) -> Result<W::Output, Fault> {
        let written = self.deliver(space, by, origin, write);
        match tokio::time::timeout(self.limits.deadline, written).await {
            Ok(outcome) => outcome,
            Err(_) => Err(Fault::unavailable("the write did not end in time")),
        }
    }

    /// What the space's actor is doing; `None` when the space has none.
    pub async fn observe(&self, space: SpaceId) -> Option<Value> {
        let handle = self.rooms.lock().get(&space).cloned()?;
        handle.observe().await.ok()
    }

    /// How many spaces have an actor.
    pub fn active(&self) -> usize {
        self.rooms.lock().len()
    }

    /// Calls the listener after each commit of a space by this process, before the writer is answered, and on news from others.
    pub fn subscribe(&self, listener: impl Fn(News) + Send + Sync + 'static) {
        self.bench.news.subscribe(listener);
    }

    async fn deliver<W: SpaceCommand>(&self, space: SpaceId, by: Actor, origin: Origin, write: W) -> Result<W::Output, Fault> {
        let mut handle = self.room(space);
        let (reply, answer) = handle.reply()?;
        let span = tracing::Span::current();
        let mut message = space::Message::Execute(Box::new(Task { space, by, origin, write, reply, span }));
        for _ in 0..STARTS {
            match handle.send(message) {
                Ok(()) => return answer.wait().await?,
                Err(back) => message = back,
            }
            handle = self.start(space).await?;
        }
        Err(handle.away())
    }

    /// The handle of the space, whether an actor stands behind it or not.
    fn room(&self, space: SpaceId) -> Handle<space::Message> {
        let new = || Handle::new(&self.runtime, "space", self.limits.waiting, self.limits.deadline);
        self.rooms.lock().entry(space).or_insert_with(new).clone()
    }

    /// Puts an actor behind the space's handle.
    async fn start(&self, space: SpaceId) -> Result<Handle<space::Message>, Fault> {
        let handle = self.room(space);
        let (this, room) = (self.clone(), handle.clone());
        let child = Child::new(format!("space {space}"), Restart::OnFailure, &handle, move || {
            let Self { runtime, bench, limits, rooms, .. } = this.clone();
            (Space, space::Params { space, runtime, bench, rooms, handle: room.clone(), idle_after: limits.idle_after })
        });
        match self.supervisor.ask(|reply| supervisor::Message::Start { child, reply }).await? {
            Started::Running | Started::Ended => Ok(handle),
            Started::Restarting | Started::Refused => Err(handle.away()),
        }
    }
}

/// The handles of the spaces that have an actor.
#[derive(Clone, Default)]
pub(super) struct Rooms {
    handles: Arc<Mutex<HashMap<SpaceId, Handle<space::Message>>>>,
}

impl Rooms {
    /// An actor ends, after what is already in its mailbox. Under the lock, so that whoever looks up the space next starts another.
    pub(super) fn leave(&self, space: SpaceId, handle: &Handle<space::Message>, actor: &ActorRef<space::Message>) {
        let mut handles = self.lock();
        if handles.get(&space).is_some_and(|handles| handles.is(handle)) {
            handles.remove(&space);
        }
        // It fails only when the actor is ending already.
        let _ = actor.drain();
    }

    fn lock(&self) -> MutexGuard<'_, HashMap<SpaceId, Handle<space::Message>>> {
        self.handles.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
