//! The dispatcher: one in each process. It works in rounds, and a round is a handful of statements however many attempts it is about:
//! write what ended, look what is due, claim as much as there are permits for, send.

mod burial;
mod round;
mod settle;

pub(crate) use round::SEALED_FOR;

use super::{Courier, Metrics, Undertaker, lanes::Lanes, outbox::Outbox};
use crate::runtime::{Bell, Handle, Observable, Reply, Runtime, Sideline, Tasks, Wake};
use crypto::seal::Seal;
use domain::shared::{SharedClock, delivery::RetrySchedule};
use ractor::{Actor, ActorProcessingErr, ActorRef};
use serde::Serialize;
use serde_json::Value;
use std::{collections::BTreeMap, sync::Arc, time::Duration};
use storage::Store;
use tokio::{sync::Semaphore, task::AbortHandle, time::Instant};

/// How many attempts may be in their first second.
const PERMITS: usize = 64;
/// How many of these receivers may have that are new or failing.
const PERMITS_UNWELL: usize = 48;
/// How often it looks although nobody woke it.
const POLL: Duration = Duration::from_secs(5);
/// How soon it looks again when it does not know what is due next.
const LOOK_AGAIN: Duration = Duration::from_millis(250);
/// Rounds that only write down outcomes are this far apart, so that each has something to write.
const LINGER: Duration = Duration::from_millis(5);
/// How often what waits is counted.
const COUNT: Duration = Duration::from_secs(15);
/// How long running attempts may take when the process stops: a little longer than an attempt.
const STOP: Duration = Duration::from_secs(11);

/// The actor.
pub(crate) struct Dispatcher;

/// What it is started with.
#[derive(Clone)]
pub(crate) struct Params {
    pub(crate) runtime: Runtime,
    pub(crate) store: Store,
    pub(crate) clock: SharedClock,
    pub(crate) courier: Arc<dyn Courier>,
    /// By kind of receiver.
    pub(crate) undertakers: BTreeMap<&'static str, Arc<dyn Undertaker>>,
    pub(crate) seal: Seal,
    pub(crate) schedule: RetrySchedule,
    pub(crate) metrics: Metrics,
    pub(crate) handle: Handle<Message>,
}

/// What it is told.
pub(crate) enum Message {
    /// Look by itself.
    Tick,
    /// There may be something new to deliver.
    Woken(Wake),
    /// Attempts have ended.
    Ended(Wake),
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
    lanes: Lanes,
    outbox: Arc<Outbox>,
    fresh: Arc<Semaphore>,
    fresh_unwell: Arc<Semaphore>,
    /// Whether the lanes may be due without our knowing.
    is_stale: bool,
    last_look: Option<Instant>,
    /// When lanes were last looked through from their beginning.
    last_search: Instant,
    /// Dead letters on their way to their owners.
    burials: Tasks,
    last_round: Instant,
    /// Counting what waits.
    count: Sideline,
    timer: Option<(Instant, AbortHandle)>,
    observed: Observed,
}

/// What it shows, since it started.
#[derive(Default, Serialize)]
struct Observed {
    /// Attempts under way.
    running: usize,
    /// Outcomes that are not written yet.
    unwritten: usize,
    /// Claims of one receiver's deliveries each.
    claims: u64,
    sent: u64,
    recorded: u64,
    dead: u64,
    /// Outcomes of leases that somebody else had meanwhile.
    lost: u64,
    /// Rounds that failed, and outcomes that could not be written.
    failures: u64,
}

impl Actor for Dispatcher {
    type Msg = Message;
    type State = State;
    type Arguments = Params;

    async fn pre_start(&self, myself: ActorRef<Message>, params: Params) -> Result<State, ActorProcessingErr> {
        myself.send_message(Message::Tick)?;
        let bell = Bell::new(params.handle.clone(), Message::Ended);
        Ok(State {
            params,
            lanes: Lanes::default(),
            outbox: Arc::new(Outbox::new(bell)),
            fresh: Arc::new(Semaphore::new(PERMITS)),
            fresh_unwell: Arc::new(Semaphore::new(PERMITS_UNWELL)),
            is_stale: true,
            last_look: None,
            last_search: Instant::now(),
            burials: Tasks::default(),
            last_round: Instant::now(),
            count: Sideline::new(COUNT),
            timer: None,
            observed: Observed::default(),
        })
    }

    async fn handle(&self, myself: ActorRef<Message>, message: Message, state: &mut State) -> Result<(), ActorProcessingErr> {
        match message {
            Message::Tick => {
                state.timer = None;
                if state.last_look.is_none_or(|last_look| last_look.elapsed() >= POLL) {
                    state.is_stale = true;
                }
                state.work(&myself).await;
            }
            Message::Woken(wake) => {
                drop(wake);
                state.last_look = None;
                state.is_stale = true;
                state.work(&myself).await;
            }
            Message::Ended(wake) => {
                drop(wake);
                let since = state.last_round.elapsed();
                if since < LINGER && state.outbox.waiting() < super::outbox::BATCH {
                    state.wait(&myself, LINGER.saturating_sub(since));
                } else {
                    state.work(&myself).await;
                }
            }
            Message::Observe(reply) => {
                state.observed.running = state.lanes.running();
                state.observed.unwritten = state.outbox.waiting();
                reply.state(&state.observed);
            }
        }
        Ok(())
    }

    /// No new attempts; those that run are waited for, and written down, dead letters too.
    async fn post_stop(&self, _: ActorRef<Message>, state: &mut State) -> Result<(), ActorProcessingErr> {
        let until = Instant::now() + STOP;
        while Instant::now() < until && (state.lanes.running() > 0 || state.outbox.waiting() > 0) {
            if state.outbox.waiting() == 0 {
                tokio::time::sleep(LINGER).await;
            } else if let Err(error) = state.settle().await {
                tracing::warn!(%error, "outcomes of deliveries are not written");
                break;
            }
        }
        let _ = tokio::time::timeout_at(until, state.burials.settled()).await;
        Ok(())
    }
}

impl State {
    async fn work(&mut self, myself: &ActorRef<Message>) {
        if self.params.runtime.is_draining() {
            return;
        }
        // What runs when the process is to stop is still written down; nothing more begins.
        let outcome = if self.params.runtime.is_winding_down() { self.settle().await.map(|()| POLL) } else { self.round().await };
        let wait = match outcome {
            Ok(wait) => wait,
            Err(error) => {
                self.observed.failures += 1;
                tracing::warn!(%error, "deliveries are put off");
                POLL / 5
            }
        };
        self.last_round = Instant::now();
        self.wait(myself, wait);
    }

    /// Comes back after that time, unless it comes back earlier anyway.
    fn wait(&mut self, myself: &ActorRef<Message>, wait: Duration) {
        let at = Instant::now() + wait;
        if let Some((earlier, timer)) = &self.timer {
            if *earlier <= at {
                return;
            }
            timer.abort();
        }
        self.timer = Some((at, myself.send_after(wait, || Message::Tick).abort_handle()));
    }
}
