//! Removes what has expired. Each sweep is a job of its own that comes back every hour, or sooner; the
//! process that holds the lease of the job does it.

use super::{
    batch::{Retention, SweepContext},
    object_sweep::ObjectSweep,
    sweep::{SWEEP_INTERVAL, Sweep},
};
use crate::runtime::{Cause, Poller, Runtime, polling::MAX_POLL};
use domain::shared::SharedClock;
use ractor::ActorCell;
use serde::Serialize;
use std::{
    collections::{BTreeMap, VecDeque},
    time::Duration,
};
use storage::{
    Connection, Store,
    blobs::Blobs,
    queue::{self, JANITOR, JobOutcome, Lease},
};
use strum::VariantArray;
use tokio::time::Instant;

/// How often the queue is asked for a sweep that is due.
const POLL_INTERVAL: Duration = Duration::from_mins(1);
/// When a sweep that failed is due again.
const RETRY_AFTER: Duration = Duration::from_mins(5);
/// How long a lease holds; it is extended after each batch, which is much shorter.
const LEASE: Duration = Duration::from_mins(2);

/// What the janitor is made of.
#[derive(Clone)]
pub(crate) struct Params {
    pub(crate) runtime: Runtime,
    pub(crate) store: Store,
    pub(crate) clock: SharedClock,
    pub(crate) retention: Retention,
    /// The files of assets; without them, none are swept.
    pub(crate) blobs: Option<Blobs>,
}

/// The actor's state.
pub(crate) struct Janitor {
    params: Params,
    /// Whether every sweep is known to have its job.
    has_jobs: bool,
    /// Sweeps that were cut short because the poll took long: the first one goes on when no other is due.
    cut_short: VecDeque<RunningSweep>,
    observed: Observed,
}

/// A sweep whose job is leased.
struct RunningSweep {
    sweep: Sweep,
    lease: Lease,
    objects: ObjectSweep,
}

/// What the actor shows, since its start.
#[derive(Default, Serialize)]
struct Observed {
    /// Sweeps done, by name.
    sweeps: BTreeMap<&'static str, u64>,
    /// Rows and objects removed, by sweep.
    removed: BTreeMap<&'static str, u64>,
    /// Polls and sweeps that failed.
    failures: u64,
}

/// How far a sweep got.
enum Progress {
    /// Nothing more is due, or the process is stopping.
    Done,
    /// There is more to remove.
    TimeIsUp,
    /// Another process has the job now.
    LeaseLost,
}

impl Janitor {
    pub(crate) fn new(params: Params) -> Self {
        Self { params, has_jobs: false, cut_short: VecDeque::new(), observed: Observed::default() }
    }

    /// Does sweeps until none is due or the time of a poll is over. Returns when to go on.
    async fn run_due_sweeps(&mut self) -> storage::Result<Duration> {
        let began = Instant::now();
        let mut connection = self.params.store.connection("janitor.sweep").await?;
        if !self.has_jobs {
            ensure_jobs(&mut connection, &self.params).await?;
            self.has_jobs = true;
        }
        if queue::draw_back(&connection, JANITOR, SWEEP_INTERVAL).await? > 0 {
            tracing::warn!("the clock of the database went back: sweeps that were due too far ahead are due now");
        }
        while !self.params.runtime.is_draining() {
            let claimed = self.claim_sweep(&connection).await?;
            let Some(running) = claimed.or_else(|| self.cut_short.pop_front()) else { break };
            self.run_sweep(&connection, running, began).await?;
            if began.elapsed() >= MAX_POLL {
                return Ok(Duration::ZERO);
            }
        }
        Ok(self.params.runtime.jittered(POLL_INTERVAL))
    }

