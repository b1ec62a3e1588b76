//! The publish action.

use super::{
    events::event,
    steps::{audited, find_active, new_version},
};
use crate::content::{
    command::{CommandContext, SpaceCommand},
    validation::require_publishable,
};
use domain::{
    content::{Changes, EventKind, Right},
    shared::StoryId,
};
use storage::{
    Result,
    content::{
        schedulings,
        stories::{
            editions,
            read::{StoryDetail, StoryWithDraft},
            versions::Status,
            write,
        },
    },
};

/// Copies the draft over the published edition, by hand: what was scheduled for the story's publishing is
/// superseded. A folder, which has no edition, stays as it is: Storyblok's clients publish whatever they
/// push.
pub struct Publish {
    pub id: StoryId,
}

impl SpaceCommand for Publish {
    type Output = StoryDetail;

    const NAME: &'static str = "story.publish";

    const NEEDS: Right = Right::WriteContent;

    async fn run(&self, ctx: &CommandContext<'_>) -> Result<(StoryDetail, Changes)> {
        let found = find_active(ctx, self.id).await?;
        if found.current.story.is_folder {
            return Ok((found, Changes::default()));
        }
        let StoryDetail { current, mut related } = found;
        require_publishable(ctx, &current.draft.content).await?;
        let (current, changes) = publish(ctx, current).await?;
        schedulings::mark_superseded(ctx.tx, ctx.space, self.id, ctx.now).await?;
        related.published = None;
        Ok((StoryDetail { current, related }, changes))
    }
}

/// Publishes a story, by hand or by schedule, after its caller has asked whether it may be published. 422 for
/// a folder.
pub(in super::super) async fn publish(
    ctx: &CommandContext<'_>,
    StoryWithDraft { story, draft }: StoryWithDraft,
) -> Result<(StoryWithDraft, Changes)> {
    let number = story.last_version + 1;
    let story = story.publish(number, ctx.now)?;
    write::save_version(ctx.tx, ctx.space, &story, &draft, new_version(ctx, Status::Published)).await?;
    // The published edition takes its times from the draft, so it is written after them.
    editions::publish(ctx.tx, ctx.space, story.id).await?;
    let published = StoryWithDraft { story, draft };
    let mut changes = audited("story.publish", &published).visible();
    changes.events.push(event(EventKind::Published, &published.story));
    Ok((published, changes))
}
