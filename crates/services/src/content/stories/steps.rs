//! The steps that commands of stories share.

use crate::content::command::CommandContext;
use domain::{
    content::{
        Changes,
        story::{Edition, Story},
    },
    shared::{Fault, StoryId},
};
use serde_json::json;
use storage::{
    Result,
    content::stories::{
        read::{self, StoryDetail, StoryWithDraft},
        versions::{NewVersion, Status},
    },
};

/// A story that is not deleted. 404 otherwise.
pub(super) async fn find_active(ctx: &CommandContext<'_>, id: StoryId) -> Result<StoryDetail> {
    match read::find_detail(ctx.tx, ctx.space, id).await? {
        Some(found) if found.current.story.deleted_at.is_none() => Ok(found),
        _ => Err(Fault::not_found().into()),
    }
}

/// The published edition of a story. The database is not asked for one that is not published.
pub(super) async fn find_published(ctx: &CommandContext<'_>, story: &Story) -> Result<Option<Edition>> {
    if story.is_published() { read::find_published(ctx.tx, ctx.space, story.id).await } else { Ok(None) }
}

/// A version that this command makes.
pub(super) fn new_version<'a>(ctx: &'a CommandContext<'_>, status: Status) -> NewVersion<'a> {
    NewVersion { status, author: ctx.authorized.actor().signature(), at: ctx.now }
}

/// One audit entry about a story.
pub(super) fn audited(action: &'static str, current: &StoryWithDraft) -> Changes {
    let meta = json!({ "full_slug": current.story.place.full_slug });
    Changes::default().and_audit(action, "story", current.story.id, current.draft.name.clone(), meta)
}
