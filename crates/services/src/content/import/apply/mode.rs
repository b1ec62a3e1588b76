//! Whether records are written or only compared.

use crate::content::command::CommandContext;
use domain::{content::import::Import, shared::SpaceId};
use storage::{Executor, Tx};

/// Both modes run the same code and the same queries; only `Write` has a context to write with.
pub enum ApplyMode<'a> {
    /// Writes in a transaction.
    Write(&'a CommandContext<'a>),
    /// Reads in a transaction, writes nothing of the space, and reports what would be written.
    DryRun(&'a Tx<'a>, SpaceId),
}

impl<'a> ApplyMode<'a> {
    /// The mode of an import.
    pub(in crate::content::import) fn of(import: &Import, ctx: &'a CommandContext<'a>) -> Self {
        if import.dry_run { Self::DryRun(ctx.tx, ctx.space) } else { Self::Write(ctx) }
    }

    /// The space that the records go to.
    pub(super) fn space(&self) -> SpaceId {
        match self {
            Self::Write(ctx) => ctx.space,
            Self::DryRun(_, space) => *space,
        }
    }

    /// The context to write with; `None` in a dry run.
    pub(super) fn ctx(&self) -> Option<&'a CommandContext<'a>> {
        match self {
            Self::Write(ctx) => Some(ctx),
            Self::DryRun(..) => None,
        }
    }

    /// What queries run on.
    pub(super) fn executor(&self) -> &'a dyn Executor {
        match self {
            Self::Write(ctx) => ctx.tx,
            Self::DryRun(tx, _) => *tx,
        }
    }
}
