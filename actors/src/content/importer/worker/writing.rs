//! What a page leads to: one transaction, or more of them when the database refuses something in it.

use super::{AGAIN, Running, Setback, Worker};
use crate::content::importer::{
    chunk::{Chunk, Load, MOVED_ON, NOT_OURS, Written},
    memory::Memory,
    take::{self, Hand, Item, Taken},
};
use domain::{
    content::import::{Finding, Kind, Outcome, Phase, Report, Status},
    shared::{Fault, Kind as FaultKind, Origin},
};
use std::{ops::Range, sync::Arc};
use tokio::time::Instant;

impl Worker {
    /// Writes a page; when the database refuses something in it, half by half, down to the record that is at fault.
    pub(super) async fn write(
        &mut self,
        running: &mut Running,
        items: Arc<Vec<Item>>,
        to: (Phase, i64),
        is_last: bool,
    ) -> Result<(), Setback> {
        #[expect(clippy::cast_precision_loss, reason = "a page is small")]
        let now_rate = items.len() as f64 / running.last.elapsed().as_secs_f64().max(0.001);
        running.rate = if running.rate > 0.0 { running.rate * 0.8 + now_rate * 0.2 } else { now_rate };
        running.last = Instant::now();
        if is_last && let Some(kind) = running.at.0.kind() {
            check_count(&mut running.report, kind, items.len() as u64);
            if kind == Kind::Preset {
                let memory = running.memory.read().await;
                check_defaults(&mut running.report, &memory, &items);
            }
        }
        let mut waiting: Vec<Range<usize>> = Vec::new();
        waiting.push(0..items.len());
        while let Some(range) = waiting.pop() {
            let next = if range.end == items.len() { to } else { running.at };
            let load = self.load(running, &items, range.clone()).await?;
            match self.follow(running, load, next).await {
                Ok(()) => {}
                Err(Setback::Again(fault)) if is_refusal(&fault) && range.len() > 1 => {
                    let middle = range.start + range.len() / 2;
                    waiting.extend([middle..range.end, range.start..middle]);
                }
                Err(Setback::Again(fault)) if is_refusal(&fault) && range.len() == 1 => {
                    self.refused(running, &items, range, &fault, next).await?;
                }
                Err(setback) => return Err(setback),
            }
        }
        Ok(())
    }

    async fn load(&self, running: &Running, items: &Arc<Vec<Item>>, range: Range<usize>) -> Result<Load, Setback> {
        if !running.import.dry_run {
            return Ok(Load::Items(items.clone(), range));
        }
        let connection = self.tools.store.connection("import.look").await?;
        let memory = running.memory.read().await;
        let mut taken = Taken::new(running.report.clone(), &memory);
        let hand = Hand::Looking(&connection, self.space);
        take::page(running.at.0, &hand, &memory, items.get(range).unwrap_or_default(), &mut taken).await?;
        Ok(Load::Looked(Box::new(taken)))
    }

    /// What a dry run has to tell beyond its last page: who would have stood aside and found no way home.
    pub(super) async fn look_behind(&mut self, running: &mut Running) -> Result<(), Setback> {
        if !running.import.dry_run {
            return Ok(());
        }
        let connection = self.tools.store.connection("import.look").await?;
        let memory = running.memory.read().await;
        let mut taken = Taken::new(running.report.clone(), &memory);
        let _nothing_moved = take::aside::settle(&Hand::Looking(&connection, self.space), Some(&memory), &mut taken.report).await?;
        drop((memory, connection));
        let at = running.at;
        self.follow(running, Load::Looked(Box::new(taken)), at).await
    }

    /// A record that the database refuses, for a reason that no rule of ours foresaw.
    async fn refused(
        &mut self,
        running: &mut Running,
        items: &Arc<Vec<Item>>,
        range: Range<usize>,
        fault: &Fault,
        next: (Phase, i64),
    ) -> Result<(), Setback> {
        tracing::warn!(import = %self.id, cause = fault.cause.as_deref().unwrap_or(&fault.message), "a record was refused");
        if let (Some(kind), Some(item)) = (running.at.0.kind(), items.get(range.start)) {
            let finding = Finding::new("refused", kind, item.id(), item.label(), "it could not be stored");
            running.report.sum(kind, item.print);
            running.report.fail(finding);
            self.tools.metrics.count(kind, Outcome::Failed);
        }
        self.follow(running, Load::Nothing, next).await
    }

    /// Has the space's actor write a chunk, and enters what came of it. The row says what was done with the place where it stands: as long as that
    /// is the same, who begins there does all of it again.
    ///
    /// What does not get in just now is tried again for as long as the job is ours meanwhile. Should it have got in behind our back, the next try
    /// finds the row somewhere else.
    pub(super) async fn follow(&mut self, running: &mut Running, load: Load, to: (Phase, i64)) -> Result<(), Setback> {
        loop {
            let chunk = Chunk {
                id: self.id,
                hold: (self.fence, self.tools.settings.lease),
                attempt: self.attempt,
                memory: running.memory.clone(),
                load: load.clone(),
                report: running.report.clone(),
                from: running.at,
                to,
                rate: running.rate,
            };
            let now = Instant::now();
            match self.tools.spaces.execute(self.space, running.import.by.clone(), Origin::default(), chunk).await {
                Ok(Written::Done(taken)) => {
                    self.held_at = now;
                    for (kind, outcome) in &taken.outcomes {
                        self.tools.metrics.count(*kind, *outcome);
                    }
                    running.report = taken.enter(&mut *running.memory.write().await);
                    running.at = to;
                    return Ok(());
                }
                Ok(Written::CancelRequested) => return Err(Setback::End(Status::Cancelled, None)),
                Err(fault) if fault.code == NOT_OURS => return Err(Setback::Gone),
                Err(fault) if fault.kind == FaultKind::NotFound => return Err(Setback::End(Status::Cancelled, None)),
                Err(fault) if self.may_try_again(&fault) => {
                    tracing::info!(import = %self.id, cause = fault.cause.as_deref(), "a page of an import is written again");
                    self.gear.ease();
                    tokio::time::sleep(AGAIN).await;
                }
                Err(fault) => {
                    self.gear.ease();
                    return Err(Setback::Again(fault));
                }
            }
        }
    }
}

/// Whether the database refused something in a page, so that the rest of it may still go in.
fn is_refusal(fault: &Fault) -> bool {
    fault.code != MOVED_ON && matches!(fault.kind, FaultKind::Internal | FaultKind::Invalid)
}

/// Components that start from a preset which the source does not have.
fn check_defaults(report: &mut Report, memory: &Memory, last_page: &[Item]) {
    let came = |preset: i64| memory.known(Kind::Preset, preset).is_some() || last_page.iter().any(|l| l.id() == preset);
    let mut missing: Vec<_> = memory.default_presets.iter().filter(|(preset, _)| !came(**preset)).collect();
    missing.sort_unstable();
    for (preset, (component, name)) in missing {
        let message = format!("it starts from preset {preset}, which is missing: it starts from none");
        report.warnings.add(Finding::new("presetMissing", Kind::Component, *component, name, message));
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
