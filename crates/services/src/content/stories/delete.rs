//! Soft deletion.

use super::{
    Written,
    steps::{audited, present, written},
};
use crate::content::command::{CommandContext, SpaceCommand};
use domain::{
    content::{Changes, EventKind, StoryEvent},
    shared::StoryId,
};
use storage::{Result, content::stories::tree};

/// Deletes a story, and everything below it when it is a folder. It can be undeleted until retention sweeps it away.
pub struct Delete {
    /// Which.
    pub id: StoryId,
}

impl SpaceCommand for Delete {
    type Output = Written;

    const NAME: &'static str = "story.delete";

    async fn run(&self, ctx: &CommandContext<'_>) -> Result<(Written, Changes)> {
        let found = present(ctx, self.id).await?;
        let deleted = tree::delete(ctx.tx, ctx.space, &found.story, ctx.now).await?;
        let mut changes = audited("story.delete", &found);
        changes.events = deleted
            .iter()
            .map(|d| StoryEvent {
                kind: EventKind::Deleted,
                story_id: d.id,
                uuid: d.uuid,
                full_slug: d.full_slug.clone(),
                old_full_slug: None,
            })
            .collect();
        let was_public = found.story.is_folder || deleted.iter().any(|d| d.published);
        let changes = if was_public { changes.visible() } else { changes };
        Ok((written(ctx, self.id).await?, changes))
    }
}
