//! Keeps stories out of folders that do not take their content type. Imported ones stand where they stood.

use crate::content::command::CommandContext;
use domain::{content::folder_types, shared::StoryId};
use storage::{Result, content::stories::tree};

/// 422 when the folder, or one above it, does not allow a root component. At the top everything is allowed.
pub(super) async fn require_allowed(ctx: &CommandContext<'_>, parent: StoryId, component: Option<&str>) -> Result<()> {
    let Some(component) = component.filter(|_| parent != StoryId::ROOT) else { return Ok(()) };
    let folders = tree::folder_types(ctx.tx, ctx.space, parent).await?;
    Ok(folder_types::check(&folders, component)?)
}
