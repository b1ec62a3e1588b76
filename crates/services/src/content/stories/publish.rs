//! The publish action.

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
    content::{
        schedulings,
        stories::{editions, read::Found, versions::Status, write},
    },
};

/// Makes the draft what everybody sees.
pub struct Publish {
    /// Which.
    pub id: StoryId,
}

impl SpaceCommand for Publish {
    type Output = Written;

    const NAME: &'static str = "story.publish";

    async fn run(&self, ctx: &CommandContext<'_>) -> Result<(Written, Changes)> {
        let found = present(ctx, self.id).await?;
        schedulings::overtake(ctx.tx, ctx.space, self.id, ctx.now).await?;
        published(ctx, found).await
    }
}

/// Publishes a story, by hand or because its time has come.
pub(in super::super) async fn published(ctx: &CommandContext<'_>, Found { story, draft }: Found) -> Result<(Written, Changes)> {
    let version = story.last_version + 1;
    let after = Found { story: story.publish(version, ctx.now)?, draft };
    write::save(ctx.tx, ctx.space, &after.story).await?;
    editions::publish(ctx.tx, ctx.space, after.story.id).await?;
    add_version(ctx, &after, Status::Published).await?;
    let mut changes = audited("story.publish", &after).visible();
    changes.events.push(event(EventKind::Published, &after.story));
    Ok((written(ctx, after.story.id).await?, changes))
}
