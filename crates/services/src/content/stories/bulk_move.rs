//! Moving several stories at once: all of them, or none.

use super::relocate::relocate;
use crate::content::command::{CommandContext, SpaceCommand};
use domain::{content::Changes, shared::StoryId};
use storage::Result;

/// Moves stories into a folder, one behind the other.
pub struct BulkMove {
    /// Which, in the order that they are to have.
    pub ids: Vec<StoryId>,
    /// The folder; `None` keeps each where it is.
    pub to_folder: Option<StoryId>,
    /// The sibling before the first; `None` puts them first.
    pub after: Option<StoryId>,
}

impl SpaceCommand for BulkMove {
    type Output = ();

    const NAME: &'static str = "story.bulk_move";

    async fn run(&self, ctx: &CommandContext<'_>) -> Result<((), Changes)> {
        let mut all = Changes::default();
        let mut before = self.after;
        for id in &self.ids {
            let changes = relocate(ctx, *id, self.to_folder, before).await?;
            all.audit.extend(changes.audit);
            all.events.extend(changes.events);
            all.public |= changes.public;
            before = Some(*id);
        }
        Ok(((), all))
    }
}
