//! The move action.

use super::{
    events,
    folder_types::require_place,
    place::{Destination, set_place},
    steps::audited,
    translations::refresh_paths,
};
use crate::content::command::{CommandContext, SpaceCommand};
use domain::{
    content::{Changes, Right},
    shared::{Fault, StoryId},
};
use storage::{
    Result,
    content::stories::{
        read::{self, StoryDetail, StoryWithDraft},
        tree::{self, FreePosition},
    },
};

/// Moves a story into a folder, behind a sibling. Its subtree goes along.
pub struct MoveStory {
    pub id: StoryId,
    /// The folder; `None` keeps the one that it is in.
    pub to_folder: Option<StoryId>,
    /// The sibling before it; `None` puts it first.
    pub after: Option<StoryId>,
}

impl SpaceCommand for MoveStory {
    type Output = StoryDetail;

    const NAME: &'static str = "story.move";

    const NEEDS: Right = Right::WriteContent;

    async fn run(&self, ctx: &CommandContext<'_>) -> Result<(StoryDetail, Changes)> {
        let StoryMove { current, changes } = move_story(ctx, self.id, self.to_folder, self.after).await?;
        let related = read::find_related(ctx.tx, ctx.space, self.id).await?;
        Ok((StoryDetail { current, related }, changes))
    }
}

/// A story that was moved.
pub(super) struct StoryMove {
    pub(super) current: StoryWithDraft,
    pub(super) changes: Changes,
}

/// Moves one story.
pub(super) async fn move_story(
    ctx: &CommandContext<'_>,
    id: StoryId,
    to_folder: Option<StoryId>,
    after: Option<StoryId>,
) -> Result<StoryMove> {
    let found = read::find(ctx.tx, ctx.space, id).await?;
    let StoryWithDraft { story, draft } = found.filter(|found| found.story.deleted_at.is_none()).ok_or_else(Fault::not_found)?;
    let parent = to_folder.unwrap_or(story.place.parent);
    let free = match after {
        Some(sibling) => tree::position_after(ctx.tx, ctx.space, parent, sibling).await?,
        None => FreePosition { position: tree::first_position(ctx.tx, ctx.space, parent).await?, is_visible: false },
    };
    let to = Destination { parent: Some(parent), position: Some(free.position), ..Destination::default() };
    let old = story.place.clone();
    if parent != old.parent {
        require_place(ctx, &story, draft.component.as_deref(), parent).await?;
    }
    let (story, moved) = set_place(ctx, story, &old, to).await?;
    if !moved.is_empty() {
        refresh_paths(ctx, &story).await?;
    }
    let current = StoryWithDraft { story, draft };
    let mut changes = audited("story.move", &current);
    changes.events.extend(events::moved(&moved));
    // Also a draft that moves may move published siblings on.
    let is_visible = current.story.is_published() || current.story.is_folder || free.is_visible;
    Ok(StoryMove { current, changes: if is_visible { changes.visible() } else { changes } })
}
