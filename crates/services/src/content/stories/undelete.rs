//! Bringing a deleted story back.

use super::{place::find_folder, steps::audited, translations::refresh_paths};
use crate::content::command::{CommandContext, SpaceCommand};
use domain::{
    content::{Changes, Right, slug},
    shared::{Fault, FieldCode, StoryId},
};
use storage::{
    Result,
    content::stories::{
        read::{self, StoryDetail},
        tree,
    },
};

/// Brings a story back as a draft, with what was deleted along with it, at the path that its folder has
/// today. 422 while the folder is deleted or the path is taken.
pub struct Undelete {
    pub id: StoryId,
}

impl SpaceCommand for Undelete {
    type Output = StoryDetail;

    const NAME: &'static str = "story.undelete";

    const NEEDS: Right = Right::WriteContent;

    async fn run(&self, ctx: &CommandContext<'_>) -> Result<(StoryDetail, Changes)> {
        let mut current = read::find(ctx.tx, ctx.space, self.id).await?.ok_or_else(Fault::not_found)?;
        if current.story.deleted_at.is_none() {
            return Err(Fault::invalid("base", FieldCode::NotDeleted, "The story is not deleted").into());
        }
        let folder = find_folder(ctx, current.story.place.parent).await?;
        let place = &current.story.place;
        let full_slug = slug::full_slug(folder.as_ref().map(|f| f.full_slug.as_str()), &place.slug, place.is_startpage)?;
        tree::undelete(ctx.tx, ctx.space, &current.story, &full_slug).await?;
        let changes = audited("story.undelete", &current);
        current.story.deleted_at = None;
        current.story.place.full_slug = full_slug;
        refresh_paths(ctx, &current.story).await?;
        let related = read::find_related(ctx.tx, ctx.space, self.id).await?;
        let changes = if current.story.is_folder { changes.visible() } else { changes };
        Ok((StoryDetail { current, related }, changes))
    }
}
