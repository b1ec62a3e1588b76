//! Does one import, step by step.

use super::{
    Metrics, Settings,
    chunk::{Chunk, End, LEASE, Load, MOVED_ON, NOT_OURS, Written},
    feeder::{Fed, Feed, Table},
    memory::Memory,
    source::{Head, Overview, Source, SourceError},
    sources::Place,
    take::{self, Hand, Item, Taken},
};
use crate::{content::Spaces, runtime::Runtime};
use domain::{
    content::import::{Finding, Import, Kind, Phase, Record, Report, Status},
    shared::{Actor, Fault, ImportId, Kind as FaultKind, Origin, SharedClock, SharedEntropy, SpaceId},
};
use std::{future::Future, ops::Range, pin::pin, sync::Arc};
use storage::{
    Store,
    content::imports::jobs,
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

    /// Begins with the row.
    async fn open(&mut self) -> Result<Option<Running>, Setback> {
        let session = self.tools.store.read("import.open").await?;
        let import = match jobs::find(&session, self.space, self.id).await? {
            Some(import) if !import.status.is_over() => import,
            _ => {
                if let Some(lease) = self.lease.take() {
                    let _outcome = lease.finish(&session, self.tools.clock.now()).await?;
                }
                return Err(Setback::Gone);
            }
        };
        if import.is_cancel_requested {
            return Err(Setback::End(Status::Cancelled, None));
        }
        if self.attempt - jobs::progressed_in(&session, self.space, self.id).await? > CRASHES {
            return Err(failed("crashed", "The process ended again and again while it was at this import"));
        }
        let place = self.place()?;
        let sealed = jobs::sealed_token(&session, self.space, self.id).await?;
        let token = sealed.and_then(|it| place.token(self.space, &it));
        let source = place.source(&self.tools.runtime, &import.source, token)?;
        let overview = self.attend(source.open()).await??;
        let memory = Memory::load(&session, self.space, overview.space.id, &place.base_url).await?;
        let (at, report) = if import.dry_run {
            ((Phase::Space, 0), Report::default())
        } else {
            ((import.phase, import.cursor), import.report.clone())
        };
        let mut running = Running {
            import,
            source,
            memory: Arc::new(RwLock::new(memory)),
            at,
            report: Report { announced: overview.announced.clone(), ..report },
            overview,
            feed: None,
            last: Instant::now(),
            rate: 0.0,
        };
        if running.at.0 > Phase::Assets {
            self.recall_files(&running).await?;
        }
        if running.at.0 >= Phase::Folders {
            self.reserve(&mut running).await?;
        }
        Ok(Some(running))
    }

    /// Does the next page.
    async fn page(&mut self, mut running: Running) -> Result<Option<Running>, Setback> {
        let (phase, cursor) = running.at;
        if phase == Phase::Space {
            let settings = if running.import.dry_run { Load::Nothing } else { Load::Settings(running.overview.space.clone()) };
            for (code, message) in &running.overview.warnings {
                running.report.warnings.add(Finding::new(code, Kind::Story, 0, "", message));
            }
            running.at = self.follow(&mut running, settings, next_of(phase, None)).await?;
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
                place: if running.import.dry_run { None } else { Some(self.place()?.clone()) },
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
            return Err(Setback::End(Status::Succeeded, None));
        }
        Ok(Some(running))
    }

    /// What has to be known before a phase begins.
    async fn enter(&self, running: &mut Running, phase: Phase) -> Result<(), Setback> {
        match phase {
            Phase::Presets => {
                let mut defaults = Vec::new();
                let mut at = Some(0);
                while let Some(cursor) = at {
                    let page = self.attend(running.source.page(Phase::Components, cursor)).await??;
                    defaults.extend(page.records.iter().filter_map(|(record, _)| match record {
                        Record::Component(it) => Some((it.preset_id?, it.id)),
                        _ => None,
                    }));
                    at = page.next;
                }
                running.memory.write().await.default_presets.extend(defaults);
                Ok(())
            }
            Phase::Folders => self.reserve(running).await,
            _ => Ok(()),
        }
    }

    /// Where imports come from and go to.
    fn place(&self) -> Result<&Place, Setback> {
        self.tools.settings.place.as_ref().ok_or_else(|| failed("noSources", "This server is not set up for imports"))
    }

    /// The URLs of assets that were brought over before this import was cut off.
    async fn recall_files(&self, running: &Running) -> Result<(), Setback> {
        let mut at = Some(0);
        while let Some(cursor) = at {
            let page = self.attend(running.source.page(Phase::Assets, cursor)).await??;
            let mut memory = running.memory.write().await;
            for (record, _) in &page.records {
                let Record::Asset(asset) = record else { continue };
                let here = memory.known(Kind::Asset, asset.id).and_then(|it| memory.files.get(&it.id).cloned());
                if let Some(url) = here {
                    memory.maps.urls.insert(&asset.filename, &url);
                }
            }
            at = page.next;
        }
        Ok(())
    }

    /// Gives every story of the source a number, and learns which there are.
    async fn reserve(&self, running: &mut Running) -> Result<(), Setback> {
        let heads: Vec<Head> = self.attend(running.source.heads()).await??;
        let wanted: Vec<_> = heads.iter().map(|it| (it.id, it.uuid)).collect();
        running.memory.write().await.maps.known.extend(heads.iter().map(|it| it.uuid));
        let load = if running.import.dry_run {
            let session = self.tools.store.read("import.look").await?;
            let memory = running.memory.read().await;
            let mut taken = Taken::new(running.report.clone(), &memory);
            take::make_up(&session, self.space, &memory, &wanted, &mut taken).await?;
            Load::Looked(Box::new(taken))
        } else {
            Load::Reservations(wanted)
        };
        let at = running.at;
        self.follow(running, load, at).await.map(drop)
    }

    /// Writes a page; when the database refuses something in it, half by half, down to the record that is at fault.
    async fn write(
        &self,
        running: &mut Running,
        items: Arc<Vec<Item>>,
        to: (Phase, i64),
        is_last: bool,
    ) -> Result<(Phase, i64), Setback> {
        #[expect(clippy::cast_precision_loss, reason = "a page is small")]
        let now_rate = items.len() as f64 / running.last.elapsed().as_secs_f64().max(0.001);
        running.rate = if running.rate > 0.0 { running.rate * 0.8 + now_rate * 0.2 } else { now_rate };
        running.last = Instant::now();
        if is_last && let Some(kind) = running.at.0.kind() {
            check_count(&mut running.report, kind, items.len() as u64);
        }
        let mut waiting: Vec<Range<usize>> = Vec::new();
        waiting.push(0..items.len());
        let mut at = running.at;
        while let Some(range) = waiting.pop() {
            let end = range.end == items.len();
            let next = if end { to } else { running.at };
            let load = self.load(running, &items, range.clone()).await?;
            match self.follow(running, load, next).await {
                Ok(now) => at = now,
                Err(Setback::Again(fault)) if is_refusal(&fault) && range.len() > 1 => {
                    let middle = range.start + range.len() / 2;
                    waiting.extend([middle..range.end, range.start..middle]);
                }
                Err(Setback::Again(fault)) if is_refusal(&fault) && range.len() == 1 => {
                    at = self.refused(running, &items, range, &fault, next).await?;
                }
                Err(setback) => return Err(setback),
            }
        }
        Ok(at)
    }

    async fn load(&self, running: &Running, items: &Arc<Vec<Item>>, range: Range<usize>) -> Result<Load, Setback> {
        if !running.import.dry_run {
            return Ok(Load::Items(items.clone(), range));
        }
        let session = self.tools.store.read("import.look").await?;
        let memory = running.memory.read().await;
        let mut taken = Taken::new(running.report.clone(), &memory);
        let hand = Hand::Looking(&session, self.space);
        take::page(running.at.0, &hand, &memory, items.get(range).unwrap_or_default(), &mut taken).await?;
        Ok(Load::Looked(Box::new(taken)))
    }

    /// A record that the database refuses, for a reason that no rule of ours foresaw.
    async fn refused(
        &self,
        running: &mut Running,
        items: &Arc<Vec<Item>>,
        range: Range<usize>,
        fault: &Fault,
        next: (Phase, i64),
    ) -> Result<(Phase, i64), Setback> {
        tracing::warn!(import = %self.id, cause = fault.cause.as_deref().unwrap_or(&fault.message), "a record was refused");
        if let (Some(kind), Some(item)) = (running.at.0.kind(), items.get(range.start)) {
            let finding = Finding::new("refused", kind, item.id(), item.label(), "it could not be stored");
            running.report.fail(finding);
            self.tools.metrics.count(kind, domain::content::import::Outcome::Failed);
        }
        self.follow(running, Load::Nothing, next).await
    }

    /// Has the space's actor write a chunk, and enters what came of it.
    async fn follow(&self, running: &mut Running, load: Load, to: (Phase, i64)) -> Result<(Phase, i64), Setback> {
        let total: u64 = running.report.announced.values().sum();
        let chunk = Chunk {
            id: self.id,
            fence: self.fence,
            attempt: self.attempt,
            memory: running.memory.clone(),
            load,
            report: running.report.clone(),
            from: running.at,
            to,
            total: i64::try_from(total).ok(),
            rate: running.rate,
        };
        match self.tools.spaces.write(self.space, running.import.by.clone(), Origin::default(), chunk).await {
            Ok(Written::Done(taken)) => {
                for (kind, outcome) in &taken.outcomes {
                    self.tools.metrics.count(*kind, *outcome);
                }
                running.report = taken.enter(&mut *running.memory.write().await);
                Ok(to)
            }
            Ok(Written::CancelRequested) => Err(Setback::End(Status::Cancelled, None)),
            Err(fault) if fault.code == NOT_OURS || fault.kind == FaultKind::NotFound => Err(Setback::Gone),
            Err(fault) => Err(Setback::Again(fault)),
        }
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

    /// Ends the job in its row, then the lease.
    async fn end(&mut self, status: Status, error: Option<(String, String)>) -> Result<Next, Fault> {
        let by = Actor::system("import");
        let end = End { id: self.id, fence: self.fence, status, error };
        match self.tools.spaces.write(self.space, by, Origin::default(), end).await {
            Ok(()) => {}
            Err(fault) if fault.code == NOT_OURS || fault.kind == FaultKind::NotFound => {}
            Err(fault) => return Err(fault),
        }
        if let Some(lease) = self.lease.take() {
            let session = self.tools.store.read("import.finish").await?;
            let _outcome = lease.finish(&session, self.tools.clock.now()).await?;
        }
        Ok(Next::Nothing)
    }
}

/// Whether the database refused something in a page, so that the rest of it may still go in.
fn is_refusal(fault: &Fault) -> bool {
    fault.code != MOVED_ON && matches!(fault.kind, FaultKind::Internal | FaultKind::Invalid)
}

/// Where the job stands after a page.
fn next_of(phase: Phase, next: Option<i64>) -> (Phase, i64) {
    match (next, phase.next()) {
        (Some(cursor), _) => (phase, cursor),
        (None, Some(following)) => (following, 0),
        (None, None) => (phase, END),
    }
}

/// A source that gave more or less than it had said.
fn check_count(report: &mut Report, kind: Kind, on_last_page: u64) {
    let came = report.done_of(kind) + on_last_page;
    if let Some(said) = report.announced.get(&kind).copied().filter(|said| *said != came) {
        let message = format!("the source said that it has {said}, and gave {came}");
        report.warnings.add(Finding::new("countDiffers", kind, 0, kind.name(), message));
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
