//! Publishes and takes offline what was planned, when its time has come. What came due while no process ran is done at the next start, once.

use super::SpaceRouter;
use crate::runtime::{Reply, Runtime, WakeToken};
use domain::shared::{Actor as Author, Kind, Origin, SharedClock};
use ractor::{Actor, ActorProcessingErr, ActorRef};
use serde::Serialize;
use serde_json::Value;
use services::content::schedulings::Fire;
use std::time::Duration;
use storage::{
    Store,
    content::schedulings::{self, Due, Without},
};
use tokio::task::AbortHandle;

/// How often it looks although nothing seems to be due.
const LOOK: Duration = Duration::from_secs(30);
/// How soon it looks again after something could not be done.
const RETRY: Duration = Duration::from_secs(2);
/// How much is looked up at once.
const BATCH: i64 = 100;
/// How often it does so in a row.
const ROUNDS: usize = 100;

/// The actor.
pub(crate) struct Scheduler;

/// What it is started with.
#[derive(Clone)]
pub(crate) struct Params {
    pub(crate) runtime: Runtime,
    pub(crate) store: Store,
    pub(crate) clock: SharedClock,
    pub(crate) spaces: SpaceRouter,
}

/// What it is told.
pub(crate) enum Message {
    /// Look: something may be due.
    Tick,
    /// Look: something was planned.
    Woken(WakeToken),
    /// What are you doing?
    Observe(Reply<Value>),
}

/// What it knows.
pub(crate) struct State {
    params: Params,
    timer: Option<AbortHandle>,
    observed: Observed,
}

/// What it shows, since it started.
#[derive(Default, Serialize)]
struct Observed {
    fired: u64,
    failures: u64,
    next_due_at: Option<jiff::Timestamp>,
}

impl Actor for Scheduler {
    type Msg = Message;
    type State = State;
    type Arguments = Params;

    async fn pre_start(&self, myself: ActorRef<Message>, params: Params) -> Result<State, ActorProcessingErr> {
        myself.send_message(Message::Tick)?;
        Ok(State { params, timer: None, observed: Observed::default() })
    }

    async fn handle(&self, myself: ActorRef<Message>, message: Message, state: &mut State) -> Result<(), ActorProcessingErr> {
        match message {
            Message::Tick => state.look(&myself).await,
            Message::Woken(wake) => {
                drop(wake);
                state.look(&myself).await;
            }
            Message::Observe(reply) => reply.state(&state.observed),
        }
        Ok(())
    }
}

impl State {
    async fn look(&mut self, myself: &ActorRef<Message>) {
        let wait = match self.fire_all_due().await {
            Ok(wait) => wait,
            Err(error) => {
                self.observed.failures += 1;
                tracing::warn!(%error, "what is planned is put off");
                RETRY
            }
        };
        if let Some(timer) = self.timer.take() {
            timer.abort();
        }
        self.timer = Some(myself.send_after(wait, || Message::Tick).abort_handle());
    }

    /// Answers how long nothing is due. What cannot be done waits for the next look, and holds up nothing but what comes after it.
    async fn fire_all_due(&mut self) -> storage::Result<Duration> {
        let mut without = Without::default();
        for _ in 0..ROUNDS {
            let now = self.params.clock.now();
            let connection = self.params.store.connection("scheduler.look").await?;
            let due = schedulings::list_due(&connection, now, &without, BATCH).await?;
            if due.is_empty() || self.params.runtime.is_draining() {
                let next = schedulings::next_due(&connection, now).await?;
                self.observed.next_due_at = next;
                if !without.is_empty() {
                    return Ok(RETRY);
                }
                let wait = next.and_then(|at| Duration::try_from(at.duration_since(now)).ok());
                return Ok(wait.map_or(LOOK, |wait| wait.min(LOOK)));
            }
            drop(connection);
            for it in due {
                if !without.holds(&it) {
                    self.fire(it, &mut without).await;
                }
            }
        }
        Ok(RETRY)
    }

    async fn fire(&mut self, it: Due, without: &mut Without) {
        let fired = self.params.spaces.execute(it.space, Author::system("scheduler"), Origin::default(), Fire(it.what)).await;
        match fired {
            Ok(()) => self.observed.fired += 1,
            // The space was deleted a moment ago.
            Err(fault) if fault.kind == Kind::NotFound => {}
            Err(fault) => {
                self.observed.failures += 1;
                tracing::warn!(%fault, space.id = %it.space, story.id = %it.story, "what is planned is put off");
                // A space that does not answer is not asked again for each of its plans.
                if fault.kind == Kind::Unavailable {
                    without.spaces.push(it.space);
                } else {
                    without.stories.push(it.story);
                }
            }
        }
    }
}
