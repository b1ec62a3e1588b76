//! The one supervisor: starts children, starts them again with backoff, replaces those that hang, and fails
//! itself when that does not help.

use super::{Child, PeriodicTask, Policy, Reply, Restart, Runtime};
use futures_util::future::join_all;
use ractor::{Actor, ActorCell, ActorId, ActorProcessingErr, ActorRef, ActorStatus, SupervisionEvent};
use serde::Serialize;
use serde_json::Value;
use std::{
    collections::{HashMap, VecDeque},
    time::Duration,
};
use tokio::time::Instant;

/// How long an actor may take to start. It must not wait for anything outside of the process while it does.
const START_TIMEOUT: Duration = Duration::from_secs(5);
/// How long the start of a child waits for the end of an earlier actor of the same name.
const STOP_TIMEOUT: Duration = Duration::from_secs(1);
/// How often the watchdog asks all children for their state.
const WATCH_INTERVAL: Duration = Duration::from_secs(30);

/// The actor.
pub struct Supervisor;

/// What the actor is started with.
pub struct Params {
    /// What the actors of one system share.
    pub runtime: Runtime,
    /// How the supervisor treats children that fail.
    pub policy: Policy,
    /// The children to start with.
    pub children: Vec<Child>,
}

/// What the actor is sent.
pub enum Message {
    /// Start a further child, unless there is one of that name.
    Start {
        child: Child,
        /// The result of the start.
        reply: Reply<Started>,
    },
    /// A child's backoff is over.
    Restart { name: String },
    /// Ask all children for their state.
    Watch,
    /// These did not answer in time.
    Frozen(Vec<ActorId>),
    /// Answer what you are doing.
    Observe(Reply<Value>),
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
    /// Nothing is started any more: the actor system is stopping, or the child could not be started.
    Refused,
}

/// The actor's state.
pub struct State {
    params: Params,
    children: HashMap<String, Entry>,
    names: HashMap<ActorId, String>,
    /// The times of the restarts that the budget still counts.
    record: VecDeque<Instant>,
    restarts: u64,
    watchdog: PeriodicTask,
}

struct Entry {
    child: Child,
    /// `None` while it waits for its restart.
    actor: Option<ActorCell>,
    started_at: Instant,
    failures: u32,
}

/// What the actor shows.
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
        params.runtime.tick(&myself, WATCH_INTERVAL, || Message::Watch);
        let mut state = State {
            params,
            children: HashMap::new(),
            names: HashMap::new(),
            record: VecDeque::new(),
            restarts: 0,
            watchdog: PeriodicTask::new(Duration::ZERO),
        };
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
            Message::Watch => {
                state.watch(&myself);
                state.params.runtime.tick(&myself, WATCH_INTERVAL, || Message::Watch);
            }
            Message::Frozen(actors) => state.kill_frozen(&actors),
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
            SupervisionEvent::ActorFailed(actor, error) => state.child_ended(&myself, actor.get_id(), Some(error.to_string())),
            SupervisionEvent::ActorTerminated(actor, _, reason) => {
                // A kill and a cancelled task are reported like a stop; neither is how a child ends by
                // itself.
                let failure = reason.filter(|reason| reason == "killed" || reason == "actor_task_cancelled");
                state.child_ended(&myself, actor.get_id(), failure)
            }
            _ => Ok(()),
        }
    }
}

impl State {
    /// Starts a child that has no entry, or no actor.
    async fn start(&mut self, myself: &ActorRef<Message>, child: Child) -> Result<(), ActorProcessingErr> {
        let actor = tokio::time::timeout(START_TIMEOUT, child.start(myself.get_cell())).await??;
        self.names.insert(actor.get_id(), child.name.clone());
        let failures = self.children.get(&child.name).map_or(0, |entry| entry.failures);
        let entry = Entry { actor: Some(actor), started_at: Instant::now(), failures, child };
        self.children.insert(entry.child.name.clone(), entry);
        Ok(())
    }

