//! The router of commands: it hands each one to the actor of its space, and starts that actor when there is
//! none.

use super::{
    SpaceEvent, SpaceEvents,
    queued_command::{CommandDeps, QueuedCommand},
    space::{self, Space},
};
use crate::runtime::{
    Child, Handle, Restart, Runtime,
    handle::{DEADLINE, Inspected},
    supervisor::{self, Started},
};
use domain::shared::{Fault, SharedClock, SharedEntropy, SpaceId};
use futures_util::future::{BoxFuture, join_all};
use ractor::ActorRef;
use serde_json::Value;
use services::content::{
    Authorized,
    command::{AnyCommand, Capture, SpaceCommand},
};
use std::{
    collections::HashMap,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    time::Duration,
};
use storage::Store;

/// How often a command is sent to its space's actor before it is given up: more than once, because an actor
/// may be stopping just then.
const SEND_ATTEMPTS: u32 = 3;

/// The bounds of one space's actor.
#[derive(Debug, Clone, Copy)]
pub struct Limits {
    /// How many commands may wait, the running one included; the next one gets 503.
    pub waiting: usize,
    /// How long a caller waits for its reply.
    pub deadline: Duration,
    /// How long an actor stays without a command, about.
    pub idle_after: Duration,
}

impl Default for Limits {
    fn default() -> Self {
        Self { waiting: 128, deadline: DEADLINE, idle_after: Duration::from_mins(5) }
    }
}

/// Hands commands to the actor of their space. Cheap to clone.
#[derive(Clone)]
pub struct SpaceRouter {
    runtime: Runtime,
    deps: CommandDeps,
    limits: Limits,
    registry: SpaceRegistry,
    supervisor: Handle<supervisor::Message>,
}

/// The parts of a router.
pub(crate) struct Params {
    pub(crate) runtime: Runtime,
    pub(crate) store: Store,
    pub(crate) clock: SharedClock,
    pub(crate) entropy: SharedEntropy,
    pub(crate) events: SpaceEvents,
    pub(crate) limits: Limits,
    /// The supervisor that starts and restarts the actors of spaces.
    pub(crate) supervisor: Handle<supervisor::Message>,
}

impl SpaceRouter {
    /// A router without any actor yet.
    pub(crate) fn new(params: Params) -> Self {
        let Params { runtime, store, clock, entropy, events, limits, supervisor } = params;
        let deps = CommandDeps { store, clock, entropy, events };
        Self { runtime, deps, limits, registry: SpaceRegistry::default(), supervisor }
    }

    /// Executes a command after those of its space that came before. `Ok` says that it is committed, and that
    /// this process reads nothing older from now on.
    ///
    /// 403 when the caller has not the right that the command needs. 404 when there is no such space. 503
    /// with `Retry-After` when too many commands of the space wait, when its actor failed, and when the
    /// command did not end in time: one that had begun by then may still be committed.
    pub async fn execute<C: SpaceCommand>(&self, authorized: Authorized, command: C) -> Result<C::Output, Fault> {
        let command = Arc::new(Capture::new(command));
        self.execute_any(authorized, command.clone()).await?;
        Ok(command.take_output()?)
    }

