//! Starts, resumes and cancels imports.

use super::{apply::stories::displacement::DISPLACED, audit::audited, finish::finish};
use crate::content::command::{CommandContext, SpaceCommand};
use domain::{
    content::{
        Changes, Right,
        import::{Import, ImportPayload, SourceRef, Status},
    },
    shared::{Code, Fault, ImportId},
};
use serde_json::json;
use storage::{
    Result,
    content::imports::jobs::{self, IMPORT, IMPORT_LOCAL},
    queue::{self, NewJob, Queue},
};

/// Requests an import. It starts when a process has a free slot.
pub struct StartImport {
    /// Where its records come from.
    pub source: SourceRef,
    /// Whether it only reports what it would do.
    pub dry_run: bool,
    /// Whether webhooks are sent for stories that it publishes, unpublishes and moves.
    pub webhooks: bool,
    /// The encrypted token of the source.
    pub sealed_token: Option<Vec<u8>>,
}

impl SpaceCommand for StartImport {
    type Output = Import;

    const NAME: &'static str = "import.start";

    const NEEDS: Right = Right::Administer;

    async fn run(&self, ctx: &CommandContext<'_>) -> Result<(Import, Changes)> {
        let new = jobs::NewImport {
            source: &self.source,
            dry_run: self.dry_run,
            webhooks: self.webhooks,
            sealed_token: self.sealed_token.as_deref(),
            by: ctx.authorized.actor(),
            at: ctx.now,
        };
        let import = jobs::insert(ctx.tx, ctx.space, &new).await?;
        enqueue(ctx, &import).await?;
        let meta = json!({ "dry_run": self.dry_run, "webhooks": self.webhooks, "source": self.source });
        let changes = audited("import.started", &import, meta);
        Ok((import, changes))
    }
}

/// Adds the queue job of an import.
async fn enqueue(ctx: &CommandContext<'_>, import: &Import) -> Result<()> {
    let payload = ImportPayload { space: ctx.space, import: import.id };
    let job = NewJob { queue: queue_of(import), key: ctx.space.to_string(), payload, at: ctx.now };
    queue::add(ctx.tx, &job).await.map(drop)
}

fn queue_of(import: &Import) -> Queue<ImportPayload> {
    match import.source {
        SourceRef::Vendor { .. } => IMPORT,
        SourceRef::Directory { .. } => IMPORT_LOCAL,
    }
}

/// Continues a failed or cancelled import from Storyblok after the last chunk that it wrote, with its report
/// and counts.
pub struct ResumeImport {
    pub id: ImportId,
    /// The encrypted token of the source. The import's own was deleted when it ended.
    pub sealed_token: Vec<u8>,
}

impl SpaceCommand for ResumeImport {
    type Output = Import;

    const NAME: &'static str = "import.resume";

    const NEEDS: Right = Right::Administer;

    async fn run(&self, ctx: &CommandContext<'_>) -> Result<(Import, Changes)> {
        let import = jobs::lock(ctx.tx, ctx.space, self.id).await?.ok_or_else(Fault::not_found)?;
        check_resumable(&import)?;
        let mut report = import.report;
        // These findings described the space at the end of the import; the next end adds them again.
        report.failures.remove_code(DISPLACED);
        jobs::resume(ctx.tx, ctx.space, self.id, &report, &self.sealed_token, ctx.now).await?;
        let after = jobs::find(ctx.tx, ctx.space, self.id).await?.ok_or_else(Fault::not_found)?;
        enqueue(ctx, &after).await?;
        let meta = json!({ "dry_run": after.dry_run, "phase": after.phase, "records": after.done });
        let changes = audited("import.resumed", &after, meta);
        Ok((after, changes))
    }
}

/// Fails with a message for the caller if an import cannot be resumed.
fn check_resumable(import: &Import) -> std::result::Result<(), Fault> {
    let refused = |message: &'static str| Err(Fault::new(Code::NotResumable, message));
    match (&import.source, import.status) {
        (_, Status::Queued | Status::Running) => {
            Err(Fault::new(Code::ImportRunning, "The import is not over: it goes on by itself"))
        }
        (_, Status::Succeeded) => refused("The import is complete: start another one to bring what has changed since"),
        (SourceRef::Directory { .. }, _) => {
            refused("The source is a folder: give the command again, which leaves alone what is here already")
        }
        (SourceRef::Vendor { .. }, Status::Failed | Status::Cancelled) => Ok(()),
    }
}

/// Ends the unfinished import of a space that is being deleted, also one that a process works on: that
/// process finds it ended, and is woken to look. Returns the changes.
pub(in crate::content) async fn cancel_open(ctx: &CommandContext<'_>) -> Result<Changes> {
    let Some(open) = jobs::find_open(ctx.tx, ctx.space).await? else { return Ok(Changes::default()) };
    let import = jobs::lock(ctx.tx, ctx.space, open.id).await?.filter(|import| !import.status.is_over());
    let Some(import) = import else { return Ok(Changes::default()) };
    queue::notify(ctx.tx, queue_of(&import)).await?;
    finish(ctx, &import, Status::Cancelled, None, audited("import.cancelled", &import, json!({}))).await
}

/// Cancels an import; what it has written stays. An import that no process works on ends at once, otherwise
/// that process ends it before its next chunk.
pub struct CancelImport(pub ImportId);

impl SpaceCommand for CancelImport {
    type Output = Import;

    const NAME: &'static str = "import.cancel";

    const NEEDS: Right = Right::Administer;

    async fn run(&self, ctx: &CommandContext<'_>) -> Result<(Import, Changes)> {
        let import = jobs::lock(ctx.tx, ctx.space, self.0).await?.ok_or_else(Fault::not_found)?;
        let is_leased = queue::is_leased(ctx.tx, &[IMPORT, IMPORT_LOCAL], &ctx.space.to_string()).await?;
        if import.status.is_over() {
            return Ok((import, Changes::default()));
        }
        if import.status == Status::Queued || !is_leased {
            let changes = audited("import.cancelled", &import, json!({}));
            let changes = finish(ctx, &import, Status::Cancelled, None, changes).await?;
            let after = jobs::find(ctx.tx, ctx.space, self.0).await?.ok_or_else(Fault::not_found)?;
            return Ok((after, changes));
        }
        jobs::request_cancel(ctx.tx, ctx.space, self.0, ctx.now).await?;
        // It may be waiting for its source, and is woken to look.
        queue::notify(ctx.tx, queue_of(&import)).await?;
        let changes = audited("import.cancel", &import, json!({}));
        Ok((Import { is_cancel_requested: true, ..import }, changes))
    }
}
