//! Keeps stories out of folders that do not take their content type. Imported ones stand where they stood.

use crate::content::command::CommandContext;
use domain::{
    content::{folder_types, story::Story},
    shared::StoryId,
};
use storage::{Result, content::stories::folder_types as stored};

/// 422 when the folder, or one above it, does not allow a root component. At the top everything is allowed.
pub(super) async fn require_allowed(ctx: &CommandContext<'_>, parent: StoryId, component: Option<&str>) -> Result<()> {
    let Some(component) = component.filter(|_| parent != StoryId::ROOT) else { return Ok(()) };
    let folders = stored::above(ctx.tx, ctx.space, parent).await?;
    Ok(folder_types::check(&folders, component)?)
}

/// The same for a story, or a folder with the stories below it, that gets into another folder. `story` has
/// the path that is stored at this moment, before or after the move.
pub(super) async fn require_place(ctx: &CommandContext<'_>, story: &Story, component: Option<&str>, parent: StoryId) -> Result<()> {
    if !story.is_folder {
        return require_allowed(ctx, parent, component).await;
    }
    let folders = folder_types::for_subfolders(stored::above(ctx.tx, ctx.space, parent).await?);
    if folders.is_empty() {
        return Ok(());
    }
    for component in stored::components_below(ctx.tx, ctx.space, &story.place.full_slug).await? {
        folder_types::check(&folders, &component)?;
    }
    Ok(())
}
