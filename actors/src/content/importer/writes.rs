//! Starting and ending imports.

use crate::content::{Desk, Write};
use domain::{
    content::{
        Changes,
        import::{Import, SourceRef, Status},
    },
    shared::{Actor, Fault, ImportId},
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

impl Write for StartImport {
    type Done = Import;

    const NAME: &'static str = "import.start";

    async fn run(&self, desk: &Desk<'_>) -> storage::Result<(Import, Changes)> {
        let new = jobs::NewJob {
            source: &self.source,
            dry_run: self.dry_run,
            webhooks: self.webhooks,
            sealed_token: self.sealed_token.as_deref(),
            by: &self.by,
            at: desk.now,
        };
        let import = jobs::insert(desk.tx, desk.space, &new).await?;
        let queue = match self.source {
            SourceRef::Vendor { .. } => IMPORT,
            SourceRef::Directory { .. } => IMPORT_LOCAL,
        };
        let payload = json!({ "space": desk.space, "import": import.id });
        let job = NewJob { queue, key: desk.space.to_string(), payload, due_at: desk.now, at: desk.now };
        queue::add(desk.tx, &job).await?;
        let changes = audited(
            "import.started",
            &import,
            json!({ "dry_run": self.dry_run, "webhooks": self.webhooks, "source": self.source }),
        );
        Ok((import, changes))
    }
}

/// Stops an import. What it has written stays. One that nobody is at is over at once; the process that is at it stops before its next
/// page.
pub struct CancelImport(pub ImportId);

impl Write for CancelImport {
    type Done = Import;

    const NAME: &'static str = "import.cancel";

    async fn run(&self, desk: &Desk<'_>) -> storage::Result<(Import, Changes)> {
        let import = jobs::lock(desk.tx, desk.space, self.0).await?.ok_or_else(Fault::not_found)?;
        let is_held = queue::is_held(desk.tx, &[IMPORT, IMPORT_LOCAL], &desk.space.to_string()).await?;
        match import.status {
            status if status.is_over() => Ok((import, Changes::default())),
            status if status == Status::Queued || !is_held => {
                jobs::end(desk.tx, desk.space, self.0, Status::Cancelled, None, desk.now).await?;
                let after = jobs::find(desk.tx, desk.space, self.0).await?.ok_or_else(Fault::not_found)?;
                let changes = audited("import.cancelled", &after, json!({}));
                Ok((after, changes))
            }
            _ => {
                jobs::request_cancel(desk.tx, desk.space, self.0, desk.now).await?;
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
