//! Nothing is replaced unseen: a draft that no version holds becomes one before it is replaced by another
//! account, or on request. Autosaves make such drafts (see [`super::autosave`]).

use crate::content::command::CommandContext;
use domain::content::story::{Edition, Story};
use storage::{
    Result,
    content::stories::{
        read::StoryWithDraft,
        versions::{self, NewVersion, Status, Version},
    },
};

/// Adds the draft of a story as a version of its author, if no version holds it. `story` is what the story
/// becomes: its next version follows that one.
pub(super) async fn keep_draft(ctx: &CommandContext<'_>, before: &StoryWithDraft, story: &mut Story) -> Result<()> {
    if !before.story.is_autosaved {
        return Ok(());
    }
    story.last_version += 1;
    let kept = Story { last_version: story.last_version, ..before.story.clone() };
    let new = NewVersion { status: Status::Draft, author: before.story.author.signature(), at: before.story.updated_at };
    versions::insert(ctx.tx, ctx.space, &kept, &before.draft, new).await
}

/// Whether an account other than the caller's wrote the draft of a story.
pub(super) fn is_of_another(ctx: &CommandContext<'_>, story: &Story) -> bool {
    story.author.id != ctx.authorized.actor().id
}

/// Whether a draft is what the newest version of its story holds.
pub(super) async fn is_last_version(ctx: &CommandContext<'_>, story: &Story, draft: &Edition) -> Result<bool> {
    let newest = versions::find_numbered(ctx.tx, ctx.space, story.id, story.last_version).await?;
    let holds = |version: &Version| {
        version.name == draft.name && version.content.as_ref().is_some_and(|content| content.has_value_of(&draft.content))
    };
    Ok(newest.as_ref().is_some_and(holds))
}
