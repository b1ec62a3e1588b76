//! What a page leads to: one transaction, or more of them when the database refuses something in it.

use super::{Running, Setback, Worker};
use crate::content::importer::{
    chunk::{Chunk, Load, MOVED_ON, NOT_OURS, Written},
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
        let before = running.report.clone();
        if is_last && let Some(kind) = running.at.0.kind() {
            check_count(&mut running.report, kind, items.len() as u64);
        }
        let mut waiting: Vec<Range<usize>> = Vec::new();
        waiting.push(0..items.len());
        let mut at = running.at;
        while let Some(range) = waiting.pop() {
            let end = range.end == items.len();
            let next = if end { to } else { running.at };
            let told = (!end).then(|| before.clone());
            let load = self.load(running, &items, range.clone()).await?;
            match self.follow(running, load, next, told.clone()).await {
                Ok(now) => at = now,
                Err(Setback::Again(fault)) if is_refusal(&fault) && range.len() > 1 => {
                    let middle = range.start + range.len() / 2;
                    waiting.extend([middle..range.end, range.start..middle]);
                }
                Err(Setback::Again(fault)) if is_refusal(&fault) && range.len() == 1 => {
                    at = self.refused(running, &items, range, &fault, (next, told)).await?;
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
        (next, told): ((Phase, i64), Option<Report>),
    ) -> Result<(Phase, i64), Setback> {
        tracing::warn!(import = %self.id, cause = fault.cause.as_deref().unwrap_or(&fault.message), "a record was refused");
        if let (Some(kind), Some(item)) = (running.at.0.kind(), items.get(range.start)) {
            let finding = Finding::new("refused", kind, item.id(), item.label(), "it could not be stored");
            running.report.sum(kind, item.print);
            running.report.fail(finding);
            self.tools.metrics.count(kind, Outcome::Failed);
        }
        self.follow(running, Load::Nothing, next, told).await
    }

    /// Has the space's actor write a chunk, and enters what came of it.
    pub(super) async fn follow(
        &self,
        running: &mut Running,
        load: Load,
        to: (Phase, i64),
        told: Option<Report>,
    ) -> Result<(Phase, i64), Setback> {
        let total: u64 = running.report.announced.values().sum();
        let chunk = Chunk {
            id: self.id,
            fence: self.fence,
            attempt: self.attempt,
            memory: running.memory.clone(),
            load,
            report: running.report.clone(),
            told,
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
            Err(fault) if fault.code == NOT_OURS => Err(Setback::Gone),
            Err(fault) if fault.kind == FaultKind::NotFound => Err(Setback::End(Status::Cancelled, None)),
            Err(fault) => Err(Setback::Again(fault)),
        }
    }
}

/// Whether the database refused something in a page, so that the rest of it may still go in.
fn is_refusal(fault: &Fault) -> bool {
    fault.code != MOVED_ON && matches!(fault.kind, FaultKind::Internal | FaultKind::Invalid)
}

/// A source that gave more or less than it had said.
fn check_count(report: &mut Report, kind: Kind, on_last_page: u64) {
    let came = report.done_of(kind) + on_last_page;
    if let Some(said) = report.announced.get(&kind).copied().filter(|said| *said != came) {
        let message = format!("the source said that it has {said}, and gave {came}");
        report.warnings.add(Finding::new("countDiffers", kind, 0, kind.name(), message));
    }
}
