//! Bringing a deleted story back.

use super::{
    Written,
    steps::{audited, folder, written},
};
use crate::content::command::{CommandContext, SpaceCommand};
use domain::{
    content::{Changes, slug},
    shared::{Fault, StoryId},
};
use storage::{
    Result,
    content::stories::{read, translations, tree},
};

/// Brings a story back as a draft, with what was deleted along with it, where its folder stands today. 422 while the folder is
/// deleted or the place is taken.
pub struct Undelete {
    /// Which.
    pub id: StoryId,
}

impl SpaceCommand for Undelete {
    type Output = Written;

    const NAME: &'static str = "story.undelete";

    async fn run(&self, ctx: &CommandContext<'_>) -> Result<(Written, Changes)> {
        let found = read::find(ctx.tx, ctx.space, self.id).await?.ok_or_else(Fault::not_found)?;
        if found.story.deleted_at.is_none() {
            return Err(Fault::invalid("base", "notDeleted", "The story is not deleted").into());
        }
        let above = folder(ctx, found.story.place.parent).await?;
        let place = &found.story.place;
        let full_slug = slug::full_slug(above.as_ref().map(|above| above.full_slug.as_str()), &place.slug, place.is_startpage)?;
        tree::undelete(ctx.tx, ctx.space, &found.story, &full_slug).await?;
        let mut restored = found.story.clone();
        restored.place.full_slug = full_slug;
        translations::refresh_paths(ctx.tx, ctx.space, &restored).await?;
        let changes = audited("story.undelete", &found);
        let changes = if found.story.is_folder { changes.visible() } else { changes };
        Ok((written(ctx, self.id).await?, changes))
    }
}
