//! The unpublish action.

use super::{
    Written,
    events::event,
    steps::{add_version, audited, present, written},
};
use crate::content::command::{CommandContext, SpaceCommand};
use domain::{
    content::{Changes, EventKind},
    shared::StoryId,
};
use storage::{
    Result,
    content::stories::{editions, read::Found, versions::Status, write},
};

/// Takes a story offline; its draft stays.
pub struct Unpublish {
    /// Which.
    pub id: StoryId,
}

impl SpaceCommand for Unpublish {
    type Output = Written;

    const NAME: &'static str = "story.unpublish";

    async fn run(&self, ctx: &CommandContext<'_>) -> Result<(Written, Changes)> {
        unpublished(ctx, present(ctx, self.id).await?).await
    }
}

/// Takes a story offline, by hand or because its time has come.
pub(in super::super) async fn unpublished(ctx: &CommandContext<'_>, Found { story, draft }: Found) -> Result<(Written, Changes)> {
    let mut story = story.unpublish()?;
    story.last_version += 1;
    let after = Found { story, draft };
    write::save(ctx.tx, ctx.space, &after.story).await?;
    editions::unpublish(ctx.tx, ctx.space, after.story.id).await?;
    add_version(ctx, &after, Status::Unpublished).await?;
    let mut changes = audited("story.unpublish", &after).visible();
    changes.events.push(event(EventKind::Unpublished, &after.story));
    Ok((written(ctx, after.story.id).await?, changes))
}
