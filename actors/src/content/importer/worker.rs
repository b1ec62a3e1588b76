//! Does one import, step by step.

mod ending;
mod opening;
mod writing;

use super::{
    Metrics, Settings,
    chunk::Load,
    feeder::{Broken, Feed, Table},
    gear::Gear,
    memory::Memory,
    source::{Overview, Source, SourceError},
    sources::Place,
};
use crate::{content::SpaceRouter, read_load::ReadLoad, runtime::Runtime};
use domain::{
    content::import::{Finding, Import, Kind, Phase, Report, Status},
    shared::{Fault, ImportId, Kind as FaultKind, SharedClock, SharedEntropy, SpaceId},
};
use std::{future::Future, pin::pin, sync::Arc, time::Duration};
use storage::{
    Store,
    content::imports::jobs,
    queue::{Fence, Job, Lease, Outcome as Held},
};
use tokio::{sync::RwLock, time::Instant};

/// How often a job may end with its process without having got on in between.
const CRASHES: i32 = 8;
/// Where a phase ends.
const END: i64 = i64::MAX;
/// With so many stories there is a difference between a good way to find one and a bad one.
const MANY: u64 = 1_000;
/// How long to wait before the database is asked again that did not answer.
const AGAIN: Duration = Duration::from_secs(1);

/// What imports work with. Cheap to clone.
#[derive(Clone)]
pub(crate) struct Tools {
    pub(crate) runtime: Runtime,
    pub(crate) store: Store,
    pub(crate) clock: SharedClock,
    pub(crate) entropy: SharedEntropy,
    pub(crate) spaces: SpaceRouter,
    pub(crate) read_load: ReadLoad,
    pub(crate) settings: Settings,
    pub(crate) metrics: Metrics,
}

/// One import.
pub(super) struct Worker {
    tools: Tools,
    space: SpaceId,
    id: ImportId,
    lease: Option<Lease>,
    fence: Fence,
    attempt: i32,
    /// The last sign of life that was written: nobody else can have the job for as long as a lease lasts after it.
    held_at: Instant,
    gear: Arc<Gear>,
    /// Whether PostgreSQL was asked to take stock. It is not asked twice.
    took_stock: bool,
    running: Option<Running>,
}

/// What is known while it runs. It can be thrown away at any time, and read again.
struct Running {
    import: Import,
    overview: Overview,
    source: Arc<dyn Source>,
    memory: Arc<RwLock<Memory>>,
    /// Where the row stands: who begins with it begins there.
    at: (Phase, i64),
    /// What was done by now.
    report: Report,
    feed: Option<Feed>,
    last: Instant,
    rate: f64,
}

/// What comes after a step.
pub(super) enum Next {
    /// Another one, after a pause.
    Step {
        /// How long it is.
        after: Duration,
    },
    /// Nothing: the job is over, or somebody else's.
    Nothing,
}

/// Why a step did not get on.
enum Setback {
    /// Begin again with the row, after a while.
    Again(Fault),
    /// The job ends: failed, or cancelled.
    End(Status, Option<(String, String)>),
    /// The job is not ours any more.
    Gone,
}

impl Worker {
    /// Which import a job is about; `None` when its payload names none.
    pub(super) fn named(job: &Job) -> Option<(SpaceId, ImportId)> {
        let number = |key: &str| job.payload.get(key).and_then(serde_json::Value::as_i64);
        Some((SpaceId(number("space")?), ImportId(number("import")?)))
    }

    /// For an import whose job was claimed.
    pub(super) fn new(tools: Tools, (space, id): (SpaceId, ImportId), lease: Lease) -> Self {
        Self {
            tools,
            space,
            id,
            fence: lease.fence(),
            attempt: lease.job().attempt,
            lease: Some(lease),
            held_at: Instant::now(),
            gear: Arc::default(),
            took_stock: false,
            running: None,
        }
    }

    /// Gets on by a page. An error is worth another try after a while.
    pub(super) async fn step(&mut self) -> Result<Next, Fault> {
        let outcome = match self.running.take() {
            None => self.open().await.map(|running| (running, Duration::ZERO)),
            Some(running) => self.page(running).await.map(|(running, after)| (Some(running), after)),
        };
        match outcome {
            Ok((running, after)) => {
                self.running = running;
                Ok(if self.running.is_some() { Next::Step { after } } else { Next::Nothing })
            }
            Err(Setback::Again(fault)) => Err(fault),
            Err(Setback::End(status, error)) => self.end(status, error).await,
            Err(Setback::Gone) => {
                self.lease = None;
                Ok(Next::Nothing)
            }
        }
    }

    /// Gives the job back: whoever claims it next goes on. It is counted against the job when that may be to blame.
    pub(super) async fn put_down(&mut self, is_to_blame: bool) {
        let Some(lease) = self.lease.take() else { return };
        let now = self.tools.clock.now();
        let put_down = async {
            let connection = self.tools.store.connection("import.put_down").await?;
            if is_to_blame { lease.reschedule(&connection, now, None).await } else { lease.release(&connection, now).await }
        };
        if let Err(error) = put_down.await {
            tracing::warn!(%error, import = %self.id, "an import that was put down is held until its lease is over");
        }
    }

