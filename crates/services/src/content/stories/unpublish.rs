//! The unpublish action.

use super::{
    events::event,
    steps::{audited, find_active, new_version},
};
use crate::content::command::{CommandContext, SpaceCommand};
use domain::{
    content::{Changes, EventKind, Right},
    shared::StoryId,
};
use storage::{
    Result,
    content::stories::{
        editions,
        read::{StoryDetail, StoryWithDraft},
        versions::Status,
        write,
    },
};

/// Removes the published edition of a story; its draft stays. A folder, which has none, stays as it is.
pub struct Unpublish {
    pub id: StoryId,
}

impl SpaceCommand for Unpublish {
    type Output = StoryDetail;

    const NAME: &'static str = "story.unpublish";

    const NEEDS: Right = Right::WriteContent;

    async fn run(&self, ctx: &CommandContext<'_>) -> Result<(StoryDetail, Changes)> {
        let found = find_active(ctx, self.id).await?;
        if found.current.story.is_folder {
            return Ok((found, Changes::default()));
        }
        let StoryDetail { current, mut related } = found;
        let (current, changes) = unpublish(ctx, current).await?;
        related.published = None;
        Ok((StoryDetail { current, related }, changes))
    }
}

/// Unpublishes a story, by hand or because its `expire_at` has come. 422 when it is not published.
pub(in super::super) async fn unpublish(
    ctx: &CommandContext<'_>,
    StoryWithDraft { story, draft }: StoryWithDraft,
) -> Result<(StoryWithDraft, Changes)> {
    let mut story = story.unpublish()?;
    story.last_version += 1;
    write::save_version(ctx.tx, ctx.space, &story, &draft, new_version(ctx, Status::Unpublished)).await?;
    editions::unpublish(ctx.tx, ctx.space, story.id).await?;
    let unpublished = StoryWithDraft { story, draft };
    let mut changes = audited("story.unpublish", &unpublished).visible();
    changes.events.push(event(EventKind::Unpublished, &unpublished.story));
    Ok((unpublished, changes))
}
