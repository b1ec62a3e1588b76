//! Going back to the published edition.

use super::{
    draft::save_draft,
    keeping::keep_draft,
    steps::{audited, find_active, new_version},
};
use crate::content::command::{CommandContext, SpaceCommand};
use domain::{
    content::{Changes, Right},
    shared::{Fault, FieldCode, StoryId},
};
use storage::{
    Result,
    content::stories::{
        read::{self, StoryDetail, StoryWithDraft},
        versions::Status,
        write,
    },
};

/// Makes the published edition the draft. 422 when the story is not published.
pub struct DiscardChanges {
    pub id: StoryId,
}

impl SpaceCommand for DiscardChanges {
    type Output = StoryDetail;

    const NAME: &'static str = "story.discard_changes";

    const NEEDS: Right = Right::WriteContent;

    async fn run(&self, ctx: &CommandContext<'_>) -> Result<(StoryDetail, Changes)> {
        let StoryDetail { current, mut related } = find_active(ctx, self.id).await?;
        let Some(draft) = read::find_published(ctx.tx, ctx.space, self.id).await? else {
            return Err(Fault::invalid("base", FieldCode::NotPublished, "The story is not published").into());
        };
        let mut story = current.story.clone();
        keep_draft(ctx, &current, &mut story).await?;
        let number = story.last_version + 1;
        let story = story.saved(number, ctx.now, false);
        save_draft(ctx, self.id, &current.draft, &draft).await?;
        write::save_version(ctx.tx, ctx.space, &story, &draft, new_version(ctx, Status::Draft)).await?;
        related.published = None;
        let current = StoryWithDraft { story, draft };
        let changes = audited("story.discard_changes", &current);
        Ok((StoryDetail { current, related }, changes))
    }
}
