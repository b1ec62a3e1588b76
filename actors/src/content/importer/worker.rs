//! Does one import, step by step.

mod ending;
mod opening;
mod writing;

use super::{
    Metrics, Settings,
    chunk::{LEASE, Load},
    feeder::{Fed, Feed, Table},
    memory::Memory,
    source::{Overview, Source, SourceError},
    sources::Place,
};
use crate::{content::Spaces, runtime::Runtime};
use domain::{
    content::import::{Finding, Import, Kind, Phase, Report, Status},
    shared::{Fault, ImportId, SharedClock, SharedEntropy, SpaceId},
};
use std::{future::Future, pin::pin, sync::Arc};
use storage::{
    Store,
    content::imports::{jobs, stories},
    queue::{Fence, Lease, Outcome as Held},
};
use tokio::{sync::RwLock, time::Instant};

/// How often a job may end with its process without having got on in between.
const CRASHES: i32 = 8;
/// Where a phase ends.
const END: i64 = i64::MAX;

/// What imports work with. Cheap to clone.
#[derive(Clone)]
pub(crate) struct Tools {
    pub(crate) runtime: Runtime,
    pub(crate) store: Store,
    pub(crate) clock: SharedClock,
    pub(crate) entropy: SharedEntropy,
    pub(crate) spaces: Spaces,
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
    running: Option<Running>,
}

/// What is known while it runs. It can be thrown away at any time, and read again.
struct Running {
    import: Import,
    overview: Overview,
    source: Arc<dyn Source>,
    memory: Arc<RwLock<Memory>>,
    at: (Phase, i64),
    report: Report,
    feed: Option<Feed>,
    last: Instant,
    rate: f64,
}

/// What comes after a step.
pub(super) enum Next {
    /// Another one.
    Step,
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
    /// For a job that was claimed; `None` when its payload names none.
    pub(super) fn new(tools: Tools, lease: Lease) -> Option<Self> {
        let payload = &lease.job().payload;
        let number = |key: &str| payload.get(key).and_then(serde_json::Value::as_i64);
        let (space, id) = (SpaceId(number("space")?), ImportId(number("import")?));
        let (fence, attempt) = (lease.fence(), lease.job().attempt);
        Some(Self { tools, space, id, lease: Some(lease), fence, attempt, running: None })
    }

    /// Gets on by a page. An error is worth another try after a while.
    pub(super) async fn step(&mut self) -> Result<Next, Fault> {
        let outcome = match self.running.take() {
            None => self.open().await,
            Some(running) => self.page(running).await,
        };
        match outcome {
            Ok(running) => {
                self.running = running;
                Ok(if self.running.is_some() { Next::Step } else { Next::Nothing })
            }
            Err(Setback::Again(fault)) => Err(fault),
            Err(Setback::End(status, error)) => self.end(status, error).await,
            Err(Setback::Gone) => {
                self.lease = None;
                Ok(Next::Nothing)
            }
        }
    }

    /// Gives the job back: whoever claims it next goes on.
    pub(super) async fn put_down(&mut self) {
        let Some(lease) = self.lease.take() else { return };
        let now = self.tools.clock.now();
        if let Ok(session) = self.tools.store.read("import.put_down").await {
            let _outcome = lease.again(&session, now, None).await;
        }
    }

    /// What it shows.
    pub(super) fn observed(&self) -> serde_json::Value {
        let at = self.running.as_ref().map(|it| it.at);
        serde_json::json!({
            "import": self.id, "space": self.space, "phase": at.map(|it| it.0), "cursor": at.map(|it| it.1),
        })
    }

    /// Does the next page.
    async fn page(&mut self, mut running: Running) -> Result<Option<Running>, Setback> {
        let (phase, cursor) = running.at;
        if phase == Phase::Space {
            let settings = if running.import.dry_run { Load::Nothing } else { Load::Settings(running.overview.space.clone()) };
            for (code, message) in &running.overview.warnings {
                running.report.warnings.add(Finding::new(code, Kind::Story, 0, "", message));
            }
            running.at = self.follow(&mut running, settings, next_of(phase, None), None).await?;
            return Ok(Some(running));
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
            };
            running.feed = Some(Feed::start(table, phase, cursor));
        }
        let Some(feed) = &mut running.feed else { return Ok(Some(running)) };
        let page = match self.attend(feed.next()).await? {
            Some(page) => page?,
            None => Fed { items: Vec::new(), next: None },
        };
        let to = next_of(phase, page.next);
        let is_last = page.next.is_none();
        if is_last {
            running.feed = None;
        }
        running.at = self.write(&mut running, Arc::new(page.items), to, is_last).await?;
        if running.at == (Phase::Stories, END) {
            if !running.import.dry_run {
                let session = self.tools.store.read("import.settle").await?;
                self.attend(stories::settle(&session)).await??;
            }
            return Err(Setback::End(Status::Succeeded, None));
        }
        Ok(Some(running))
    }

    /// Where imports come from and go to.
    fn place(&self) -> Result<&Place, Setback> {
        self.tools.settings.place.as_ref().ok_or_else(|| failed("noSources", "This server is not set up for imports"))
    }

    /// Waits for something outside, and holds the lease meanwhile.
    async fn attend<T>(&self, outside: impl Future<Output = T>) -> Result<T, Setback> {
        let mut outside = pin!(outside);
        loop {
            tokio::select! {
                done = &mut outside => return Ok(done),
                () = tokio::time::sleep(LEASE / 3) => {}
            }
            let session = self.tools.store.read("import.hold").await?;
            if self.fence.hold(&session, LEASE).await? == Held::Lost {
                return Err(Setback::Gone);
            }
            let import = jobs::find(&session, self.space, self.id).await?;
            match import {
                Some(import) if import.is_cancel_requested => return Err(Setback::End(Status::Cancelled, None)),
                Some(import) if !import.status.is_over() => {}
                _ => return Err(Setback::Gone),
            }
        }
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
        failed(error.code, error.message)
    }
}
