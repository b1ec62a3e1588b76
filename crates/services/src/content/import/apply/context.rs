//! What the records of a chunk are applied to.

use crate::content::{command::CommandContext, import::state::ImportState};
use domain::shared::SpaceId;
use jiff::Timestamp;
use storage::Tx;

/// The space and what the import knows of it. A dry run runs the same code and the same queries, but has
/// nothing to write with.
pub struct ApplyContext<'a> {
    command: &'a CommandContext<'a>,
    is_dry_run: bool,
    /// What the import knows of both sides.
    pub(super) state: &'a ImportState,
}

impl<'a> ApplyContext<'a> {
    pub(in crate::content::import) fn new(command: &'a CommandContext<'a>, is_dry_run: bool, state: &'a ImportState) -> Self {
        Self { command, is_dry_run, state }
    }

    /// The space that the records go to.
    pub(super) fn space(&self) -> SpaceId {
        self.command.space
    }

    /// The context to write with; `None` in a dry run.
    pub(super) fn ctx(&self) -> Option<&'a CommandContext<'a>> {
        (!self.is_dry_run).then_some(self.command)
    }

    /// The time of this chunk.
    pub(super) fn now(&self) -> Timestamp {
        self.command.now
    }

    /// What queries run on.
    pub(super) fn executor(&self) -> &'a Tx<'a> {
        self.command.tx
    }
}
