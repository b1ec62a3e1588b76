//! The actor that owns the LISTEN connection: it connects, connects again, and keeps the others informed
//! whether the connection is up.

use super::{CHANNELS, Notifications};
use crate::runtime::{Reply, Runtime, task_tracker::AbortOnDrop};
use domain::shared::Backoff;
use ractor::{Actor, ActorProcessingErr, ActorRef};
use serde::Serialize;
use serde_json::Value;
use std::time::Duration;
use storage::{Store, listen::Listener};
use tokio::time::{Instant, timeout_at};

/// The wait before the next try to connect.
const RECONNECT: Backoff = Backoff { first: Duration::from_millis(100), cap: Duration::from_millis(500), jitter: 20 };

/// The actor.
pub(crate) struct NotificationListener;

/// What the actor is started with.
#[derive(Clone)]
pub(crate) struct Params {
    pub(crate) runtime: Runtime,
    pub(crate) store: Store,
    pub(crate) notifications: Notifications,
}

/// What the actor is sent.
pub(crate) enum Message {
    Connect,
    /// The connection is gone.
    Disconnected,
    /// Answer what you are doing.
    Observe(Reply<Value>),
}

/// The actor's state.
pub(crate) struct State {
    params: Params,
    /// The task that listens; it ends with this actor.
    listen_task: Option<AbortOnDrop>,
    observed: Observed,
}

/// What the actor shows.
#[derive(Default, Serialize)]
struct Observed {
    up: bool,
    /// Failures in a row.
    failures: u32,
    /// Connections since the actor started.
    connections: u64,
}

impl Actor for NotificationListener {
    type Msg = Message;
    type State = State;
    type Arguments = Params;

    async fn pre_start(&self, myself: ActorRef<Message>, params: Params) -> Result<State, ActorProcessingErr> {
        // It connects later: without a database the process starts all the same, and so does this actor after
        // a failure.
        myself.send_message(Message::Connect)?;
        Ok(State { params, listen_task: None, observed: Observed::default() })
    }

    async fn handle(&self, myself: ActorRef<Message>, message: Message, state: &mut State) -> Result<(), ActorProcessingErr> {
        match message {
            Message::Connect => match Listener::connect(&state.params.store, &CHANNELS).await {
                Ok(listener) => state.listen(myself, listener),
                Err(error) => state.retry(&myself, &error.to_string()),
            },
            Message::Disconnected => {
                state.listen_task = None;
                state.retry(&myself, "connection lost");
            }
            Message::Observe(reply) => {
                state.observed.up = state.params.notifications.is_up();
                reply.state(&state.observed);
            }
        }
        Ok(())
    }
}

impl State {
    fn listen(&mut self, myself: ActorRef<Message>, listener: Listener) {
        self.observed.connections += 1;
        let task = ListenTask::new(self.params.notifications.clone(), myself);
        self.listen_task = Some(self.params.runtime.tasks().spawn_owned("notifications.listen", task.run(listener)));
        self.observed.failures = 0;
    }

    fn retry(&mut self, myself: &ActorRef<Message>, error: &str) {
        self.observed.failures = self.observed.failures.saturating_add(1);
        let wait = RECONNECT.after(self.observed.failures, self.params.runtime.jitter_seed());
        tracing::warn!(error, retry.after_ms = wait.as_millis(), "notifications are down");
        let _timer = myself.send_after(wait, || Message::Connect);
    }
}

/// Listens on a connection. However that ends, by a panic too: the state becomes down, and the actor is told.
struct ListenTask {
    notifications: Notifications,
    connection: u64,
    actor: ActorRef<Message>,
}

impl ListenTask {
    fn new(notifications: Notifications, actor: ActorRef<Message>) -> Self {
        let connection = notifications.connected();
        Self { notifications, connection, actor }
    }

    async fn run(self, mut listener: Listener) {
        let mut ping_at = Instant::now() + listener.ping_interval();
        loop {
            // By a time of its own: notifications may come all the time.
            let outcome = if Instant::now() >= ping_at {
                ping_at = Instant::now() + listener.ping_interval();
                listener.ping().await
            } else {
                let Ok(next) = timeout_at(ping_at, listener.next()).await else { continue };
                next.map(|notification| self.notifications.received(&notification))
            };
            if let Err(error) = outcome {
                tracing::debug!(%error, "notifications ended");
                return;
            }
        }
    }
}

impl Drop for ListenTask {
    fn drop(&mut self) {
        self.notifications.disconnected(self.connection);
        // It fails when the actor is gone, and the next one connects by itself.
        let _ = self.actor.send_message(Message::Disconnected);
    }
}
