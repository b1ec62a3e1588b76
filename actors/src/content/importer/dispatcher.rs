//! The actor that claims waiting imports and spawns an actor for each.

use super::{
    job::{self, ImportJob},
    retries::Waiting,
    worker::{ClaimedImport, WorkerDeps},
};
use crate::runtime::{Cause, Poller, polling::MAX_POLL};
use domain::shared::ImportId;
use ractor::{Actor, ActorCell, ActorId, ActorProcessingErr};
use serde::Serialize;
use services::content::{Authorized, import::jobs::CancelImport};
use std::{collections::HashMap, time::Duration};
use storage::{
    Connection,
    content::imports::jobs,
    queue::{self, Bound},
};
use tokio::{sync::watch, time::Instant};

/// How often it polls, for jobs whose process crashed and for lost notifications.
const POLL_INTERVAL: Duration = Duration::from_secs(10);

/// Imports are put off by nothing but a clock that is adjusted.
const LONGEST_WAIT: Duration = Duration::from_mins(1);
/// The dead-letter reason of a job without an import in its payload.
const UNREADABLE: &str = "unreadable";

/// The actor's state.
pub(crate) struct Importer {
    deps: WorkerDeps,
    running: HashMap<ActorId, RunningImport>,
    /// Makes the running imports look whether they were ended.
    check: watch::Sender<()>,
    observed: Observed,
}

/// An import whose actor runs.
struct RunningImport {
    id: ImportId,
    waiting: watch::Receiver<Option<Waiting>>,
}

/// What `Observe` reports, since the actor started.
#[derive(Default, Serialize)]
struct Observed {
    /// Imports that are running.
    running: usize,
    /// Those of them that wait until something is tried again at their source.
    waiting: Vec<WaitingImport>,
    /// Imports that were claimed.
    claimed: u64,
    failures: u64,
}

#[derive(Serialize)]
struct WaitingImport {
    import: ImportId,
    #[serde(flatten)]
    waiting: Waiting,
}

impl Poller for Importer {
    async fn poll(&mut self, cause: Cause, myself: &ActorCell) -> Duration {
        if cause == Cause::Woken {
            self.check.send_replace(());
        }
        if let Err(error) = self.claim_jobs(myself).await {
            self.observed.failures += 1;
            tracing::warn!(%error, "imports could not be claimed");
        }
        POLL_INTERVAL
    }

    fn observe(&mut self) -> impl Serialize {
        self.observed.running = self.running.len();
        let waiting = |running: &RunningImport| {
            let waiting = running.waiting.borrow().clone()?;
            Some(WaitingImport { import: running.id, waiting })
        };
        self.observed.waiting = self.running.values().filter_map(waiting).collect();
        self.observed.waiting.sort_unstable_by_key(|waiting| waiting.import);
        &self.observed
    }

    fn child_ended(&mut self, import: ActorId, error: Option<&str>) {
        if let Some(error) = error {
            // The job is claimed again when its lease expires.
            tracing::error!(%error, "an import's actor failed");
        }
        self.running.remove(&import);
        self.deps.metrics.set_running(self.running.len());
    }
}

impl Importer {
    pub(crate) fn new(deps: WorkerDeps) -> Self {
        deps.metrics.set_running(0);
        Self { deps, running: HashMap::new(), check: watch::Sender::new(()), observed: Observed::default() }
    }

    async fn claim_jobs(&mut self, myself: &ActorCell) -> Result<(), ActorProcessingErr> {
        if self.deps.runtime.is_draining() || self.deps.settings.env.is_none() {
            return Ok(());
        }
        let began = Instant::now();
        let settings = &self.deps.settings;
        let key = match &settings.only {
            None => None,
            Some(only) => match only.get() {
                Some(space) => Some(space.to_string()),
                None => return Ok(()),
            },
        };
        let mut connection = self.deps.store.connection("import.claim").await?;
        let mut leases = Vec::new();
        for queue in &settings.queues {
            let limit = settings.slots.saturating_sub(self.running.len() + leases.len());
            let bound = Bound { queues: &settings.queues, most: settings.slots, limit };
            if queue::draw_back(&connection, *queue, LONGEST_WAIT).await? > 0 {
                tracing::warn!(
                    queue = queue.name(),
                    "the clock of the database went back: imports that were due too far ahead are due now"
                );
            }
            leases.extend(queue::claim_within(&mut connection, (*queue, key.as_deref()), &bound, settings.lease).await?);
        }
        for lease in leases {
            let Some(job) = lease.job().payload else {
                tracing::error!(job.id = %lease.job().id, "a job names no import: it is a dead letter now");
                let _outcome = lease.mark_dead(&connection, self.deps.clock.now(), UNREADABLE).await?;
                continue;
            };
            let (shown, waiting) = watch::channel(None);
            let import = ClaimedImport { deps: self.deps.clone(), job, lease, check: self.check.subscribe() };
            let params = job::Params { import, waiting: shown };
            let (actor, _) = ImportJob::spawn_linked(None, ImportJob, params, myself.clone()).await?;
            self.running.insert(actor.get_id(), RunningImport { id: job.import, waiting });
            self.observed.claimed += 1;
        }
        self.deps.metrics.set_running(self.running.len());
        if key.is_none() {
            self.cancel_abandoned(&connection, began).await?;
        }
        Ok(())
    }

    /// Ends imports whose cancellation was requested and whose process is gone. This process may not be able
    /// to run those from folders, but it can end them.
    async fn cancel_abandoned(&self, connection: &Connection, began: Instant) -> Result<(), ActorProcessingErr> {
        for (space, import) in jobs::list_abandoned(connection).await? {
            if began.elapsed() >= MAX_POLL {
                break;
            }
            let ended = self.deps.spaces.execute(Authorized::for_job_of_import(space), CancelImport(import)).await;
            if let Err(fault) = ended {
                tracing::warn!(%import, error = %fault, cause = fault.cause.as_deref(), "an abandoned import cannot be cancelled yet");
            }
        }
        Ok(())
    }
}
