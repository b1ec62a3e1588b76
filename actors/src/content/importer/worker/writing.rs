//! Writes a page: one transaction, or several if the database rejects one of its records.

use super::{RETRY_DELAY, Running, StepError, Worker};
use domain::{
    content::import::{Finding, Kind, Outcome, Phase, Report, Status},
    shared::{Fault, Kind as FaultKind},
};
use services::content::{
    Authorized,
    import::{
        PreparedRecord,
        chunk::{ApplyChunk, ChunkPayload, ChunkResult},
        state::ImportState,
    },
};
use std::{ops::Range, sync::Arc};
use tokio::time::Instant;

impl Worker {
    /// Writes a page. If the database rejects it, its halves are written, down to the record that is rejected.
    pub(super) async fn write(
        &mut self,
        running: &mut Running,
        records: Arc<Vec<PreparedRecord>>,
        to: (Phase, i64),
        is_last: bool,
    ) -> Result<(), StepError> {
        update_rate(running, records.len());
        if is_last && let Some(kind) = running.at.0.kind() {
            check_count(&mut running.report, kind, records.len() as u64);
            if kind == Kind::Preset {
                let state = running.state.read().await;
                check_default_presets(&mut running.report, &state, &records);
            }
        }
        let mut pending: Vec<Range<usize>> = Vec::new();
        pending.push(0..records.len());
        while let Some(range) = pending.pop() {
            let next = if range.end == records.len() { to } else { running.at };
            let payload = ChunkPayload::Records(records.clone(), range.clone());
            match self.commit_chunk(running, payload, next).await {
                Ok(()) => {}
                Err(StepError::Retry(fault)) if is_rejection(&fault) && range.len() > 1 => {
                    let middle = range.start + range.len() / 2;
                    pending.extend([middle..range.end, range.start..middle]);
                }
                Err(StepError::Retry(fault)) if is_rejection(&fault) && range.len() == 1 => {
                    self.skip_rejected(running, records.get(range.start), &fault, next).await?;
                }
                Err(error) => return Err(error),
            }
        }
        Ok(())
    }

    /// Reports a record that the database rejects for a reason that the domain's rules do not know.
    async fn skip_rejected(
        &mut self,
        running: &mut Running,
        record: Option<&PreparedRecord>,
        fault: &Fault,
        next: (Phase, i64),
    ) -> Result<(), StepError> {
        tracing::warn!(import = %self.id, cause = fault.cause.as_deref().unwrap_or(&fault.message), "a record was refused");
        if let (Some(kind), Some(record)) = (running.at.0.kind(), record) {
            let finding = Finding::new("refused", kind, record.id(), record.label(), "it could not be stored");
            running.report.sum(kind, record.fingerprint);
            running.report.fail(finding);
            self.deps.metrics.count(kind, Outcome::Failed);
        }
        self.commit_chunk(running, ChunkPayload::Empty, next).await
    }

    /// Has the space's actor write a chunk, and merges its outcome into the state.
    ///
    /// If the database is unavailable, the chunk is repeated for as long as the lease holds. Should a seemingly failed attempt have been committed, the
    /// next one finds the row at another position, and the import is opened anew.
    pub(super) async fn commit_chunk(
        &mut self,
        running: &mut Running,
        payload: ChunkPayload,
        to: (Phase, i64),
    ) -> Result<(), StepError> {
        loop {
            let chunk = ApplyChunk {
                id: self.id,
                lease: (self.fence, self.deps.settings.lease),
                attempt: self.attempt,
                state: running.state.clone(),
                payload: payload.clone(),
                report: running.report.clone(),
                from: running.at,
                to,
                rate: running.rate,
            };
            let now = Instant::now();
            match self.deps.spaces.execute(Authorized::for_import(&running.import), chunk).await {
                Ok(ChunkResult::Applied(outcome)) => {
                    self.extended_at = now;
                    for (kind, outcome) in &outcome.outcomes {
                        self.deps.metrics.count(*kind, *outcome);
                    }
                    running.report = outcome.merge_into(&mut *running.state.write().await);
                    running.at = to;
                    return Ok(());
                }
                Ok(ChunkResult::CancelRequested) => return Err(StepError::Finish(Status::Cancelled, None)),
                Ok(ChunkResult::LeaseLost) => return Err(StepError::LeaseLost),
                Ok(ChunkResult::MovedOn) => {
                    self.throttle.slow_down();
                    return Err(StepError::Retry(Fault::unavailable("the import is at another position by now")));
                }
                // The space was deleted.
                Err(fault) if fault.kind() == FaultKind::NotFound => return Err(StepError::Finish(Status::Cancelled, None)),
                Err(fault) if self.may_retry(&fault) => {
                    tracing::info!(import = %self.id, cause = fault.cause.as_deref(), "a page of an import is written again");
                    self.throttle.slow_down();
                    tokio::time::sleep(RETRY_DELAY).await;
                }
                Err(fault) => {
                    self.throttle.slow_down();
                    return Err(StepError::Retry(fault));
                }
            }
        }
    }
}

/// Updates the moving average of records per second.
fn update_rate(running: &mut Running, records: usize) {
    #[expect(clippy::cast_precision_loss, reason = "a page is small")]
    let rate = records as f64 / running.last_page_at.elapsed().as_secs_f64().max(0.001);
    running.rate = if running.rate > 0.0 { running.rate * 0.8 + rate * 0.2 } else { rate };
    running.last_page_at = Instant::now();
}

/// Whether the database rejected a record of the chunk, so that the other records can still be written.
fn is_rejection(fault: &Fault) -> bool {
    matches!(fault.kind(), FaultKind::Internal | FaultKind::Invalid)
}

/// Reports components whose default preset does not exist at the source.
fn check_default_presets(report: &mut Report, state: &ImportState, last_page: &[PreparedRecord]) {
    let exists =
        |preset: i64| state.mapping(Kind::Preset, preset).is_some() || last_page.iter().any(|record| record.id() == preset);
    let mut missing: Vec<_> = state.default_presets.iter().filter(|(preset, _)| !exists(**preset)).collect();
    missing.sort_unstable();
    for (preset, (component, name)) in missing {
        let message = format!("it starts from preset {preset}, which is missing: it starts from none");
        report.warnings.add(Finding::new("presetMissing", Kind::Component, *component, name, message));
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