    /// The same for a command of any type.
    fn execute_any(&self, authorized: Authorized, command: Arc<dyn AnyCommand>) -> BoxFuture<'_, Result<(), Fault>> {
        Box::pin(async move {
            let replied = self.enqueue(authorized, command);
            match tokio::time::timeout(self.limits.deadline, replied).await {
                Ok(outcome) => outcome,
                Err(_) => Err(Fault::unavailable("the write did not end in time")),
            }
        })
    }

    /// The state of a space's actor; `None` when the space has none.
    pub async fn observe(&self, space: SpaceId) -> Option<Value> {
        let handle = self.registry.lock().get(&space).cloned()?;
        handle.observe().await.ok()
    }

    /// Looks at the actors of some spaces, in the order of their ids, and waits for their answers as long as
    /// `within`.
    pub(crate) async fn inspect(&self, limit: usize, within: Duration) -> Vec<(SpaceId, Inspected)> {
        let mut running: Vec<_> = self.registry.lock().iter().map(|(space, handle)| (*space, handle.clone())).collect();
        running.sort_by_key(|(space, _)| *space);
        running.truncate(limit);
        let inspecting = running.into_iter().map(async |(space, handle)| Some((space, handle.inspect(within).await?)));
        join_all(inspecting).await.into_iter().flatten().collect()
    }

    /// How many spaces have an actor.
    pub fn active(&self) -> usize {
        self.registry.lock().len()
    }

    /// Calls the subscriber with the events of all spaces: after each commit of this process, before its
    /// caller gets the reply, and with what other processes announce.
    pub fn subscribe(&self, subscriber: impl Fn(SpaceEvent) + Send + Sync + 'static) {
        self.deps.events.subscribe(subscriber);
    }

    async fn enqueue(&self, authorized: Authorized, command: Arc<dyn AnyCommand>) -> Result<(), Fault> {
        let space = authorized.space();
        let handle = self.handle_for(space);
        let (reply, answer) = handle.reply()?;
        let span = tracing::Span::current();
        let queued = Box::new(QueuedCommand { authorized, command, reply, span });
        self.send(space, handle, space::Message::Execute(queued)).await?;
        answer.wait().await?
    }

    /// Sends a message to the actor of a space, which is started when there is none.
    async fn send(&self, space: SpaceId, mut handle: Handle<space::Message>, mut message: space::Message) -> Result<(), Fault> {
        for _ in 0..SEND_ATTEMPTS {
            match handle.send(message) {
                Ok(()) => return Ok(()),
                Err(unsent) => message = unsent,
            }
            handle = self.start(space).await?;
        }
        Err(handle.unavailable())
    }

    /// The handle of the space, whether there is an actor behind it or not.
    fn handle_for(&self, space: SpaceId) -> Handle<space::Message> {
        let new = || Handle::new(&self.runtime, "space", self.limits.waiting, self.limits.deadline, space::Message::Observe);
        self.registry.lock().entry(space).or_insert_with(new).clone()
    }

    /// Starts an actor behind the space's handle.
    async fn start(&self, space: SpaceId) -> Result<Handle<space::Message>, Fault> {
        let handle = self.handle_for(space);
        let (router, own_handle) = (self.clone(), handle.clone());
        let child = Child::new(format!("space {space}"), Restart::OnFailure, &handle, move || {
            let Self { runtime, deps, limits, registry, .. } = router.clone();
            let own_handle = own_handle.clone();
            let retire = Box::new(move |actor: &ActorRef<_>| registry.deregister(space, &own_handle, actor));
            (Space, space::Params { space, runtime, deps, idle_after: limits.idle_after, retire })
        });
        match self.supervisor.ask(|reply| supervisor::Message::Start { child, reply }).await? {
            Started::Running | Started::Ended => Ok(handle),
            Started::Restarting | Started::Refused => Err(handle.unavailable()),
        }
    }
}

/// The handles of the spaces that have an actor.
#[derive(Clone, Default)]
struct SpaceRegistry {
    handles: Arc<Mutex<HashMap<SpaceId, Handle<space::Message>>>>,
}

impl SpaceRegistry {
    /// Forgets the handle of an actor and stops the actor after the messages that are in its mailbox. Both
    /// happen under the lock, so that the next command of the space starts another actor.
    fn deregister(&self, space: SpaceId, handle: &Handle<space::Message>, actor: &ActorRef<space::Message>) {
        let mut handles = self.lock();
        if handles.get(&space).is_some_and(|registered| registered.is_same(handle)) {
            handles.remove(&space);
        }
        // An error says only that the actor is stopping already.
        let _ = actor.drain();
    }

    fn lock(&self) -> MutexGuard<'_, HashMap<SpaceId, Handle<space::Message>>> {
        self.handles.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
