//! Makes deliveries of what happened to stories: see [`storage::content::fan_out`].

use crate::{
    deliveries::Metrics,
    runtime::{Observable, Reply, Runtime, Wake},
};
use domain::shared::{SharedClock, SharedEntropy, SpaceId};
use jiff::Timestamp;
use ractor::{Actor, ActorProcessingErr, ActorRef};
use serde::Serialize;
use serde_json::Value;
use std::time::Duration;
use storage::{
    Error, Store, Tx, TxOperation,
    content::fan_out::{self, Fanned},
};

/// How often it looks although nobody woke it.
const LOOK: Duration = Duration::from_secs(5);
/// How many events become deliveries in one transaction.
const EVENTS: i64 = 250;
/// How many spaces are looked after in one go.
const SPACES: i64 = 100;

/// The actor.
pub(crate) struct FanOut;

/// What it is started with.
#[derive(Clone)]
pub(crate) struct Params {
    pub(crate) runtime: Runtime,
    pub(crate) store: Store,
    pub(crate) clock: SharedClock,
    pub(crate) entropy: SharedEntropy,
    pub(crate) metrics: Metrics,
}

/// What it is told.
pub(crate) enum Message {
    /// Look, and look again in a while.
    Tick,
    /// Something happened.
    Woken(Wake),
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
    observed: Observed,
}

/// What it shows, since it started.
#[derive(Default, Serialize)]
struct Observed {
    events: usize,
    deliveries: u64,
    failures: u64,
}

impl Actor for FanOut {
    type Msg = Message;
    type State = State;
    type Arguments = Params;

    async fn pre_start(&self, myself: ActorRef<Message>, params: Params) -> Result<State, ActorProcessingErr> {
        myself.send_message(Message::Tick)?;
        Ok(State { params, observed: Observed::default() })
    }

    async fn handle(&self, myself: ActorRef<Message>, message: Message, state: &mut State) -> Result<(), ActorProcessingErr> {
        match message {
            Message::Tick => {
                state.look().await;
                state.params.runtime.tick(&myself, LOOK, || Message::Tick);
            }
            Message::Woken(wake) => {
                drop(wake);
                state.look().await;
            }
            Message::Observe(reply) => reply.state(&state.observed),
        }
        Ok(())
    }
}

impl State {
    async fn look(&mut self) {
        if let Err(error) = self.catch_up().await {
            self.observed.failures += 1;
            tracing::warn!(%error, "events are not made into deliveries");
        }
    }

    /// Batch after batch, one of each space that is behind, until none is, or others are at it.
    async fn catch_up(&mut self) -> storage::Result<()> {
        let mut failed: Vec<SpaceId> = Vec::new();
        let mut oldest_failed = None;
        while !self.params.runtime.is_draining() {
            let connection = self.params.store.connection("fan_out.look").await?;
            let behind = fan_out::list_behind(&connection, &failed, SPACES).await?;
            drop(connection);
            let now = self.params.clock.now();
            self.params.metrics.outbox(behind.first().map(|behind| behind.since).into_iter().chain(oldest_failed).min(), now);
            let before = failed.len();
            let mut handled = 0;
            for space in behind {
                let batch = Batch { space: space.space, entropy: self.params.entropy.clone(), at: now };
                match self.params.store.transact(&batch).await {
                    Ok(Fanned { events, deliveries }) => {
                        handled += events;
                        self.observed.events += events;
                        self.observed.deliveries += deliveries;
                    }
                    Err(error @ Error::Unavailable(_)) => return Err(error),
                    // It waits for the next look, and holds up nobody else.
                    Err(error) => {
                        self.observed.failures += 1;
                        tracing::warn!(%error, space.id = %space.space, "events of a space are not made into deliveries");
                        failed.push(space.space);
                        oldest_failed = oldest_failed.into_iter().chain([space.since]).min();
                    }
                }
            }
            if handled == 0 && failed.len() == before {
                break;
            }
        }
        Ok(())
    }
}

struct Batch {
    space: SpaceId,
    entropy: SharedEntropy,
    at: Timestamp,
}

impl TxOperation for Batch {
    type Output = Fanned;

    const NAME: &'static str = "fan_out.batch";

    async fn run(&self, tx: &Tx<'_>) -> storage::Result<Fanned> {
        fan_out::fan_out(tx, self.space, EVENTS, false, self.entropy.as_ref(), self.at).await
    }
}
