//! Runs one import, step by step. A worker waits for nothing but its source: what becomes of a step that
//! failed is decided by its actor ([`job`](super::job)).
//!
//! ```text
//! open ──▶ read ──▶ unwritten chunks ──commit──▶ read ──▶ …     the database is unavailable: the chunks stay, for as long as the lease holds
//!   ▲                                     └─▶ any other failure: the next step starts from the row
//!   └────────────────────────────────────────────┘
//! ```

mod ending;
mod opening;
mod writing;

use super::{
    Metrics, Settings,
    asset_files::FileFetcher,
    prefetch::{PageStream, PrefetchDeps, PrefetchError, PreparedPage},
    retries::RetryHandle,
    settings::ImportEnv,
    source::{Source, SourceError, SourceManifest},
    throttle::Throttle,
};
use crate::content::importer::end_code::EndCode;
use crate::{content::SpaceRouter, read_load::ReadLoad, runtime::Runtime};
use domain::{
    content::import::{Import, ImportError, ImportPayload, Kind, Phase, Report, Status},
    shared::{Fault, ImportId, Kind as FaultKind, SharedClock, SharedEntropy, SpaceId},
};
use services::content::import::{chunk::ChunkPayload, state::ImportState};
use std::{future::Future, pin::pin, sync::Arc, time::Duration};
use storage::{
    Store,
    content::imports::jobs,
    queue::{Fence, JobOutcome as LeaseOutcome, Lease},
};
use tokio::{
    sync::{OwnedSemaphorePermit, RwLock, watch},
    time::Instant,
};

/// How often the process may crash during an import without progress in between, before the import fails.
const MAX_CRASHES: i32 = 8;
/// The cursor at the end of the last phase.
const END: i64 = i64::MAX;
/// From this number of stories on, query plans without statistics are slow.
const ANALYZE_AFTER: u64 = 1_000;
/// The time between heartbeats while the database is unavailable.
const HEARTBEAT_RETRY: Duration = Duration::from_secs(1);

/// What workers need. Cheap to clone.
#[derive(Clone)]
pub(crate) struct WorkerDeps {
    pub(crate) runtime: Runtime,
    pub(crate) store: Store,
    pub(crate) clock: SharedClock,
    pub(crate) entropy: SharedEntropy,
    pub(crate) spaces: SpaceRouter,
    pub(crate) read_load: ReadLoad,
    pub(crate) settings: Settings,
    pub(crate) metrics: Metrics,
}

/// An import whose job was claimed.
pub(super) struct ClaimedImport {
    pub(super) deps: WorkerDeps,
    pub(super) job: ImportPayload,
    pub(super) lease: Lease<ImportPayload>,
    /// Changes when the import may have been cancelled: by a request, or because its space was deleted.
    pub(super) check: watch::Receiver<()>,
}

/// Runs one import whose job is leased.
pub(super) struct Worker {
    deps: WorkerDeps,
    /// Decides when what failed at the source is tried again.
    retries: RetryHandle,
    space: SpaceId,
    id: ImportId,
    /// `None` once the lease is released, lost or finished.
    lease: Option<Lease<ImportPayload>>,
    fence: Fence,
    attempt: i32,
    /// When the lease was last extended.
    extended_at: Instant,
    /// See [`ClaimedImport`].
    check: watch::Receiver<()>,
    throttle: Arc<Throttle>,
    /// Whether the statistics were updated during this import. Once is enough.
    is_analyzed: bool,
    running: Option<Running>,
}

/// What a worker knows between steps. It can be dropped at any time and loaded again from the row.
struct Running {
    import: Import,
    manifest: SourceManifest,
    source: Arc<dyn Source>,
    state: Arc<RwLock<ImportState>>,
    /// The position in the row.
    at: (Phase, i64),
    report: Report,
    pages: Option<PageStream>,
    /// What was read and is still to be written, the next chunk last.
    unwritten: Vec<Chunk>,
    /// Its part of the memory for pages.
    room: Option<OwnedSemaphorePermit>,
    /// When the last page was ready, for the rate.
    last_page_at: Instant,
    /// Records per second, a moving average.
    rate: f64,
}

/// What is written in one transaction.
struct Chunk {
    payload: ChunkPayload,
    /// The position after it.
    to: (Phase, i64),
}

/// A step that failed, for the actor to decide what follows.
#[derive(Debug)]
pub(super) struct StepFailure {
    pub(super) fault: Fault,
    /// For how long the worker can still write what it has read. Zero if it has nothing: its next step starts
    /// from the row.
    pub(super) lease_left: Duration,
}

/// What follows a step.
pub(super) enum Next {
    Step {
        after: Duration,
    },
    /// Nothing: the import has ended, the lease is lost, or the process stops.
    Stop,
}

