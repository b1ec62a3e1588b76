//! The one supervisor: starts children, starts them again with backoff, and fails itself when that does not help.

use super::{Child, Observable, Policy, Reply, Restart, Runtime};
use ractor::{Actor, ActorCell, ActorId, ActorProcessingErr, ActorRef, ActorStatus, SupervisionEvent};
use serde::Serialize;
use serde_json::Value;
use std::{
    collections::{HashMap, VecDeque},
    time::Duration,
};
use tokio::time::Instant;

/// How long an actor may take to start. It must not wait for anything outside of the process while it does.
const STARTING: Duration = Duration::from_secs(5);
/// How long a caller waits for an actor's end before it may start another one of that name.
const ENDING: Duration = Duration::from_secs(1);

/// The actor.
pub struct Supervisor;

/// What it is started with.
pub struct Params {
    /// What it shares with its tree.
    pub runtime: Runtime,
    /// How it treats children that end unasked.
    pub policy: Policy,
    /// Whom it starts with.
    pub children: Vec<Child>,
}

/// What it is told.
pub enum Message {
    /// Start a further child, unless one of that name is there.
    Start {
        /// The child.
        child: Child,
        /// What came of it.
        reply: Reply<Started>,
    },
    /// A child's backoff is over.
    Restart {
        /// Its name.
        name: String,
    },
    /// What are you doing?
    Observe(Reply<Value>),
}

impl Observable for Message {
    fn observe(reply: Reply<Value>) -> Self {
        Self::Observe(reply)
    }
}

/// What came of a start.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Started {
    /// It runs, from now on or already.
    Running,
    /// One of that name failed and waits for its restart.
    Restarting,
    /// One of that name was just ending, and has ended: ask again.
    Ended,
    /// Nothing is started any more: the tree is stopping, or the child could not be started.
    Refused,
}

/// What it knows.
pub struct State {
    params: Params,
    children: HashMap<String, Entry>,
    names: HashMap<ActorId, String>,
    record: VecDeque<Instant>,
    restarts: u64,
}

struct Entry {
    child: Child,
    /// `None` while it waits for its restart.
    actor: Option<ActorCell>,
    started_at: Instant,
    failures: u32,
}

/// What it shows.
#[derive(Serialize)]
struct Observed {
    children: usize,
    restarting: Vec<String>,
    restarts: u64,
}

impl Actor for Supervisor {
    type Msg = Message;
    type State = State;
    type Arguments = Params;

    async fn pre_start(&self, myself: ActorRef<Message>, mut params: Params) -> Result<State, ActorProcessingErr> {
        let children = std::mem::take(&mut params.children);
        let mut state = State { params, children: HashMap::new(), names: HashMap::new(), record: VecDeque::new(), restarts: 0 };
        for child in children {
            state.start(&myself, child).await?;
        }
        Ok(state)
    }

    async fn handle(&self, myself: ActorRef<Message>, message: Message, state: &mut State) -> Result<(), ActorProcessingErr> {
        match message {
            Message::Start { child, reply } => {
                let started = state.start_further(&myself, child).await;
                reply.send(started);
            }
            Message::Restart { name } => state.restart(&myself, name).await?,
            Message::Observe(reply) => reply.state(&state.observed()),
        }
        Ok(())
    }

    async fn handle_supervisor_evt(
        &self,
        myself: ActorRef<Message>,
        event: SupervisionEvent,
        state: &mut State,
    ) -> Result<(), ActorProcessingErr> {
        match event {
            SupervisionEvent::ActorFailed(actor, error) => state.ended(&myself, actor.get_id(), Some(error.to_string())),
            SupervisionEvent::ActorTerminated(actor, _, reason) => {
                // A kill and a cancelled task are reported like a stop. Nobody asks a child to end that way.
                let failure = reason.filter(|reason| reason == "killed" || reason == "actor_task_cancelled");
                state.ended(&myself, actor.get_id(), failure)
            }
            _ => Ok(()),
        }
    }
}

