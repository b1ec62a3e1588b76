//! Ends an import, whatever the reason.

use super::{
    apply::stories::displacement,
    audit::audited,
    chunk::{HeldLease, lock_leased},
};
use crate::content::command::{CommandContext, SpaceCommand};
use domain::{
    content::{
        Changes, Right,
        import::{Import, ImportError, Phase, SourceRef, Status},
    },
    shared::{Fault, ImportId, SpaceId},
};
use jiff::Timestamp;
use serde_json::json;
use storage::{
    Result, Store,
    content::imports::{ids, jobs},
    transact,
};

/// Ends an import whose lease this process holds.
pub struct FinishImport {
    pub id: ImportId,
    pub lease: HeldLease,
    pub status: Status,
    /// Why, if it failed.
    pub error: Option<ImportError>,
}

impl SpaceCommand for FinishImport {
    /// Whether the import wrote stories; not when this process has it no more.
    type Output = bool;

    const NAME: &'static str = "import.end";

    const NEEDS: Right = Right::Administer;

    async fn run(&self, ctx: &CommandContext<'_>) -> Result<(bool, Changes)> {
        if lock_leased(ctx, self.id, self.lease).await?.is_none() {
            return Ok((false, Changes::default()));
        }
        let import = jobs::find(ctx.tx, ctx.space, self.id).await?.ok_or_else(Fault::not_found)?;
        let error = self.error.as_ref();
        let action = match self.status {
            Status::Cancelled => "import.cancelled",
            Status::Failed => "import.failed",
            _ => "import.finished",
        };
        let meta = json!({ "dry_run": import.dry_run, "records": import.done, "error": error.map(|error| &error.code) });
        let changes = finish(ctx, &import, self.status, error, audited(action, &import, meta)).await?;
        let has_stories = !import.dry_run && import.phase >= Phase::Folders;
        Ok((has_stories, changes))
    }
}

/// Ends a locked import: displaced stories are restored, and the report is raised to what the rows say.
/// Returns the changes with the events of the restored stories.
pub(super) async fn finish(
    ctx: &CommandContext<'_>,
    import: &Import,
    status: Status,
    error: Option<&ImportError>,
    mut changes: Changes,
) -> Result<Changes> {
    let (tx, space) = (ctx.tx, ctx.space);
    if !import.dry_run {
        let mut report = import.report.clone();
        for (kind, outcome, count) in ids::count_written(tx, space, import.id).await? {
            report.at_least(kind, outcome, count);
        }
        let restored = displacement::restore_all(ctx, &mut report).await?;
        if report != import.report {
            jobs::set_report(tx, space, import.id, &report).await?;
        }
        if import.webhooks {
            changes.events = restored.events;
        }
        if restored.has_moved {
            changes = changes.visible();
        }
    }
    let is_resumable = matches!(import.source, SourceRef::Vendor { .. }) && status == Status::Failed;
    let mut error = error.cloned();
    if let Some(error) = error.as_mut().filter(|_| is_resumable) {
        error.message.push_str(". It can be resumed: what it has done stays done");
    }
    jobs::end(tx, space, import.id, status, error.as_ref(), ctx.now).await?;
    Ok(changes)
}

/// Ends an import into a deleted space, where no command can run. Its token must not stay in the row.
pub async fn abandon(store: &Store, space: SpaceId, id: ImportId, at: Timestamp) -> Result<()> {
    transact!(store, "import.abandon", async |tx| {
        match jobs::lock_without_report(tx, space, id).await? {
            Some(import) if !import.status.is_over() => jobs::end(tx, space, id, Status::Cancelled, None, at).await,
            _ => Ok(()),
        }
    })
    .await
}
