//! The actor that owns the LISTEN connection: connects, connects again, and keeps the word whether it is up.

use super::{CHANNELS, Notifications};
use crate::runtime::{Observable, Reply, Runtime, tasks::Owned};
use domain::shared::Backoff;
use ractor::{Actor, ActorProcessingErr, ActorRef};
use serde::Serialize;
use serde_json::Value;
use std::time::Duration;
use storage::{connect::Target, listen::Listener};

/// The wait before the next try to connect.
const RECONNECT: Backoff = Backoff { first: Duration::from_millis(100), cap: Duration::from_secs(5), jitter: 20 };
/// After so long without a word the database is asked whether it is still there.
const SILENCE: Duration = Duration::from_secs(5);

/// The actor.
pub(crate) struct Ear;

/// What it is started with.
pub(crate) struct Params {
    pub(crate) runtime: Runtime,
    pub(crate) target: Target,
    pub(crate) notifications: Notifications,
}

/// What it is told.
pub(crate) enum Message {
    /// Connect.
    Connect,
    /// The connection is gone.
    Lost,
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
    /// The task that listens; it ends with this actor.
    listening: Option<Owned>,
    observed: Observed,
}

/// What it shows.
#[derive(Default, Serialize)]
struct Observed {
    up: bool,
    /// Failures in a row.
    failures: u32,
    /// Connections since the actor started.
    connections: u64,
}

impl Actor for Ear {
    type Msg = Message;
    type State = State;
    type Arguments = Params;

    async fn pre_start(&self, myself: ActorRef<Message>, params: Params) -> Result<State, ActorProcessingErr> {
        // The database may be away; that must not keep the process from starting, nor this actor from being restarted.
        myself.send_message(Message::Connect)?;
        Ok(State { params, listening: None, observed: Observed::default() })
    }

    async fn handle(&self, myself: ActorRef<Message>, message: Message, state: &mut State) -> Result<(), ActorProcessingErr> {
        match message {
            Message::Connect => match Listener::connect(&state.params.target, &CHANNELS).await {
                Ok(listener) => state.listen(myself, listener),
                Err(error) => state.retry(&myself, &error.to_string()),
            },
            Message::Lost => {
                state.listening = None;
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
        let listening = Listening::new(self.params.notifications.clone(), myself);
        self.listening = Some(self.params.runtime.tasks().spawn_owned("notifications.listen", listening.run(listener)));
        self.observed.failures = 0;
    }

    fn retry(&mut self, myself: &ActorRef<Message>, error: &str) {
        self.observed.failures = self.observed.failures.saturating_add(1);
        let wait = RECONNECT.after(self.observed.failures, self.params.runtime.roll());
        tracing::warn!(error, retry.after_ms = wait.as_millis(), "notifications are down");
        let _timer = myself.send_after(wait, || Message::Connect);
    }
}

/// A connection that is being listened to. However that ends, also by a panic: it is no longer up, and its actor knows.
struct Listening {
    notifications: Notifications,
    connection: u64,
    actor: ActorRef<Message>,
}

impl Listening {
    fn new(notifications: Notifications, actor: ActorRef<Message>) -> Self {
        let connection = notifications.found();
        Self { notifications, connection, actor }
    }

    async fn run(self, mut listener: Listener) {
        loop {
            match tokio::time::timeout(SILENCE, listener.next()).await {
                Ok(Ok(heard)) => self.notifications.heard(&heard),
                Ok(Err(error)) => {
                    tracing::debug!(%error, "notifications ended");
                    return;
                }
                Err(_) => {
                    if let Err(error) = listener.ping().await {
                        tracing::debug!(%error, "notifications ended");
                        return;
                    }
                }
            }
        }
    }
}

impl Drop for Listening {
    fn drop(&mut self) {
        self.notifications.lost(self.connection);
        // When the actor is gone, its successor connects by itself.
        let _ = self.actor.send_message(Message::Lost);
    }
}
