//! The dispatcher: one in each process. It works in rounds, and a round is a handful of statements however
//! many attempts it is about: record what ended, give up what is too old ([`expired`]), find out what is due,
//! claim as much as there are places for, send. To a receiver whose circuit is open it sends a probe when one
//! is due ([`probes`]).

mod attempt;
mod dead_letter_task;
mod expired;
mod outcomes;
mod probes;
mod round;

use super::{
    CancellationSignal, DeliverySettings, Metrics, Protocol, ReceiverKind,
    cancellations::InFlight,
    completions::{BATCH, CompletionQueue},
    scheduler::ReceiverScheduler,
};
use crate::runtime::{Cause, DatabaseTime, PeriodicTask, Poller, Runtime, TaskTracker};
use domain::shared::SharedClock;
use jiff::Timestamp;
use ractor::ActorCell;
use serde::Serialize;
use std::{collections::BTreeMap, sync::Arc, time::Duration};
use storage::Store;
use tokio::time::Instant;

/// How often the database is asked although nothing woke the dispatcher.
const POLL_INTERVAL: Duration = Duration::from_secs(5);
/// How soon it is asked again when it is not known what is due next.
const REFRESH_INTERVAL: Duration = Duration::from_millis(250);
/// The time between rounds that only record outcomes, so that each has several to record.
const LINGER: Duration = Duration::from_millis(5);
/// How often the backlog is counted.
const COUNT_INTERVAL: Duration = Duration::from_secs(15);
/// When the process stops, it waits for running attempts as long as one may take, and this much longer.
const STOP_MARGIN: Duration = Duration::from_secs(1);

/// What the dispatcher is made of.
#[derive(Clone)]
pub(crate) struct Params {
    pub(crate) runtime: Runtime,
    pub(crate) store: Store,
    pub(crate) clock: SharedClock,
    pub(crate) settings: DeliverySettings,
    /// By the name of the kind.
    pub(crate) kinds: BTreeMap<&'static str, ReceiverKind>,
    /// For receivers of any other kind.
    pub(crate) default_protocol: Arc<dyn Protocol>,
    /// Kinds that this process cannot serve: their deliveries are left to other processes.
    pub(crate) unserved: &'static [&'static str],
    pub(crate) metrics: Metrics,
    pub(crate) cancelled: CancellationSignal,
    /// Outlives the actor: what was not recorded, the next one records.
    pub(crate) completions: Arc<CompletionQueue>,
}

/// The actor's state.
pub(crate) struct Dispatcher {
    params: Params,
    scheduler: ReceiverScheduler,
    completions: Arc<CompletionQueue>,
    /// How many of the first outcomes there the scheduler has counted.
    counted: usize,
    in_flight: InFlight,
    /// The clock by which deliveries are due.
    time: DatabaseTime,
    /// Whether due times and leases may lie too far ahead, because the clock went back since they were
    /// written.
    may_be_ahead: bool,
    /// Whether something may be due that the scheduler does not know of.
    is_stale: bool,
    /// When the scheduler was last refreshed from the database. `None`: refresh at the next round.
    last_refresh: Option<Instant>,
    /// When receivers were last scanned from their beginning.
    last_full_scan: Instant,
    /// When deliveries that are too old were last looked for and none was left.
    none_expired_at: Option<Timestamp>,
    /// Dead letters on their way to their owners.
    dead_letter_tasks: TaskTracker,
    last_round: Instant,
    count_backlog: PeriodicTask,
    observed: Observed,
}

/// What the actor shows, since its start.
#[derive(Default, Serialize)]
struct Observed {
    /// How many attempts are in flight.
    running: usize,
    /// Outcomes that are not recorded yet.
    unwritten: usize,
    /// Claims, counted once for each receiver.
    claims: u64,
    sent: u64,
    recorded: u64,
    dead: u64,
    /// Outcomes whose lease another process had meanwhile.
    lost: u64,
    /// Rounds that failed, and outcomes that could not be recorded.
    failures: u64,
}

impl Dispatcher {
    pub(crate) fn new(params: Params) -> Self {
        Self {
            // Until the first reading, which comes before the first claim.
            time: DatabaseTime::new(params.clock.now()),
            may_be_ahead: true,
            completions: Arc::clone(&params.completions),
            params,
            scheduler: ReceiverScheduler::default(),
            counted: 0,
            in_flight: InFlight::default(),
            is_stale: true,
            last_refresh: None,
            last_full_scan: Instant::now(),
            none_expired_at: None,
            dead_letter_tasks: TaskTracker::default(),
            last_round: Instant::now(),
            count_backlog: PeriodicTask::new(COUNT_INTERVAL),
            observed: Observed::default(),
        }
    }
}

impl Poller for Dispatcher {
    async fn poll(&mut self, cause: Cause, _: &ActorCell) -> Duration {
        match cause {
            Cause::Timer => self.is_stale |= self.last_refresh.is_none_or(|at| at.elapsed() >= POLL_INTERVAL),
            Cause::Woken => {
                self.last_refresh = None;
                self.is_stale = true;
            }
            Cause::Finished => {
                let since = self.last_round.elapsed();
                if since < LINGER && self.completions.len() < BATCH {
                    return LINGER.saturating_sub(since);
                }
            }
        }
        if self.params.runtime.is_draining() {
            return POLL_INTERVAL;
        }
        // Attempts that run when the process is told to stop are still recorded; no new ones begin.
        let is_shutting_down = self.params.runtime.is_shutting_down();
        let outcome = if is_shutting_down { self.record_outcomes().await.map(|()| POLL_INTERVAL) } else { self.round().await };
        let wait = outcome.unwrap_or_else(|error| {
            self.observed.failures += 1;
            tracing::warn!(%error, "deliveries are put off");
            POLL_INTERVAL / 5
        });
        self.last_round = Instant::now();
        wait
    }

    fn observe(&mut self) -> impl Serialize {
        self.observed.running = self.scheduler.running();
        self.observed.unwritten = self.completions.len();
        &self.observed
    }

    /// No new attempts; those that run are waited for and recorded, dead letters too.
    async fn stop(&mut self) {
        let until = Instant::now() + self.params.settings.timeout + STOP_MARGIN;
        while Instant::now() < until && (self.scheduler.running() > 0 || self.completions.len() > 0) {
            if self.completions.len() == 0 {
                tokio::time::sleep(LINGER).await;
            } else if let Err(error) = self.record_outcomes().await {
                tracing::warn!(%error, "outcomes of deliveries are not written");
                break;
            }
        }
        let _ = tokio::time::timeout_at(until, self.dead_letter_tasks.wait_idle()).await;
    }
}
