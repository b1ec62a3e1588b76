//! Changing a story: its draft, its place, its translations; publishing it along the way.

use super::{
    Patch,
    draft::save_draft,
    events,
    folder_types::require_place,
    keeping::{is_last_version, is_of_another, keep_draft},
    languages::publish_written,
    place::{Destination, set_place},
    steps::{audited, find_active, find_published, new_version},
    translations::{refresh_paths, set_translations},
};
use crate::content::{
    command::{CommandContext, SpaceCommand},
    validation::require_publishable,
};
use domain::{
    content::{Changes, Right, story::Story},
    shared::StoryId,
};
use storage::{
    Result,
    content::{
        schedulings,
        stories::{
            editions,
            read::{self, StoryDetail, StoryWithDraft},
            tree::{self, MovedStory},
            versions::Status,
            write,
        },
    },
};

/// Updates a story, and publishes it when asked to.
pub struct Update {
    pub id: StoryId,
    /// The fields that change.
    pub patch: Patch,
    /// Whether the result is published.
    pub publish: bool,
    /// The languages that are published then, by their codes, `[default]` among them; empty for all.
    pub languages: Vec<String>,
    /// Whether a draft that no version holds is kept as a version first, also when the caller wrote it.
    pub keep: bool,
}

impl SpaceCommand for Update {
    type Output = StoryDetail;

    const NAME: &'static str = "story.update";

    const NEEDS: Right = Right::WriteContent;

    async fn run(&self, ctx: &CommandContext<'_>) -> Result<(StoryDetail, Changes)> {
        let StoryDetail { current: before, mut related } = find_active(ctx, self.id).await?;
        let story = self.patch.apply_to_story(before.story.clone(), ctx.now)?;
        let draft = self.patch.apply_to_draft(&story, before.draft.clone(), ctx.entropy)?;
        let (mut story, moved) = self.set_place(ctx, story, &before.story).await?;
        let is_newly_there = story.place.parent != before.story.place.parent || draft.component != before.draft.component;
        if is_newly_there {
            require_place(ctx, &story, draft.component.as_deref(), story.place.parent).await?;
        }

        let is_edited = draft.differs_from(&before.draft);
        // The same content with its keys in another order is no edit, and is kept as it was written last.
        let is_rewritten = is_edited || !draft.is_written_as(&before.draft);
        let published_before = find_published(ctx, &before.story).await?;
        let differs = published_before.as_ref().is_some_and(|published| draft.differs_from(published));
        // A folder has no edition to publish.
        let publishes = self.publish && !story.is_folder;
        let publishes_all = publishes && self.languages.is_empty();
        let is_new = is_edited && !before.story.is_autosaved
            || before.story.is_autosaved && !is_last_version(ctx, &before.story, &draft).await?;
        if is_edited && (self.keep || is_of_another(ctx, &before.story)) {
            keep_draft(ctx, &before, &mut story).await?;
        }
        let adds_version = !story.is_folder && is_new || publishes_all;
        let number = story.last_version + i32::from(adds_version);
        let mut story = story.saved(number, ctx.now, differs);
        story.is_autosaved = false;
        if publishes_all {
            require_publishable(ctx, &draft.content).await?;
            story = story.publish(number, ctx.now)?;
        }
        let after = StoryWithDraft { story, draft };
        self.save(ctx, (&before, &after), is_rewritten, adds_version, publishes_all).await?;
        if after.story.is_folder && moved.is_empty() && is_shown_below(&before, &after) {
            tree::touch_below(ctx.tx, ctx.space, &after.story.place.full_slug).await?;
        }
        if after.story.schedule != before.story.schedule {
            schedulings::wake(ctx.tx).await?;
        }
        let translated = &self.patch.translated_slugs;
        set_translations(ctx, &after.story, &related.translated_slugs, translated).await?;
        if !moved.is_empty() || !translated.is_empty() {
            refresh_paths(ctx, &after.story).await?;
        }
        let is_regrouped = after.story.place != before.story.place || after.story.group_id != before.story.group_id;
        if is_regrouped || !translated.is_empty() {
            related = read::find_related(ctx.tx, ctx.space, self.id).await?;
        }
        related.published = published_before.filter(|_| differs && !publishes_all).map(|published| published.content);
        let changes = self.changes(&before, &after, &moved);
        let detail = StoryDetail { current: after, related };
        if publishes { publish_written(ctx, detail, changes, &self.languages).await } else { Ok((detail, changes)) }
    }
}

/// Whether stories below a folder show a change of it.
fn is_shown_below(before: &StoryWithDraft, after: &StoryWithDraft) -> bool {
    before.draft.name != after.draft.name || before.story.disable_fe_editor != after.story.disable_fe_editor
}

impl Update {
    /// Puts the story at its new place. Nothing is written when it keeps place and group.
    async fn set_place(&self, ctx: &CommandContext<'_>, story: Story, before: &Story) -> Result<(Story, Vec<MovedStory>)> {
        let to = Destination {
            parent: self.patch.parent,
            slug: self.patch.slug.as_deref(),
            position: self.patch.position,
            is_startpage: self.patch.is_startpage,
        };
        if story.group_id == before.group_id && to.is_at(&before.place) {
            return Ok((story, Vec::new()));
        }
        set_place(ctx, story, &before.place, to).await
    }

    /// Writes draft, state, version and published edition.
    async fn save(
        &self,
        ctx: &CommandContext<'_>,
        (before, after): (&StoryWithDraft, &StoryWithDraft),
        is_rewritten: bool,
        adds_version: bool,
        publishes_all: bool,
    ) -> Result<()> {
        let StoryWithDraft { story, draft } = after;
        if is_rewritten {
            save_draft(ctx, self.id, &before.draft, draft).await?;
        }
        if adds_version {
            let status = if publishes_all { Status::Published } else { Status::Draft };
            write::save_version(ctx.tx, ctx.space, story, draft, new_version(ctx, status)).await?;
        } else {
            write::save(ctx.tx, ctx.space, story, ctx.authorized.actor()).await?;
        }
        if publishes_all {
            editions::publish(ctx.tx, ctx.space, self.id).await?;
            schedulings::mark_superseded(ctx.tx, ctx.space, self.id, ctx.now).await?;
        }
        Ok(())
    }

    fn changes(&self, before: &StoryWithDraft, after: &StoryWithDraft, moved: &[MovedStory]) -> Changes {
        let mut changes = audited("story.update", after);
        if !moved.is_empty() {
            changes.audit.extend(audited("story.move", after).audit);
            changes.events.extend(events::moved(moved));
        }
        let is_placed_anew = before.story.place != after.story.place
            || before.story.group_id != after.story.group_id
            || !self.patch.translated_slugs.is_empty();
        let is_public = after.story.is_published() || after.story.is_folder;
        if after.story.is_folder || (is_public && is_placed_anew) { changes.visible() } else { changes }
    }
}
