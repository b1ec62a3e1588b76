//! What is done when an import ends, whoever ends it.

use super::take::{self, Hand};
use crate::content::CommandContext;
use domain::content::{
    Changes, StoryEvent,
    import::{Import, SourceRef, Status},
};
use storage::{
    Result,
    content::imports::{ids, jobs},
};

/// What came of it.
pub(super) struct Closed {
    /// What webhooks are told, if they are.
    pub(super) events: Vec<StoryEvent>,
    /// Whether a published read can see a difference.
    pub(super) public: bool,
}

impl Closed {
    /// Together with what is written into the audit log.
    pub(super) fn with(self, mut changes: Changes) -> Changes {
        changes.events = self.events;
        if self.public { changes.visible() } else { changes }
    }
}

/// Ends an import: those who made room for others come home, and the report counts what was written, whether it had come to count it or not. The
/// job is to be locked.
pub(super) async fn close(
    ctx: &CommandContext<'_>,
    import: &Import,
    status: Status,
    error: Option<(&str, &str)>,
) -> Result<Closed> {
    let (tx, space) = (ctx.tx, ctx.space);
    let mut closed = Closed { events: Vec::new(), public: false };
    if !import.dry_run {
        let mut report = import.report.clone();
        for (kind, outcome, count) in ids::written(tx, space, import.id).await? {
            report.at_least(kind, outcome, count);
        }
        let settled = take::aside::settle(&Hand::Writing(ctx), None, &mut report).await?;
        if report != import.report {
            jobs::set_report(tx, space, import.id, &report).await?;
        }
        closed.public = settled.moved;
        if import.webhooks {
            closed.events = settled.events;
        }
    }
    let resumable = matches!(import.source, SourceRef::Vendor { .. }) && status == Status::Failed;
    let message = error.map(|(_, message)| {
        if resumable { format!("{message}. It can be resumed: what it has done stays done") } else { message.to_owned() }
    });
    let error = error.map(|(code, _)| code).zip(message.as_deref());
    jobs::end(tx, space, import.id, status, error, ctx.now).await?;
    Ok(closed)
}
