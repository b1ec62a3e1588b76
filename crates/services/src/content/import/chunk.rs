//! Writes one step of a running import in one transaction; in a dry run it compares, and writes how far it
//! is.

use super::{
    apply::{
        self, ApplyContext, ChunkOutcome, PreparedRecord,
        stories::{displacement, reserve},
    },
    audit::audited,
    space_settings,
    state::ImportState,
};
use crate::content::command::{CommandContext, SpaceCommand};
use domain::{
    content::{
        Changes, Right,
        import::{Fingerprint, Import, Outcome, Phase, Report, record},
    },
    shared::{Fault, ImportId, Kind as FaultKind},
};
use serde_json::json;
use std::{ops::Range, sync::Arc, time::Duration};
use storage::{
    Error, Result,
    content::imports::{ids, jobs},
    queue::{Fence, JobOutcome as LeaseOutcome},
};
use tokio::sync::RwLock;

/// The lease that an import holds, and for how long each chunk extends it.
pub type HeldLease = (Fence, Duration);

/// Applies a chunk and moves the import's position, if the lease still holds.
pub struct ApplyChunk {
    pub id: ImportId,
    pub lease: HeldLease,
    /// The number of the lease attempt.
    pub attempt: i32,
    /// The state of the import. It is only read here.
    pub state: Arc<RwLock<ImportState>>,
    pub payload: ChunkPayload,
    pub report: Report,
    /// The position of the import, which the row must have.
    pub from: (Phase, i64),
    /// The position after this chunk.
    pub to: (Phase, i64),
    /// Records per second, for the progress display.
    pub rate: f64,
}

/// What a chunk writes besides the position.
#[derive(Clone)]
pub enum ChunkPayload {
    /// No records: only the progress is written.
    Empty,
    /// The settings of the source's space, and the fingerprint of the source.
    Settings(record::Space, Option<Fingerprint>),
    /// A range of the records of a page.
    Records(Arc<Vec<PreparedRecord>>, Range<usize>),
    /// The ids of the stories that the source lists.
    Reservations,
    /// The end of a dry run: stories that would stay displaced are reported. Other imports restore theirs
    /// when they end.
    Displaced,
}

/// The result of a chunk.
pub enum ChunkResult {
    Applied(Box<ChunkOutcome>),
    /// Nothing was written, because the import's cancellation was requested.
    CancelRequested,
    /// Nothing was written, because another process has the job, or the import is over.
    LeaseLost,
    /// Nothing was written, because the row is at another position: an earlier write of this process was
    /// committed although it seemed to fail.
    MovedOn,
}

impl SpaceCommand for ApplyChunk {
    type Output = ChunkResult;

    const NAME: &'static str = "import.page";

    const NEEDS: Right = Right::Administer;

    async fn run(&self, ctx: &CommandContext<'_>) -> Result<(ChunkResult, Changes)> {
        let Some(import) = lock_leased(ctx, self.id, self.lease).await? else {
            return Ok((ChunkResult::LeaseLost, Changes::default()));
        };
        if import.is_cancel_requested {
            return Ok((ChunkResult::CancelRequested, Changes::default()));
        }
        if !import.dry_run && (import.phase, import.cursor) != self.from {
            return Ok((ChunkResult::MovedOn, Changes::default()));
        }
        let state = self.state.read().await;
        let outcome = self.apply(ctx, &import, &state).await?;
        if !import.dry_run {
            ids::upsert(ctx.tx, ctx.space, state.source_space, self.id, &outcome.ids).await?;
        }
        let progress = jobs::Progress {
            phase: self.to.0,
            cursor: self.to.1,
            total: outcome.report.expected().and_then(|total| i64::try_from(total).ok()),
            rate: self.rate,
            done: i64::try_from(outcome.report.done()).unwrap_or(i64::MAX),
            report: &outcome.report,
            attempt: self.attempt,
            at: ctx.now,
        };
        jobs::record_progress(ctx.tx, ctx.space, self.id, &progress).await?;
        let changes = changes(&import, self.from.0, &outcome);
        Ok((ChunkResult::Applied(Box::new(outcome)), changes))
    }
}

impl ApplyChunk {
    async fn apply(&self, ctx: &CommandContext<'_>, import: &Import, state: &ImportState) -> Result<ChunkOutcome> {
        let context = ApplyContext::new(ctx, import.dry_run, state);
        let mut outcome = ChunkOutcome::new(self.report.clone(), state);
        match &self.payload {
            ChunkPayload::Empty => {}
            ChunkPayload::Settings(source, fingerprint) => {
                let settings = space_settings::merge(ctx, source, &mut outcome.report).await?;
                outcome.languages = Some(settings.after.languages.clone());
                if !import.dry_run {
                    jobs::set_source_fingerprint(ctx.tx, ctx.space, self.id, fingerprint.as_ref()).await?;
                    outcome.is_visible |= settings.save(ctx).await?;
                }
            }
            ChunkPayload::Records(records, range) => {
                let records = records.get(range.clone()).unwrap_or_default();
                let applied = apply::apply(self.from.0, &context, records, &mut outcome).await;
                applied.map_err(blame_record)?;
            }
            ChunkPayload::Reservations => reserve::reserve_ids(&context, &mut outcome).await?,
            ChunkPayload::Displaced => displacement::report_displaced(&context, &mut outcome.report).await?,
        }
        Ok(outcome)
    }
}

/// A row that a record needs may have been deleted meanwhile. That must not look like a missing space, which
/// would end the import.
fn blame_record(error: Error) -> Error {
    match error {
        Error::Fault(fault) if fault.kind() == FaultKind::NotFound => {
            Fault::internal("something that a record needs is gone").into()
        }
        error => error,
    }
}

/// Locks the row of an import without reading its report, which may be large. `None` if the import is over or
/// the lease is lost.
pub(super) async fn lock_leased(ctx: &CommandContext<'_>, id: ImportId, (fence, lease): HeldLease) -> Result<Option<Import>> {
    let import = jobs::lock_without_report(ctx.tx, ctx.space, id).await?;
    let Some(import) = import.filter(|import| !import.status.is_over()) else { return Ok(None) };
    Ok(match fence.extend(ctx.tx, lease).await? {
        LeaseOutcome::Written => Some(import),
        LeaseOutcome::Lost => None,
    })
}

/// One audit entry for a chunk that changed anything. It also notifies other processes of the change.
fn changes(import: &Import, phase: Phase, outcome: &ChunkOutcome) -> Changes {
    if import.dry_run || (outcome.count_changed() == 0 && !outcome.is_visible) {
        return Changes::default();
    }
    let count = |wanted: Outcome| outcome.outcomes.iter().filter(|(_, outcome)| *outcome == wanted).count();
    let meta = json!({ "phase": phase, "created": count(Outcome::Created), "updated": count(Outcome::Updated) });
    let mut changes = audited("import.page", import, meta);
    if import.webhooks {
        changes.events.clone_from(&outcome.events);
    }
    if outcome.is_visible { changes.visible() } else { changes }
}
