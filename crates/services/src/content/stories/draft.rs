//! Writing the draft of a story, for all commands that do.

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

/// Writes another draft of a story, and which of its translations are outdated by that.
pub(super) async fn save_draft(ctx: &CommandContext<'_>, id: StoryId, before: &Edition, after: &Edition) -> Result<()> {
    editions::save_draft(ctx.tx, ctx.space, id, after).await?;
    note_translations(ctx, id, &before.content, &after.content).await
}

async fn note_translations(ctx: &CommandContext<'_>, id: StoryId, before: &StoryContent, after: &StoryContent) -> Result<()> {
    // Most drafts have no translation. With its last one something may be left to keep: of a block that comes
    // back.
    if !after.is_translated() && !before.is_translated() {
        return Ok(());
    }
    let known = translation_status::find(ctx.tx, ctx.space, id).await?;
    let outdated = known.after_write(before.tree()?, after.tree()?, digest::fingerprint);
    if outdated == known { Ok(()) } else { translation_status::save(ctx.tx, ctx.space, id, &outdated).await }
}
