//! Going back to an older version.

use super::{
    draft::save_draft,
    folder_types::require_allowed,
    keeping::keep_draft,
    steps::{audited, find_active, find_published, new_version},
};
use crate::content::command::{CommandContext, SpaceCommand};
use domain::{
    content::{Changes, Right, blocks, story::StoryContent},
    shared::{Fault, FieldCode, StoryId},
};
use futures_util::future::try_join;
use std::sync::Arc;
use storage::{
    Result,
    content::stories::{
        read::{StoryDetail, StoryWithDraft},
        versions::{self, Status},
        write,
    },
};

/// Makes an older version the draft. The published edition stays.
pub struct Restore {
    pub id: StoryId,
    /// The version, by its number in the space.
    pub version: i64,
}

impl SpaceCommand for Restore {
    type Output = StoryDetail;

    const NAME: &'static str = "story.restore_version";

    const NEEDS: Right = Right::WriteContent;

    async fn run(&self, ctx: &CommandContext<'_>) -> Result<(StoryDetail, Changes)> {
        let StoryDetail { current, mut related } = find_active(ctx, self.id).await?;
        let mut story = current.story.clone();
        keep_draft(ctx, &current, &mut story).await?;
        let mut draft = current.draft.clone();
        let version = versions::find(ctx.tx, ctx.space, self.version);
        let (version, published) = try_join(version, find_published(ctx, &story)).await?;
        let content = match version {
            Some((owner, version)) if owner == self.id => {
                draft.name = version.name;
                version.content
            }
            _ => return Err(Fault::invalid("version", FieldCode::Unknown, "must be a version of this story").into()),
        };
        let content = content.map(|content| content.to_tree()).transpose()?;
        // As it was stored: imported content may be empty, which a client could not send.
        let content = blocks::complete_foreign(content, ctx.entropy)?;
        draft.component = content.as_object().and_then(blocks::component).map(str::to_owned);
        if draft.component != current.draft.component {
            require_allowed(ctx, story.place.parent, draft.component.as_deref()).await?;
        }
        draft.content = StoryContent::of(Arc::new(content))?;
        let differs = published.as_ref().is_some_and(|published| draft.differs_from(published));
        related.published = published.filter(|_| differs).map(|published| published.content);
        let number = story.last_version + 1;
        let story = story.saved(number, ctx.now, differs);
        save_draft(ctx, self.id, &current.draft, &draft).await?;
        write::save_version(ctx.tx, ctx.space, &story, &draft, new_version(ctx, Status::Draft)).await?;
        let current = StoryWithDraft { story, draft };
        let changes = audited("story.restore_version", &current);
        Ok((StoryDetail { current, related }, changes))
    }
}
