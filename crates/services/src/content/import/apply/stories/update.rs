//! Updates an existing story to what it is at the source: with a version for each content that differs, and
//! published as far as it is published there.

use super::{placement::PlacedStory, relocate::move_from, row::future_schedule};
use crate::content::{
    command::CommandContext,
    stories::{events::event, translation_status::keep},
};
use domain::{
    content::{
        EventKind, StoryEvent,
        import::prepare,
        scheduling::{self, Scheduling, StoryPlan},
        story::{Edition, Publication, Story},
        translation_status::OutdatedTranslations,
    },
    shared::{Fault, StoryId},
};
use storage::{
    Result,
    content::{
        imports::stories,
        schedulings,
        stories::{
            editions, read, translation_status, translations,
            versions::{self, NewVersion, Status},
            write,
        },
    },
};

pub(super) async fn update(ctx: &CommandContext<'_>, placed: &PlacedStory<'_>, events: &mut Vec<StoryEvent>) -> Result<()> {
    let (tx, space, source) = (ctx.tx, ctx.space, placed.source);
    let found = read::find(tx, space, placed.id).await?.ok_or_else(Fault::not_found)?;
    let mut story = update_place(ctx, found.story, placed, events).await?;
    story.default_root.clone_from(&source.default_root);
    story.disable_fe_editor = source.disable_fe_editor;
    story.pinned = source.pinned;
    story.updated_at = source.updated_at.unwrap_or(ctx.now);
    story.first_published_at = source.first_published_at.or(story.first_published_at);
    let old_schedule = std::mem::replace(&mut story.schedule, future_schedule(source, ctx.now));
    if update_schedulings(ctx, story.id, &placed.plans.future(ctx.now)).await? || story.schedule != old_schedule {
        schedulings::wake(tx).await?;
    }

    let published = update_published(ctx, &mut story, source, events).await?;
    let draft = published.unwrap_or(found.draft);
    if draft.differs_from(&source.draft.edition) {
        if !story.is_folder {
            story.last_version += 1;
        }
        save_draft(ctx, &story, Status::Draft, &source.draft.edition).await?;
    }
    write::save(tx, space, &story, ctx.authorized.actor()).await
}

/// Publishes or unpublishes the story. Returns the edition that it published, which is then the draft as
/// well.
async fn update_published(
    ctx: &CommandContext<'_>,
    story: &mut Story,
    source: &prepare::Story,
    events: &mut Vec<StoryEvent>,
) -> Result<Option<Edition>> {
    let (tx, space) = (ctx.tx, ctx.space);
    let Some(published) = &source.published else {
        if let Publication::Published { changed, .. } = &mut story.publication {
            if source.is_published_unseen {
                // It is published at the source, but its published version could not be read: the one of an
                // earlier import stays.
                *changed = true;
            } else {
                editions::unpublish(tx, space, story.id).await?;
                story.publication = Publication::Draft;
                events.push(event(EventKind::Unpublished, story));
            }
        }
        return Ok(None);
    };
    let wanted = published.differs.as_ref().map_or(&source.draft.edition, |version| &version.edition);
    let changed = published.differs.is_some();
    let at = published.at.unwrap_or(story.updated_at);
    let existing = read::find_published(tx, space, story.id).await?;
    if let Publication::Published { changed: is_changed, at: published_at, .. } = &mut story.publication
        && existing.is_some_and(|existing| !existing.differs_from(wanted))
    {
        *is_changed = changed;
        if *published_at != at {
            *published_at = at;
            editions::stamp_published(tx, space, story.id, at).await?;
        }
        return Ok(None);
    }
    story.last_version += 1;
    story.publication = Publication::Published { version: story.last_version, at, changed };
    story.first_published_at.get_or_insert(at);
    save_draft(ctx, story, Status::Published, wanted).await?;
    write::save(tx, space, story, ctx.authorized.actor()).await?;
    editions::publish(tx, space, story.id).await?;
    events.extend((!story.is_folder).then(|| event(EventKind::Published, story)));
    Ok(Some(wanted.clone()))
}

/// Replaces the open schedulings of a story. Returns whether anything changed.
async fn update_schedulings(ctx: &CommandContext<'_>, story: StoryId, wanted: &[StoryPlan]) -> Result<bool> {
    let (tx, space) = (ctx.tx, ctx.space);
    let existing = schedulings::list_open(tx, space, story).await?;
    let mut changed = false;
    for removed in existing.iter().filter(|scheduling| !wanted.contains(&scheduling.plan)) {
        let after = Scheduling { status: scheduling::Status::Deleted, updated_at: ctx.now, ..removed.clone() };
        schedulings::save(tx, space, &after).await?;
        changed = true;
    }
    for plan in wanted.iter().filter(|plan| !existing.iter().any(|scheduling| scheduling.plan == **plan)) {
        schedulings::insert(tx, space, story, plan, ctx.now).await?;
        changed = true;
    }
    Ok(changed)
}

/// Updates the UUID, the place and the translated slugs.
async fn update_place(
    ctx: &CommandContext<'_>,
    mut story: Story,
    placed: &PlacedStory<'_>,
    events: &mut Vec<StoryEvent>,
) -> Result<Story> {
    let (tx, space, source) = (ctx.tx, ctx.space, placed.source);
    if story.uuid != source.uuid {
        story.uuid = source.uuid;
        stories::set_uuid(tx, space, story.id, story.uuid).await?;
    }
    let old = std::mem::replace(&mut story.place, placed.place.clone());
    story.group_id = source.group_id;
    move_from(ctx, &story, &old.full_slug, events).await?;
    let is_moved = old.full_slug != story.place.full_slug;
    if update_translations(ctx, &story, &source.translations).await? || is_moved {
        translations::refresh_paths(tx, space, &story).await?;
    }
    Ok(story)
}

/// Replaces the translated slugs and names of a story. Returns whether anything changed.
async fn update_translations(ctx: &CommandContext<'_>, story: &Story, wanted: &[prepare::Translation]) -> Result<bool> {
    let (tx, space) = (ctx.tx, ctx.space);
    let existing = translations::of_story(tx, space, story.id).await?;
    let mut changed = false;
    for removed in existing.iter().filter(|old| old.is_own() && !wanted.iter().any(|new| new.lang == old.lang)) {
        translations::remove(tx, space, story.id, &removed.lang).await?;
        changed = true;
    }
    for new in wanted {
        if !existing.iter().any(|old| old.lang == new.lang && old.slug == new.slug && old.name == new.name) {
            translations::put(tx, space, story.id, &new.lang, new.slug.as_deref(), new.name.as_deref()).await?;
            changed = true;
        }
    }
    Ok(changed)
}

/// Saves an edition as the draft, and as a version. All its translations count as up to date.
async fn save_draft(ctx: &CommandContext<'_>, story: &Story, status: Status, edition: &Edition) -> Result<()> {
    editions::save_draft(ctx.tx, ctx.space, story.id, edition).await?;
    if story.is_folder {
        return Ok(());
    }
    let known = translation_status::find(ctx.tx, ctx.space, story.id).await?;
    keep(ctx, story.id, OutdatedTranslations::default(), &edition.content, &known).await?;
    let new = NewVersion { status, author: ctx.authorized.actor().signature(), at: ctx.now };
    versions::insert(ctx.tx, ctx.space, story, edition, new).await
}
