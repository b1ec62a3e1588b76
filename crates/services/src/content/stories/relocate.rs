//! The move action.

use super::{
    Written, events,
    steps::{Destination, audited, place, present, written},
};
use crate::content::command::{CommandContext, SpaceCommand};
use domain::{content::Changes, shared::StoryId};
use storage::{
    Result,
    content::stories::tree::{self, Gap},
};

/// Moves a story into a folder, behind a sibling. Its subtree goes along.
pub struct Relocate {
    /// Which.
    pub id: StoryId,
    /// The folder; `None` keeps the one it is in.
    pub to_folder: Option<StoryId>,
    /// The sibling before it; `None` puts it first.
    pub after: Option<StoryId>,
}

impl SpaceCommand for Relocate {
    type Output = Written;

    const NAME: &'static str = "story.move";

    async fn run(&self, ctx: &CommandContext<'_>) -> Result<(Written, Changes)> {
        let changes = relocate(ctx, self.id, self.to_folder, self.after).await?;
        Ok((written(ctx, self.id).await?, changes))
    }
}

/// Moves one story and answers what that announces.
pub(super) async fn relocate(
    ctx: &CommandContext<'_>,
    id: StoryId,
    to_folder: Option<StoryId>,
    after: Option<StoryId>,
) -> Result<Changes> {
    let mut found = present(ctx, id).await?;
    let parent = to_folder.unwrap_or(found.story.place.parent);
    let gap = match after {
        Some(sibling) => tree::position_after(ctx.tx, ctx.space, parent, sibling).await?,
        None => Gap { position: tree::first_position(ctx.tx, ctx.space, parent).await?, is_visible: false },
    };
    let to = Destination { parent: Some(parent), position: Some(gap.position), ..Destination::default() };
    let (story, moved) = place(ctx, found.story, to).await?;
    found.story = story;
    let mut changes = audited("story.move", &found);
    changes.events.extend(events::moved(&moved));
    // A draft that moves between others moves these.
    let is_visible = found.story.is_published() || found.story.is_folder || gap.is_visible;
    Ok(if is_visible { changes.visible() } else { changes })
}
