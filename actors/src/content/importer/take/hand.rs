//! How a page is taken over: written, or only looked at.

use crate::content::CommandContext;
use domain::shared::SpaceId;
use storage::{Connection, Executor};

/// The one or the other. Both ask the same questions.
pub(in crate::content::importer) enum Hand<'a> {
    /// In a transaction.
    Writing(&'a CommandContext<'a>),
    /// In a dry run.
    Looking(&'a Connection, SpaceId),
}

impl<'a> Hand<'a> {
    /// The space.
    pub(super) fn space(&self) -> SpaceId {
        match self {
            Self::Writing(ctx) => ctx.space,
            Self::Looking(_, space) => *space,
        }
    }

    /// What to write with; none in a dry run.
    pub(super) fn ctx(&self) -> Option<&'a CommandContext<'a>> {
        match self {
            Self::Writing(ctx) => Some(ctx),
            Self::Looking(..) => None,
        }
    }

    /// What to ask.
    pub(super) fn query(&self) -> &'a dyn Executor {
        match self {
            Self::Writing(ctx) => ctx.tx,
            Self::Looking(connection, _) => *connection,
        }
    }
}
