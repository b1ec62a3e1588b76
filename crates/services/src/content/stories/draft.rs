//! Writing the draft of a story, for all commands that do.

use super::translation_status::keep;
use crate::content::command::CommandContext;
use crypto::digest;
use domain::{
    content::story::{Edition, StoryContent},
    shared::StoryId,
};
use storage::{
    Result,
    content::stories::{editions, translation_status},
};

/// Writes another draft of a story, which of its translations are outdated by that, and how far it is
/// translated then.
pub(super) async fn save_draft(ctx: &CommandContext<'_>, id: StoryId, before: &Edition, after: &Edition) -> Result<()> {
    editions::save_draft(ctx.tx, ctx.space, id, after).await?;
    note_translations(ctx, id, &before.content, &after.content).await
}

async fn note_translations(ctx: &CommandContext<'_>, id: StoryId, before: &StoryContent, after: &StoryContent) -> Result<()> {
    // Most drafts have no translation. With its last one something may be left to keep: of a block that comes
    // back.
    let is_translated = after.is_translated() || before.is_translated();
    if !is_translated && ctx.locked.languages.is_empty() {
        return Ok(());
    }
    let known = translation_status::find(ctx.tx, ctx.space, id).await?;
    let outdated = if is_translated {
        known.outdated.after_write(before.tree()?, after.tree()?, digest::fingerprint)
    } else {
        known.outdated.clone()
    };
    keep(ctx, id, outdated, after, &known).await
}
