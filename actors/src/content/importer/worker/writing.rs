//! Writes what was read, chunk by chunk: a page in one transaction, or in several if the database rejects one
//! of its records.

use super::{Chunk, Running, StepError, Worker};
use domain::{
    content::import::{Finding, Kind, Outcome, Phase, Report, SourceId, Status, record::Preset},
    shared::{Fault, Kind as FaultKind},
};
use services::content::{
    Authorized,
    import::{
        PreparedRecord,
        chunk::{ApplyChunk, ChunkPayload, ChunkResult},
        state::{DefaultOf, ImportState},
    },
};
use tokio::time::Instant;

impl Worker {
    /// Writes what is unwritten. If the database rejects a page, its halves are written, down to the record
    /// that is rejected.
    pub(super) async fn write(&mut self, running: &mut Running) -> Result<(), StepError> {
        while let Some(chunk) = running.unwritten.pop() {
            match self.commit(running, &chunk).await {
                Ok(()) => {}
                Err(StepError::Reload(fault)) if is_rejection(&fault) && self.split(running, &chunk, &fault) => {}
                Err(error) => {
                    self.throttle.slow_down();
                    running.unwritten.push(chunk);
                    return Err(error);
                }
            }
        }
        running.room = None;
        Ok(())
    }

    /// Splits records that the database rejects into halves. A single one is reported: the reason is one that
    /// the domain's rules do not know. Returns false for a chunk without records.
    fn split(&self, running: &mut Running, chunk: &Chunk, fault: &Fault) -> bool {
        let ChunkPayload::Records(records, range) = &chunk.payload else { return false };
        let part = |range, to| Chunk { payload: ChunkPayload::Records(records.clone(), range), to };
        match (running.at.0.kind(), records.get(range.clone())) {
            (Some(kind), Some([record])) => {
                tracing::warn!(import = %self.id, cause = fault.cause.as_deref().unwrap_or(&fault.message), "a record was refused");
                let finding = Finding::new("refused", kind, record.id(), record.label(), "it could not be stored");
                running.report.sum(kind, record.fingerprint);
                running.report.fail(finding);
                self.deps.metrics.count(kind, Outcome::Failed);
                running.unwritten.push(Chunk { payload: ChunkPayload::Empty, to: chunk.to });
            }
            (Some(_), Some([_, ..])) => {
                let middle = range.start + range.len() / 2;
                running.unwritten.extend([part(middle..range.end, chunk.to), part(range.start..middle, running.at)]);
            }
            _ => return false,
        }
        true
    }

    /// Has the space's actor write a chunk, and merges its outcome into the state. Should an attempt that
    /// seemed to fail have been committed, the next one finds the row at another position, and the import is
    /// opened anew.
    async fn commit(&mut self, running: &mut Running, chunk: &Chunk) -> Result<(), StepError> {
        let apply = ApplyChunk {
            id: self.id,
            lease: (self.fence, self.deps.settings.lease),
            attempt: self.attempt,
            state: running.state.clone(),
            payload: chunk.payload.clone(),
            report: running.report.clone(),
            from: running.at,
            to: chunk.to,
            rate: running.rate,
        };
        let now = Instant::now();
        match self.deps.spaces.execute(Authorized::for_import(&running.import), apply).await {
            Ok(ChunkResult::Applied(outcome)) => {
                self.extended_at = now;
                for (kind, outcome) in &outcome.outcomes {
                    self.deps.metrics.count(*kind, *outcome);
                }
                running.report = outcome.merge_into(&mut *running.state.write().await);
                running.at = chunk.to;
                Ok(())
            }
            Ok(ChunkResult::CancelRequested) => Err(StepError::Finish(Status::Cancelled, None)),
            Ok(ChunkResult::LeaseLost) => Err(StepError::LeaseLost),
            Ok(ChunkResult::MovedOn) => Err(StepError::Reload(Fault::unavailable("the import is at another position by now"))),
            // The space was deleted.
            Err(fault) if fault.kind() == FaultKind::NotFound => Err(StepError::Finish(Status::Cancelled, None)),
            Err(fault) if fault.kind() == FaultKind::Unavailable => Err(StepError::Unwritten(fault)),
            Err(fault) => Err(StepError::Reload(fault)),
        }
    }
}

/// Updates the moving average of records per second.
pub(super) fn update_rate(running: &mut Running, records: usize) {
    #[expect(clippy::cast_precision_loss, reason = "a page is small")]
    let rate = records as f64 / running.last_page_at.elapsed().as_secs_f64().max(0.001);
    running.rate = if running.rate > 0.0 { running.rate * 0.8 + rate * 0.2 } else { rate };
    running.last_page_at = Instant::now();
}

/// Whether the database rejected a record of the chunk, so that the other records can still be written.
fn is_rejection(fault: &Fault) -> bool {
    matches!(fault.kind(), FaultKind::Internal | FaultKind::Invalid)
}

/// Reports what is missing at the end of a phase, before its last page is written.
pub(super) async fn check_phase(running: &mut Running, phase: Phase, last_page: &[PreparedRecord]) {
    let Some(kind) = phase.kind() else { return };
    check_count(&mut running.report, kind, last_page.len() as u64);
    if kind == Kind::Preset {
        let state = running.state.read().await;
        check_default_presets(&mut running.report, &state, last_page);
    }
}

/// Reports components whose default preset does not exist at the source.
fn check_default_presets(report: &mut Report, state: &ImportState, last_page: &[PreparedRecord]) {
    let exists =
        |preset: SourceId<Preset>| state.mapping(preset).is_some() || last_page.iter().any(|record| record.id() == preset.number());
    let mut missing: Vec<_> = state.default_presets.iter().filter(|(preset, _)| !exists(**preset)).collect();
    missing.sort_unstable_by_key(|(preset, _)| **preset);
    for (preset, DefaultOf { component, name }) in missing {
        let message = format!("it starts from preset {preset}, which is missing: it starts from none");
        report.warnings.add(Finding::new("presetMissing", Kind::Component, component.number(), name, message));
    }
}

/// Reports a source that returned another number of records than it had announced.
fn check_count(report: &mut Report, kind: Kind, on_last_page: u64) {
    let returned = report.done_of(kind) + on_last_page;
    if let Some(announced) = report.announced.get(&kind).copied().filter(|announced| *announced != returned) {
        let message = format!("the source said that it has {announced}, and gave {returned}");
        report.warnings.add(Finding::new("countDiffers", kind, 0, kind.name(), message));
    }
}
