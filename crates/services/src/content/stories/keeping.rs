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

/// The newest version of a story.
pub(super) async fn last_version(ctx: &CommandContext<'_>, story: &Story) -> Result<Option<Version>> {
    versions::find_numbered(ctx.tx, ctx.space, story.id, story.last_version).await
}

/// Whether a draft is what the newest version of its story holds.
pub(super) async fn is_last_version(ctx: &CommandContext<'_>, story: &Story, draft: &Edition) -> Result<bool> {
    Ok(last_version(ctx, story).await?.is_some_and(|version| holds(&version, draft)))
}

/// Whether a version holds what a draft has of it.
pub(super) fn holds(version: &Version, draft: &Edition) -> bool {
    let content = version.content.as_ref();
    version.name == draft.name && content.is_some_and(|content| domain::shared::json::same_value(content, &draft.content))
}