    /// Does the next page. Answers how long to pause behind it.
    async fn page(&mut self, mut running: Running) -> Result<(Running, Duration), Setback> {
        let (phase, cursor) = running.at;
        if phase == Phase::Space {
            let settings = Load::Settings(running.overview.space.clone(), running.overview.print);
            for (code, message) in &running.overview.warnings {
                running.report.warnings.add(Finding::new(code, Kind::Story, 0, "", message));
            }
            self.follow(&mut running, settings, next_of(phase, None)).await?;
            return Ok((running, Duration::ZERO));
        }
        if running.feed.is_none() {
            self.enter(&mut running, phase).await?;
            let table = Table {
                runtime: self.tools.runtime.clone(),
                clock: self.tools.clock.clone(),
                entropy: self.tools.entropy.clone(),
                space: self.space,
                source: running.source.clone(),
                memory: running.memory.clone(),
                place: self.place()?.clone(),
                is_dry: running.import.dry_run,
                gear: self.gear.clone(),
            };
            running.feed = Some(Feed::start(table, phase, cursor));
        }
        let Some(feed) = &mut running.feed else { return Ok((running, Duration::ZERO)) };
        let page = self.attend(feed.next()).await??;
        let to = match page.next {
            // Who begins anew does not find this place again.
            Some(_) if !running.source.keeps_place(phase) => running.at,
            next => next_of(phase, next),
        };
        let is_last = page.next.is_none();
        if is_last {
            running.feed = None;
        }
        let gear = self.gear.clone();
        let turn = gear.turn().await;
        let (began, read_before) = (Instant::now(), self.tools.read_load.busy_time());
        self.write(&mut running, Arc::new(page.items), to, is_last).await?;
        drop(turn);
        if running.at == (Phase::Stories, END) {
            self.look_behind(&mut running).await?;
            return Err(Setback::End(Status::Succeeded, None));
        }
        let took = began.elapsed();
        let reads =
            self.tools.read_load.busy_time().saturating_sub(read_before).div_duration_f64(took.max(Duration::from_millis(1)));
        let after = self.gear.shift(took, reads);
        if !running.import.dry_run && running.report.done_of(Kind::Story) >= MANY {
            self.take_stock().await?;
        }
        Ok((running, after))
    }

    /// Where imports come from and go to.
    fn place(&self) -> Result<&Place, Setback> {
        self.tools.settings.place.as_ref().ok_or_else(|| failed("noSources", "This server is not set up for imports"))
    }

    /// Waits for something outside, and holds the job meanwhile. A database that does not answer is asked again for as long as the job is ours
    /// without an answer: what was read is not to be read again because of a moment.
    async fn attend<T>(&mut self, outside: impl Future<Output = T>) -> Result<T, Setback> {
        let mut outside = pin!(outside);
        let lease = self.tools.settings.lease;
        let mut wait = lease / 3;
        loop {
            tokio::select! {
                done = &mut outside => return Ok(done),
                () = tokio::time::sleep(wait) => {}
            }
            match self.hold().await {
                Ok(()) => wait = lease / 3,
                Err(Setback::Again(fault)) if self.may_try_again(&fault) => wait = AGAIN,
                Err(setback) => return Err(setback),
            }
        }
    }

    /// Gives a sign of life, and looks whether somebody wants the job to stop.
    async fn hold(&mut self) -> Result<(), Setback> {
        let now = Instant::now();
        let connection = self.tools.store.connection("import.hold").await?;
        if self.fence.extend(&connection, self.tools.settings.lease).await? == Held::Lost {
            return Err(Setback::Gone);
        }
        self.held_at = now;
        match jobs::find_without_report(&connection, self.space, self.id).await? {
            Some(import) if import.is_cancel_requested => Err(Setback::End(Status::Cancelled, None)),
            Some(import) if !import.status.is_over() => Ok(()),
            _ => Err(Setback::Gone),
        }
    }

    /// Whether what failed may be tried again without beginning anew: it passes, and the job is ours for as long as that takes.
    fn may_try_again(&self, fault: &Fault) -> bool {
        fault.kind == FaultKind::Unavailable
            && self.held_at.elapsed() + AGAIN < self.tools.settings.lease
            && !self.tools.runtime.is_draining()
    }
}

/// Where the job stands after a page.
fn next_of(phase: Phase, next: Option<i64>) -> (Phase, i64) {
    match (next, phase.next()) {
        (Some(cursor), _) => (phase, cursor),
        (None, Some(following)) => (following, 0),
        (None, None) => (phase, END),
    }
}

fn failed(code: &str, message: impl Into<String>) -> Setback {
    Setback::End(Status::Failed, Some((code.to_owned(), message.into())))
}

impl From<storage::Error> for Setback {
    fn from(error: storage::Error) -> Self {
        Self::Again(error.into())
    }
}

impl From<SourceError> for Setback {
    fn from(error: SourceError) -> Self {
        if error.is_ours { Self::Again(Fault::unavailable(error.message)) } else { failed(error.code, error.message) }
    }
}

impl From<Broken> for Setback {
    fn from(broken: Broken) -> Self {
        match broken {
            Broken::Source(error) => error.into(),
            Broken::Died => Self::Again(Fault::internal("the task that reads the source of an import died")),
        }
    }
}