    async fn start_further(&mut self, myself: &ActorRef<Message>, child: Child) -> Started {
        if self.params.runtime.is_draining() {
            return Started::Refused;
        }
        match self.children.get(&child.name).map(|entry| entry.actor.clone()) {
            Some(None) => Started::Restarting,
            Some(Some(actor)) if actor.get_status() < ActorStatus::Draining => Started::Running,
            // Its last event comes before our next message and decides whether it is restarted; the caller
            // does not decide that.
            Some(Some(actor)) => match actor.wait(Some(STOP_TIMEOUT)).await {
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
        let Some(entry) = self.children.get(&name).filter(|entry| entry.actor.is_none()) else { return Ok(()) };
        if self.params.runtime.is_draining() {
            self.children.remove(&name);
            return Ok(());
        }
        let child = entry.child.clone();
        self.restarts += 1;
        self.params.runtime.metrics().restarts(child.kind).inc();
        match self.start(myself, child).await {
            Ok(()) => Ok(()),
            Err(error) => self.child_failed(myself, &name, &error.to_string()),
        }
    }

    /// A child is gone.
    fn child_ended(
        &mut self,
        myself: &ActorRef<Message>,
        actor: ActorId,
        failure: Option<String>,
    ) -> Result<(), ActorProcessingErr> {
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
            return self.child_failed(myself, &name, failure.as_deref().unwrap_or("ended by itself"));
        }
        self.children.remove(&name);
        if let Some(error) = failure {
            tracing::error!(actor.name = name, error, "actor failed");
        }
        Ok(())
    }

    /// A child failed and is to run again: after its backoff, if the budget allows it; else this supervisor
    /// fails.
    fn child_failed(&mut self, myself: &ActorRef<Message>, name: &str, error: &str) -> Result<(), ActorProcessingErr> {
        let policy = self.params.policy;
        let Some(entry) = self.children.get_mut(name) else { return Ok(()) };
        let now = Instant::now();
        let is_reset = now.duration_since(entry.started_at) >= policy.reset_after;
        entry.failures = if is_reset { 1 } else { entry.failures.saturating_add(1) };
        if policy.budget.is_some_and(|budget| !budget.allows(&mut self.record, now)) {
            tracing::error!(actor.name = name, error, "actor failed too often: its supervisor gives up");
            return Err(format!("{name} failed too often: {error}").into());
        }
        let wait = policy.backoff.after(entry.failures, self.params.runtime.jitter_seed());
        tracing::error!(actor.name = name, error, restart.after_ms = wait.as_millis(), "actor failed");
        let name = name.to_owned();
        let _timer = myself.send_after(wait, || Message::Restart { name });
        Ok(())
    }

    /// Asks all children for their state, beside this actor, and reports those that do not answer. One round
    /// at a time.
    fn watch(&mut self, myself: &ActorRef<Message>) {
        let within = self.params.policy.frozen_after;
        let running = self.children.values().filter(|entry| entry.actor.is_some());
        let children: Vec<Child> = running.map(|entry| entry.child.clone()).collect();
        let myself = myself.clone();
        self.watchdog.start(self.params.runtime.tasks(), "supervisor.watch", || async move {
            let answers = join_all(children.iter().map(|child| child.find_frozen(within))).await;
            let frozen: Vec<ActorId> = answers.into_iter().flatten().collect();
            if !frozen.is_empty() {
                // It fails when the supervisor has ended, and its children with it.
                let _ = myself.send_message(Message::Frozen(frozen));
            }
        });
    }

    /// Kills children that hang. Their end arrives as an event, like that of any child that fails.
    fn kill_frozen(&mut self, actors: &[ActorId]) {
        if self.params.runtime.is_draining() {
            return;
        }
        for actor in actors {
            let Some(entry) = self.names.get(actor).and_then(|name| self.children.get(name)) else { continue };
            if let Some(cell) = &entry.actor {
                tracing::error!(actor.name = entry.child.name, "actor does not answer and is replaced");
                cell.kill();
            }
        }
    }

    fn observed(&self) -> Observed {
        let waiting = self.children.values().filter(|entry| entry.actor.is_none());
        let mut restarting: Vec<String> = waiting.map(|entry| entry.child.name.clone()).collect();
        restarting.sort();
        Observed { children: self.children.len(), restarting, restarts: self.restarts }
    }
}
