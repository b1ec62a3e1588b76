//! Soft deletion.

use super::steps::{audited, find_active};
use crate::content::command::{CommandContext, SpaceCommand};
use domain::{
    content::{Changes, EventKind, Right, StoryEvent},
    shared::StoryId,
};
use storage::{
    Result,
    content::stories::{
        read::{self, StoryDetail},
        tree,
    },
};

/// Deletes a story, and everything below it when it is a folder. It can be undeleted until retention sweeps
/// it away.
pub struct Delete {
    pub id: StoryId,
}

impl SpaceCommand for Delete {
    type Output = StoryDetail;

    const NAME: &'static str = "story.delete";

    const NEEDS: Right = Right::WriteContent;

    async fn run(&self, ctx: &CommandContext<'_>) -> Result<(StoryDetail, Changes)> {
        let StoryDetail { mut current, mut related } = find_active(ctx, self.id).await?;
        let deleted = tree::delete(ctx.tx, ctx.space, &current.story, ctx.now).await?;
        current.story = current.story.delete(ctx.now);
        if current.story.is_folder {
            // An alternate of a folder may have been deleted with it.
            related = read::find_related(ctx.tx, ctx.space, self.id).await?;
        }
        let mut changes = audited("story.delete", &current);
        changes.events = deleted
            .iter()
            .map(|story| StoryEvent {
                kind: EventKind::Deleted,
                story_id: story.id,
                uuid: story.uuid,
                full_slug: story.full_slug.clone(),
                old_full_slug: None,
            })
            .collect();
        let was_public = current.story.is_folder || deleted.iter().any(|story| story.published);
        Ok((StoryDetail { current, related }, if was_public { changes.visible() } else { changes }))
    }
}
