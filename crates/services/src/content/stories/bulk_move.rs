//! Moving several stories at once: all of them, or none.

use super::move_story::move_story;
use crate::content::command::{CommandContext, SpaceCommand};
use domain::{
    content::{Changes, Right},
    shared::StoryId,
};
use storage::Result;

/// Moves stories into a folder, one behind the other.
pub struct BulkMove {
    /// The stories, in the order that they are to have.
    pub ids: Vec<StoryId>,
    /// The folder; `None` keeps each story in its own.
    pub to_folder: Option<StoryId>,
    /// The sibling before the first one; `None` puts them first.
    pub after: Option<StoryId>,
}

impl SpaceCommand for BulkMove {
    type Output = ();

    const NAME: &'static str = "story.bulk_move";

    const NEEDS: Right = Right::WriteContent;

    async fn run(&self, ctx: &CommandContext<'_>) -> Result<((), Changes)> {
        let mut all = Changes::default();
        let mut previous = self.after;
        for id in &self.ids {
            let moved = move_story(ctx, *id, self.to_folder, previous).await?;
            all = all.and(moved.changes);
            previous = Some(*id);
        }
        Ok(((), all))
    }
}