impl State {
    /// Starts a child that has no entry, or no actor.
    async fn start(&mut self, myself: &ActorRef<Message>, child: Child) -> Result<(), ActorProcessingErr> {
        let actor = tokio::time::timeout(STARTING, child.start(myself.get_cell())).await??;
        self.names.insert(actor.get_id(), child.name.clone());
        let failures = self.children.get(&child.name).map_or(0, |children| children.failures);
        let entry = Entry { actor: Some(actor), started_at: Instant::now(), failures, child };
        self.children.insert(entry.child.name.clone(), entry);
        Ok(())
    }

    async fn start_further(&mut self, myself: &ActorRef<Message>, child: Child) -> Started {
        if self.params.runtime.is_draining() {
            return Started::Refused;
        }
        match self.children.get(&child.name).map(|children| children.actor.clone()) {
            Some(None) => Started::Restarting,
            Some(Some(actor)) if actor.get_status() < ActorStatus::Draining => Started::Running,
            // Its last event comes before our next message, and decides whether it is restarted: that is not for the caller to do.
            Some(Some(actor)) => match actor.wait(Some(ENDING)).await {
                Ok(()) => Started::Ended,
                Err(_) => Started::Refused,
            },
            None => {
                let name = child.name.clone();
                match self.start(myself, child).await {
                    Ok(()) => Started::Running,
                    Err(error) => {
                        tracing::error!(actor.name = name, %error, "actor could not be started");
                        Started::Refused
                    }
                }
            }
        }
    }

    /// The backoff is over. A child that cannot be started has failed once more.
    async fn restart(&mut self, myself: &ActorRef<Message>, name: String) -> Result<(), ActorProcessingErr> {
        let Some(entry) = self.children.get(&name).filter(|children| children.actor.is_none()) else { return Ok(()) };
        if self.params.runtime.is_draining() {
            self.children.remove(&name);
            return Ok(());
        }
        let child = entry.child.clone();
        self.restarts += 1;
        self.params.runtime.metrics().restarts(child.kind).inc();
        match self.start(myself, child).await {
            Ok(()) => Ok(()),
            Err(error) => self.failed(myself, &name, &error.to_string()),
        }
    }

    /// A child is gone.
    fn ended(&mut self, myself: &ActorRef<Message>, actor: ActorId, failure: Option<String>) -> Result<(), ActorProcessingErr> {
        let Some(name) = self.names.remove(&actor) else { return Ok(()) };
        let Some(entry) = self.children.get_mut(&name) else { return Ok(()) };
        entry.actor = None;
        let restart = !self.params.runtime.is_draining()
            && match entry.child.restart {
                Restart::Permanent => true,
                Restart::OnFailure => failure.is_some(),
                Restart::Temporary => false,
            };
        if restart {
            return self.failed(myself, &name, failure.as_deref().unwrap_or("ended by itself"));
        }
        self.children.remove(&name);
        if let Some(error) = failure {
            tracing::error!(actor.name = name, error, "actor failed");
        }
        Ok(())
    }

    /// A child failed and is to run again: after its backoff, if the budget covers it; else this supervisor fails.
    fn failed(&mut self, myself: &ActorRef<Message>, name: &str, error: &str) -> Result<(), ActorProcessingErr> {
        let policy = self.params.policy;
        let Some(entry) = self.children.get_mut(name) else { return Ok(()) };
        let now = Instant::now();
        let forgiven = now.duration_since(entry.started_at) >= policy.forgiven_after;
        entry.failures = if forgiven { 1 } else { entry.failures.saturating_add(1) };
        if policy.budget.is_some_and(|budget| !budget.covers(&mut self.record, now)) {
            tracing::error!(actor.name = name, error, "actor failed too often: its supervisor gives up");
            return Err(format!("{name} failed too often: {error}").into());
        }
        let wait = policy.backoff.after(entry.failures, self.params.runtime.roll());
        tracing::error!(actor.name = name, error, restart.after_ms = wait.as_millis(), "actor failed");
        let name = name.to_owned();
        let _timer = myself.send_after(wait, || Message::Restart { name });
        Ok(())
    }

    fn observed(&self) -> Observed {
        let mut restarting: Vec<String> =
            self.children.values().filter(|c| c.actor.is_none()).map(|c| c.child.name.clone()).collect();
        restarting.sort();
        Observed { children: self.children.len(), restarting, restarts: self.restarts }
    }
}