    /// The next sweep that is due.
    async fn claim_sweep(&self, connection: &Connection) -> storage::Result<Option<RunningSweep>> {
        loop {
            let leases = queue::claim(connection, JANITOR, 1, LEASE).await?;
            let Some(lease) = leases.into_iter().next() else { return Ok(None) };
            if let Ok(sweep) = lease.job().key.parse() {
                return Ok(Some(RunningSweep { sweep, lease, objects: ObjectSweep::default() }));
            }
            // A newer version that runs beside this one added it, and will do it.
            let _written = lease.reschedule(connection, SWEEP_INTERVAL, Some("unknownSweep")).await?;
        }
    }

    /// Goes on with a sweep, and makes its job due again when it is done.
    async fn run_sweep(&mut self, connection: &Connection, mut running: RunningSweep, began: Instant) -> storage::Result<()> {
        let name = running.sweep.into_str();
        match self.remove_batches(connection, &mut running, began).await {
            Ok(Progress::LeaseLost) => Ok(()),
            Ok(Progress::TimeIsUp) => {
                self.cut_short.push_back(running);
                Ok(())
            }
            Ok(Progress::Done) => {
                // When a stop cut it short, the rest of it is due at once.
                let next = if self.params.runtime.is_draining() { Duration::ZERO } else { running.sweep.interval() };
                *self.observed.sweeps.entry(name).or_default() += 1;
                running.lease.reschedule(connection, next, None).await.map(drop)
            }
            Err(error) => {
                let rescheduled = running.lease.reschedule(connection, RETRY_AFTER, Some("failed")).await;
                tracing::warn!(sweep = name, put_off = rescheduled.is_ok(), "sweep failed");
                Err(error)
            }
        }
    }

    /// Removes batch after batch until nothing is left, the lease is lost, or the poll has taken too long.
    async fn remove_batches(
        &mut self,
        connection: &Connection,
        running: &mut RunningSweep,
        began: Instant,
    ) -> storage::Result<Progress> {
        loop {
            let context = SweepContext {
                connection,
                blobs: self.params.blobs.as_ref(),
                retention: self.params.retention,
                now: self.params.clock.now(),
            };
            let batch = running.sweep.remove_batch(&context, &mut running.objects).await?;
            *self.observed.removed.entry(running.sweep.into_str()).or_default() += batch.removed;
            if !batch.has_more || self.params.runtime.is_draining() {
                return Ok(Progress::Done);
            }
            if running.lease.extend(connection, LEASE).await? == JobOutcome::Lost {
                return Ok(Progress::LeaseLost);
            }
            if began.elapsed() >= MAX_POLL {
                return Ok(Progress::TimeIsUp);
            }
        }
    }
}

impl Poller for Janitor {
    async fn poll(&mut self, _: Cause, _: &ActorCell) -> Duration {
        self.run_due_sweeps().await.unwrap_or_else(|error| {
            self.observed.failures += 1;
            tracing::warn!(%error, "sweeps are put off");
            self.params.runtime.jittered(POLL_INTERVAL)
        })
    }

    fn observe(&mut self) -> impl Serialize {
        &self.observed
    }

    /// Sweeps that were cut short are left to another process, or to the next start.
    async fn stop(&mut self) {
        let cut_short = std::mem::take(&mut self.cut_short);
        if cut_short.is_empty() {
            return;
        }
        let released = async {
            let connection = self.params.store.connection("janitor.release").await?;
            for running in cut_short {
                // Of one whose lease was lost, another process has the job.
                let _written = running.lease.reschedule(&connection, Duration::ZERO, None).await?;
            }
            Ok::<_, storage::Error>(())
        };
        if let Err(error) = released.await {
            tracing::warn!(%error, "sweeps that were cut short wait for their leases to run out");
        }
    }
}

/// Adds the job of each sweep that has none. Every process does it at its start; one job of each stands.
async fn ensure_jobs(connection: &mut Connection, params: &Params) -> storage::Result<()> {
    let sweeps: Vec<&str> = Sweep::VARIANTS.iter().map(Sweep::into_str).collect();
    let tx = connection.begin();
    queue::add_once(&tx, JANITOR, &sweeps, params.clock.now()).await?;
    tx.commit().await
}