/// Why a step failed.
enum StepError {
    /// The database was unavailable: the chunk can be written again as long as the lease holds.
    Unwritten(Fault),
    /// Load the row again after a while.
    Reload(Fault),
    /// End the import with this status, and the reason if it failed.
    Finish(Status, Option<ImportError>),
    /// Another process has the job, or another command has ended the import; then the job is finished as
    /// well.
    LeaseLost,
    /// The process stops. Another one continues at the row.
    Stopping,
}

impl Worker {
    /// A worker for an import.
    pub(super) fn new(claimed: ClaimedImport, retries: RetryHandle) -> Self {
        let ClaimedImport { deps, job, lease, check } = claimed;
        Self {
            retries,
            space: job.space,
            id: job.import,
            fence: lease.fence(),
            attempt: lease.job().attempt,
            lease: Some(lease),
            extended_at: Instant::now(),
            check,
            throttle: Arc::new(Throttle::new(deps.settings.max_page)),
            is_analyzed: false,
            running: None,
            deps,
        }
    }

    /// Opens the import, or reads and writes its next page.
    pub(super) async fn step(&mut self) -> Result<Next, StepFailure> {
        let (running, stepped) = match self.running.take() {
            None => match self.open().await {
                Ok(running) => (Some(running), Ok(Duration::ZERO)),
                Err(error) => (None, Err(error)),
            },
            Some(mut running) => {
                let stepped = self.advance(&mut running).await;
                (Some(running), stepped)
            }
        };
        self.running = running.filter(|_| matches!(stepped, Ok(_) | Err(StepError::Unwritten(_))));
        match stepped {
            Ok(after) => Ok(Next::Step { after }),
            Err(StepError::Unwritten(fault)) => {
                let lease_left = self.deps.settings.lease.saturating_sub(self.extended_at.elapsed());
                Err(StepFailure { fault, lease_left })
            }
            Err(StepError::Reload(fault)) => Err(fault.into()),
            Err(StepError::Finish(status, error)) => Ok(self.finish(status, error).await?),
            Err(StepError::LeaseLost) => {
                self.finish_job().await?;
                Ok(Next::Stop)
            }
            Err(StepError::Stopping) => Ok(Next::Stop),
        }
    }

    /// Forgets what was not written: the next step starts from the row.
    pub(super) fn forget(&mut self) {
        self.running = None;
    }

    /// Releases the job, so that another process can claim it at once. If the job may be to blame, the
    /// attempt counts towards its limit.
    pub(super) async fn release(&mut self, counts_as_attempt: bool) {
        let Some(lease) = self.lease.take() else { return };
        let released = async {
            let connection = self.deps.store.connection("import.release").await?;
            if counts_as_attempt {
                lease.reschedule(&connection, Duration::ZERO, None).await
            } else {
                lease.release(&connection).await
            }
        };
        if let Err(error) = released.await {
            tracing::warn!(%error, import = %self.id, "an import could not be released: it waits until its lease expires");
        }
    }

    /// Writes what is left to write, or else the next page. Returns the pause that is due.
    async fn advance(&mut self, running: &mut Running) -> Result<Duration, StepError> {
        if running.unwritten.is_empty() {
            self.read_next(running).await?;
        }
        let throttle = self.throttle.clone();
        let exclusive = throttle.acquire().await;
        let (started, reads_before) = (Instant::now(), self.deps.read_load.busy_time());
        self.write(running).await?;
        drop(exclusive);
        if running.at == (Phase::Stories, END) {
            return Err(StepError::Finish(Status::Succeeded, None));
        }
        let elapsed = started.elapsed();
        let reads = self.deps.read_load.busy_time().saturating_sub(reads_before);
        let after = self.throttle.adjust(elapsed, reads.div_duration_f64(elapsed.max(Duration::from_millis(1))));
        if !running.import.dry_run && running.report.done_of(Kind::Story) >= ANALYZE_AFTER {
            self.analyze().await?;
        }
        Ok(after)
    }

    /// Reads what is to be written next: the settings of the space, the first phase, or a page of records.
    async fn read_next(&mut self, running: &mut Running) -> Result<(), StepError> {
        let (phase, cursor) = running.at;
        if phase == Phase::Space {
            running.manifest.warnings.iter().for_each(|warning| running.report.warnings.add(warning.clone()));
            let payload = ChunkPayload::Settings(running.manifest.space.clone(), running.manifest.fingerprint);
            running.unwritten.push(Chunk { payload, to: position_after(phase, None) });
            return Ok(());
        }
        if running.pages.is_none() {
            self.prepare_phase(running, phase).await?;
            self.write(running).await?;
            running.pages = Some(self.start_pages(running, phase, cursor)?);
        }
        let Some(pages) = &mut running.pages else { return Ok(()) };
        let PreparedPage { records, next, room, .. } = self.await_with_heartbeat(pages.next()).await??;
        let to = match next {
            // The cursor means nothing after the source is opened again, so the row stays at the beginning of
            // the phase.
            Some(_) if !running.source.has_stable_cursor(phase) => running.at,
            next => position_after(phase, next),
        };
        if next.is_none() {
            running.pages = None;
            writing::check_phase(running, phase, &records).await;
        }
        writing::update_rate(running, records.len());
        if to == (Phase::Stories, END) && running.import.dry_run {
            running.unwritten.push(Chunk { payload: ChunkPayload::Displaced, to });
        }
        let range = 0..records.len();
        running.unwritten.push(Chunk { payload: ChunkPayload::Records(Arc::new(records), range), to });
        running.room = room;
        Ok(())
    }

