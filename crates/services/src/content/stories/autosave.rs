//! An autosave: the draft as an editor types it, every few seconds. It writes no audit entry and no event,
//! `cv` stays, and a version comes of it only now and then: a history that lists each of them is one that
//! cannot be read.

use super::{
    Patch,
    draft::save_draft,
    folder_types::require_allowed,
    keeping::{is_last_version, is_of_another, keep_draft},
    steps::{find_active, find_published, new_version},
};
use crate::content::command::{CommandContext, SpaceCommand};
use domain::{
    content::{Changes, Right},
    shared::{Fault, FieldCode, StoryId},
};
use jiff::SignedDuration;
use storage::{
    Result,
    content::stories::{
        read::{StoryDetail, StoryWithDraft},
        versions::{self, Status},
        write,
    },
};

/// The first autosave later than this after the newest version makes one.
const VERSION_EVERY: SignedDuration = SignedDuration::from_mins(10);

/// Writes the draft of a story: its content, in all languages, and its name.
pub struct Autosave {
    pub id: StoryId,
    /// The fields that change; 422 for each that an autosave may not.
    pub patch: Patch,
    /// Whether a draft that no version holds is kept as a version first, also when the caller wrote it.
    pub keep: bool,
}

impl SpaceCommand for Autosave {
    type Output = StoryDetail;

    const NAME: &'static str = "story.autosave";

    const NEEDS: Right = Right::WriteContent;

    async fn run(&self, ctx: &CommandContext<'_>) -> Result<(StoryDetail, Changes)> {
        let StoryDetail { current: before, mut related } = find_active(ctx, self.id).await?;
        if before.story.is_folder {
            return Err(Fault::invalid("autosave", FieldCode::Folder, "is for stories; a folder has no draft").into());
        }
        self.patch.refuse_more_than_a_draft(&before, ctx.now, ctx.entropy)?;
        let draft = self.patch.apply_to_draft(&before.story, before.draft.clone(), ctx.entropy)?;
        if !draft.differs_from(&before.draft) {
            return Ok((StoryDetail { current: before, related }, Changes::default()));
        }
        if draft.component != before.draft.component {
            require_allowed(ctx, before.story.place.parent, draft.component.as_deref()).await?;
        }
        let mut story = before.story.clone();
        if self.keep || is_of_another(ctx, &before.story) {
            keep_draft(ctx, &before, &mut story).await?;
        }
        let newest = versions::find_time(ctx.tx, ctx.space, story.id, story.last_version).await?;
        let is_due = newest.is_none_or(|at| ctx.now.duration_since(at) > VERSION_EVERY);
        // What the newest version holds is read only when it may need another one after it.
        let adds_version = is_due && !is_last_version(ctx, &story, &draft).await?;
        let published = find_published(ctx, &before.story).await?;
        let differs = published.as_ref().is_some_and(|published| draft.differs_from(published));
        let number = story.last_version + i32::from(adds_version);
        let mut story = story.saved(number, ctx.now, differs);
        story.is_autosaved = !is_due;
        save_draft(ctx, self.id, &before.draft, &draft).await?;
        if adds_version {
            write::save_version(ctx.tx, ctx.space, &story, &draft, new_version(ctx, Status::Draft)).await?;
        } else {
            write::save(ctx.tx, ctx.space, &story, ctx.authorized.actor()).await?;
        }
        related.published = published.filter(|_| differs).map(|published| published.content);
        Ok((StoryDetail { current: StoryWithDraft { story, draft }, related }, Changes::default()))
    }
}
