//! Whether records are written or only compared.

use crate::content::command::CommandContext;
use domain::shared::SpaceId;
use storage::{Connection, Executor};

/// Both modes run the same code and the same queries; only `Write` has a context to write with.
pub enum ApplyMode<'a> {
    /// Writes in a transaction.
    Write(&'a CommandContext<'a>),
    /// Writes nothing, and reports what would be written.
    DryRun(&'a Connection, SpaceId),
}

impl<'a> ApplyMode<'a> {
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
            Self::DryRun(connection, _) => *connection,
        }
    }
}