    fn start_pages(&self, running: &Running, phase: Phase, cursor: i64) -> Result<PageStream, StepError> {
        let files = FileFetcher {
            retries: self.retries.clone(),
            clock: self.deps.clock.clone(),
            entropy: self.deps.entropy.clone(),
            space: self.space,
            source: running.source.clone(),
            state: running.state.clone(),
            blobs: self.env()?.blobs.clone(),
            is_dry_run: running.import.dry_run,
        };
        let deps = PrefetchDeps {
            runtime: self.deps.runtime.clone(),
            source: running.source.clone(),
            state: running.state.clone(),
            files,
            throttle: self.throttle.clone(),
        };
        Ok(PageStream::start(deps, phase, cursor))
    }

    fn env(&self) -> Result<&ImportEnv, StepError> {
        self.deps.settings.env.as_ref().ok_or_else(|| failed(EndCode::NoSources, "This server is not set up for imports"))
    }

    /// Awaits a source or a slow statement, and extends the lease meanwhile; also as soon as the import may
    /// have been ended. A process that stops does not wait. An unavailable database is asked again for as
    /// long as the lease holds, so that what was read from the source is not lost.
    async fn await_with_heartbeat<T>(&mut self, future: impl Future<Output = T>) -> Result<T, StepError> {
        let mut future = pin!(future);
        let lease = self.deps.settings.lease;
        let mut wait = lease / 3;
        loop {
            tokio::select! {
                output = &mut future => return Ok(output),
                () = tokio::time::sleep(wait) => {}
                Ok(()) = self.check.changed() => {}
                () = self.deps.runtime.draining() => return Err(StepError::Stopping),
                () = self.retries.ended() => return Err(if self.deps.runtime.is_draining() {
                    StepError::Stopping
                } else {
                    StepError::Reload(Fault::internal("the actor that decides on retries of an import died"))
                }),
            }
            match self.heartbeat().await {
                Ok(()) => wait = lease / 3,
                Err(StepError::Reload(fault)) if self.may_repeat_heartbeat(&fault) => wait = HEARTBEAT_RETRY,
                Err(error) => return Err(error),
            }
        }
    }

    /// Extends the lease, and checks whether the cancellation was requested.
    async fn heartbeat(&mut self) -> Result<(), StepError> {
        let connection = self.deps.store.connection("import.heartbeat").await?;
        self.extend_lease(&connection).await?;
        match jobs::find_without_report(&connection, self.space, self.id).await? {
            Some(import) if import.is_cancel_requested => Err(StepError::Finish(Status::Cancelled, None)),
            Some(import) if !import.status.is_over() => Ok(()),
            _ => Err(StepError::LeaseLost),
        }
    }

    async fn extend_lease(&mut self, connection: &storage::Connection) -> Result<(), StepError> {
        let now = Instant::now();
        if self.fence.extend(connection, self.deps.settings.lease).await? == LeaseOutcome::Lost {
            return Err(StepError::LeaseLost);
        }
        self.extended_at = now;
        Ok(())
    }

    /// Whether a failed heartbeat may be repeated: the failure is temporary, and the lease holds until then.
    fn may_repeat_heartbeat(&self, fault: &Fault) -> bool {
        fault.kind() == FaultKind::Unavailable && self.extended_at.elapsed() + HEARTBEAT_RETRY < self.deps.settings.lease
    }
}

/// The position after a page of a phase.
fn position_after(phase: Phase, next: Option<i64>) -> (Phase, i64) {
    match (next, phase.next()) {
        (Some(cursor), _) => (phase, cursor),
        (None, Some(following)) => (following, 0),
        (None, None) => (phase, END),
    }
}

fn failed(code: EndCode, message: impl Into<String>) -> StepError {
    StepError::Finish(Status::Failed, Some(ImportError { code: code.name().to_owned(), message: message.into() }))
}

impl From<Fault> for StepFailure {
    fn from(fault: Fault) -> Self {
        Self { fault, lease_left: Duration::ZERO }
    }
}

impl From<storage::Error> for StepError {
    fn from(error: storage::Error) -> Self {
        Self::Reload(error.into())
    }
}

impl From<SourceError> for StepError {
    fn from(error: SourceError) -> Self {
        if error.is_ours { Self::Reload(Fault::unavailable(error.message)) } else { failed(error.code, error.message) }
    }
}

impl From<PrefetchError> for StepError {
    fn from(error: PrefetchError) -> Self {
        match error {
            PrefetchError::Source(error) => error.into(),
            PrefetchError::Panicked => Self::Reload(Fault::internal("the task that reads the source of an import died")),
        }
    }
}
