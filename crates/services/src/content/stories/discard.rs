//! Going back to what is published.

use super::{
    Written,
    steps::{add_version, audited, present, written},
};
use crate::content::command::{CommandContext, SpaceCommand};
use domain::{
    content::Changes,
    shared::{Fault, StoryId},
};
use storage::{
    Result,
    content::stories::{
        editions,
        read::{self, Found},
        versions::Status,
        write,
    },
};

/// Makes the draft what is published. 422 when nothing is.
pub struct DiscardChanges {
    /// Which.
    pub id: StoryId,
}

impl SpaceCommand for DiscardChanges {
    type Output = Written;

    const NAME: &'static str = "story.discard_changes";

    async fn run(&self, ctx: &CommandContext<'_>) -> Result<(Written, Changes)> {
        let before = present(ctx, self.id).await?;
        let Some(published) = read::find_published(ctx.tx, ctx.space, self.id).await? else {
            return Err(Fault::invalid("base", "notPublished", "The story is not published").into());
        };
        let version = before.story.last_version + 1;
        let after = Found { story: before.story.saved(version, ctx.now, false), draft: published };
        editions::save_draft(ctx.tx, ctx.space, self.id, &after.draft).await?;
        write::save(ctx.tx, ctx.space, &after.story).await?;
        add_version(ctx, &after, Status::Draft).await?;
        Ok((written(ctx, self.id).await?, audited("story.discard_changes", &after)))
    }
}
