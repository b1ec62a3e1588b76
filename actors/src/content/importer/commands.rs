//! Starting, resuming and stopping imports.

use super::{closing, take::aside::DISPLACED};
use crate::content::{CommandContext, SpaceCommand};
use domain::{
    content::{
        Changes,
        import::{Import, SourceRef, Status},
    },
    shared::{Actor, Fault, ImportId, Kind as FaultKind},
};
use serde_json::{Value, json};
use storage::{
    content::imports::jobs,
    queue::{self, IMPORT, IMPORT_LOCAL, NewJob},
};

/// Asks for an import. It begins when a process has a slot for it.
pub struct StartImport {
    /// Where the records come from.
    pub source: SourceRef,
    /// Whether nothing is written.
    pub dry_run: bool,
    /// Whether webhooks are told of stories that it publishes, takes offline and moves.
    pub webhooks: bool,
    /// The source's token, encrypted.
    pub sealed_token: Option<Vec<u8>>,
    /// Who wants it.
    pub by: Actor,
}

impl SpaceCommand for StartImport {
    type Output = Import;

    const NAME: &'static str = "import.start";

    async fn run(&self, ctx: &CommandContext<'_>) -> storage::Result<(Import, Changes)> {
        let new = jobs::NewJob {
            source: &self.source,
            dry_run: self.dry_run,
            webhooks: self.webhooks,
            sealed_token: self.sealed_token.as_deref(),
            by: &self.by,
            at: ctx.now,
        };
        let import = jobs::insert(ctx.tx, ctx.space, &new).await?;
        line_up(ctx, &import).await?;
        let changes = audited(
            "import.started",
            &import,
            json!({ "dry_run": self.dry_run, "webhooks": self.webhooks, "source": self.source }),
        );
        Ok((import, changes))
    }
}

/// The job of an import that waits for a process.
async fn line_up(ctx: &CommandContext<'_>, import: &Import) -> storage::Result<()> {
    let queue = match import.source {
        SourceRef::Vendor { .. } => IMPORT,
        SourceRef::Directory { .. } => IMPORT_LOCAL,
    };
    let payload = json!({ "space": ctx.space, "import": import.id });
    let job = NewJob { queue, key: ctx.space.to_string(), payload, due_at: ctx.now, at: ctx.now };
    queue::add(ctx.tx, &job).await.map(drop)
}

/// Has an import of the hosted service go on that failed or was cancelled: behind the last page that it wrote, with its report and its counts.
pub struct ResumeImport {
    /// Which.
    pub id: ImportId,
    /// The source's token, encrypted. The one that it had is gone.
    pub sealed_token: Vec<u8>,
}

impl SpaceCommand for ResumeImport {
    type Output = Import;

    const NAME: &'static str = "import.resume";

    async fn run(&self, ctx: &CommandContext<'_>) -> storage::Result<(Import, Changes)> {
        let import = jobs::lock(ctx.tx, ctx.space, self.id).await?.ok_or_else(Fault::not_found)?;
        resumable(&import)?;
        let mut report = import.report;
        // It told where things stood when it ended; the next end tells it anew.
        report.failures.forget(DISPLACED);
        jobs::resume(ctx.tx, ctx.space, self.id, &report, &self.sealed_token, ctx.now).await?;
        let after = jobs::find(ctx.tx, ctx.space, self.id).await?.ok_or_else(Fault::not_found)?;
        line_up(ctx, &after).await?;
        let meta = json!({ "dry_run": after.dry_run, "phase": after.phase, "records": after.done });
        let changes = audited("import.resumed", &after, meta);
        Ok((after, changes))
    }
}

/// Whether an import can be resumed; why not, in words for the caller.
fn resumable(import: &Import) -> Result<(), Fault> {
    let refused = |message: &'static str| Err(Fault::new(FaultKind::Invalid, "notResumable", message));
    match (&import.source, import.status) {
        (_, Status::Queued | Status::Running) => {
            Err(Fault::conflict("importRunning", "The import is not over: it goes on by itself"))
        }
        (_, Status::Succeeded) => refused("The import is complete: start another one to bring what has changed since"),
        (SourceRef::Directory { .. }, _) => {
            refused("The source is a folder: give the command again, which leaves alone what is here already")
        }
        (SourceRef::Vendor { .. }, Status::Failed | Status::Cancelled) => Ok(()),
    }
}

/// Stops an import. What it has written stays. One that nobody is at is over at once; the process that is at it stops before its next
/// page.
pub struct CancelImport(pub ImportId);

impl SpaceCommand for CancelImport {
    type Output = Import;

    const NAME: &'static str = "import.cancel";

    async fn run(&self, ctx: &CommandContext<'_>) -> storage::Result<(Import, Changes)> {
        let import = jobs::lock(ctx.tx, ctx.space, self.0).await?.ok_or_else(Fault::not_found)?;
        let is_held = queue::is_leased(ctx.tx, &[IMPORT, IMPORT_LOCAL], &ctx.space.to_string()).await?;
        match import.status {
            status if status.is_over() => Ok((import, Changes::default())),
            status if status == Status::Queued || !is_held => {
                let closed = closing::close(ctx, &import, Status::Cancelled, None).await?;
                let after = jobs::find(ctx.tx, ctx.space, self.0).await?.ok_or_else(Fault::not_found)?;
                let changes = audited("import.cancelled", &after, json!({}));
                Ok((after, closed.with(changes)))
            }
            _ => {
                jobs::request_cancel(ctx.tx, ctx.space, self.0, ctx.now).await?;
                let changes = audited("import.cancel", &import, json!({}));
                Ok((Import { is_cancel_requested: true, ..import }, changes))
            }
        }
    }
}

/// One audit entry about an import.
pub(super) fn audited(action: &'static str, import: &Import, meta: Value) -> Changes {
    let label = match &import.source {
        SourceRef::Vendor { region, space_id } => format!("{region} {space_id}"),
        SourceRef::Directory { .. } => "folder".to_owned(),
    };
    Changes::default().and_audit(action, "import", import.id, label, meta)
}
