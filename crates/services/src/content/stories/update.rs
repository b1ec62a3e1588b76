//! Changing a story: its draft, its place, its translations; publishing it along the way.

use super::{
    Patch, Written, events,
    steps::{Destination, add_version, audited, place, present, translate, written},
};
use crate::content::command::{CommandContext, SpaceCommand};
use domain::{
    content::{Changes, EventKind},
    shared::StoryId,
};
use storage::{
    Result,
    content::{
        schedulings,
        stories::{
            editions,
            read::{self, Found},
            tree::Touched,
            versions::Status,
            write,
        },
    },
};

/// Updates a story, and publishes it when asked to.
pub struct Update {
    /// Which.
    pub id: StoryId,
    /// What changes.
    pub patch: Patch,
    /// Whether the result is published.
    pub publish: bool,
}

impl SpaceCommand for Update {
    type Output = Written;

    const NAME: &'static str = "story.update";

    async fn run(&self, ctx: &CommandContext<'_>) -> Result<(Written, Changes)> {
        let before = present(ctx, self.id).await?;
        let settled = self.patch.settle(before.story.clone(), ctx.now)?;
        let draft = self.patch.edit(&settled, before.draft.clone(), ctx.entropy)?;
        let (mut story, moved) = place(ctx, settled, self.destination()).await?;

        let is_edited = draft.differs_from(&before.draft);
        let version = if story.is_folder || !(is_edited || self.publish) { story.last_version } else { story.last_version + 1 };
        let differs = match read::find_published(ctx.tx, ctx.space, self.id).await? {
            Some(published) => draft.differs_from(&published),
            None => false,
        };
        story = story.saved(version, ctx.now, differs);
        if self.publish {
            story = story.publish(version, ctx.now)?;
        }
        let after = Found { story, draft };
        if is_edited {
            editions::save_draft(ctx.tx, ctx.space, self.id, &after.draft).await?;
        }
        write::save(ctx.tx, ctx.space, &after.story).await?;
        if after.story.last_version > before.story.last_version {
            add_version(ctx, &after, if self.publish { Status::Published } else { Status::Draft }).await?;
        }
        if self.publish {
            editions::publish(ctx.tx, ctx.space, self.id).await?;
            schedulings::overtake(ctx.tx, ctx.space, self.id, ctx.now).await?;
        }
        if after.story.plan != before.story.plan {
            schedulings::wake(ctx.tx).await?;
        }
        translate(ctx, &after.story, &self.patch.translated_slugs).await?;
        let changes = self.changes(&before, &after, &moved);
        Ok((written(ctx, self.id).await?, changes))
    }
}

impl Update {
    fn destination(&self) -> Destination<'_> {
        Destination {
            parent: self.patch.parent,
            slug: self.patch.slug.as_deref(),
            position: self.patch.position,
            is_startpage: self.patch.is_startpage,
        }
    }

    fn changes(&self, before: &Found, after: &Found, moved: &[Touched]) -> Changes {
        let mut changes = audited("story.update", after);
        if !moved.is_empty() {
            changes.audit.extend(audited("story.move", after).audit);
            changes.events.extend(events::moved(moved));
        }
        if self.publish {
            changes.audit.extend(audited("story.publish", after).audit);
            changes.events.push(events::event(EventKind::Published, &after.story));
        }
        let is_placed_anew = before.story.place != after.story.place
            || before.story.group_id != after.story.group_id
            || !self.patch.translated_slugs.is_empty();
        let is_public = after.story.is_published() || after.story.is_folder;
        if self.publish || after.story.is_folder || (is_public && is_placed_anew) { changes.visible() } else { changes }
    }
}
