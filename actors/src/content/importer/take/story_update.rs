//! A story that is here already becomes what it is at the source: with a version for each content that differs, and published as far as it
//! is published there.

use super::stories::{Placed, place, plan, planned};
use crate::content::CommandContext;
use domain::{
    content::{
        EventKind, StoryEvent,
        scheduling::{self, Scheduling},
        story::{Edition, Place, Publication, Story},
    },
    shared::{Fault, StoryId},
};
use jiff::Timestamp;
use services::content::stories::events::{event, moved as moved_events, moved_from};
use std::collections::HashMap;
use storage::{
    Result,
    content::{
        imports::stories,
        schedulings,
        stories::{
            editions, read, translations,
            tree::{self, MovedStory},
            versions::{self, NewVersion, Status},
            write,
        },
    },
};

pub(super) async fn apply(ctx: &CommandContext<'_>, it: &Placed<'_>, events: &mut Vec<StoryEvent>) -> Result<()> {
    let (tx, space, from) = (ctx.tx, ctx.space, it.story);
    let found = read::find(tx, space, StoryId(it.id)).await?.ok_or_else(Fault::not_found)?;
    let mut story = put(ctx, found.story, it, events).await?;
    story.default_root.clone_from(&from.default_root);
    story.disable_fe_editor = from.disable_fe_editor;
    story.pinned = from.pinned;
    story.updated_at = from.updated_at.unwrap_or(ctx.now);
    story.first_published_at = from.first_published_at.or(story.first_published_at);
    let planned_before = story.plan;
    story.plan = plan(from, ctx.now);
    if replan(ctx, story.id, &planned(from, ctx.now)).await? || story.plan != planned_before {
        schedulings::wake(tx).await?;
    }

    let mut draft = found.draft;
    match &from.published {
        // Something is published there, and nobody shows what: what was imported before is nearer to it than nothing.
        None if story.is_published() && from.is_published_unseen => {
            if let Publication::Published { changed, .. } = &mut story.publication {
                *changed = true;
            }
        }
        None if story.is_published() => {
            editions::unpublish(tx, space, story.id).await?;
            story.publication = Publication::Draft;
            events.push(event(EventKind::Unpublished, &story));
        }
        None => {}
        Some(published) => {
            let wanted = published.differs.as_ref().map_or(&from.draft.edition, |version| &version.edition);
            let changed = published.differs.is_some();
            let at = published.at.unwrap_or(story.updated_at);
            let here = read::find_published(tx, space, story.id).await?;
            match &mut story.publication {
                Publication::Published { changed: is_changed, at: is_at, .. }
                    if here.is_some_and(|here| !here.differs_from(wanted)) =>
                {
                    *is_changed = changed;
                    if *is_at != at {
                        *is_at = at;
                        editions::stamp_published(tx, space, story.id, at).await?;
                    }
                }
                publication => {
                    story.last_version += 1;
                    *publication = Publication::Published { version: story.last_version, at, changed };
                    story.first_published_at.get_or_insert(at);
                    save(ctx, &story, Status::Published, wanted).await?;
                    write::save(tx, space, &story).await?;
                    editions::publish(tx, space, story.id).await?;
                    draft = wanted.clone();
                    events.extend((!story.is_folder).then(|| event(EventKind::Published, &story)));
                }
            }
        }
    }
    if draft.differs_from(&from.draft.edition) {
        if !story.is_folder {
            story.last_version += 1;
        }
        save(ctx, &story, Status::Draft, &from.draft.edition).await?;
    }
    write::save(tx, space, &story).await
}

/// What waits to be published is what waits at the source. Answers whether that is something else now.
async fn replan(ctx: &CommandContext<'_>, story: StoryId, wanted: &[Timestamp]) -> Result<bool> {
    let (tx, space) = (ctx.tx, ctx.space);
    let here = schedulings::list_open(tx, space, story).await?;
    let mut changed = false;
    for gone in here.iter().filter(|h| !wanted.contains(&h.publish_at)) {
        let after = Scheduling { status: scheduling::Status::Deleted, updated_at: ctx.now, ..gone.clone() };
        schedulings::save(tx, space, &after).await?;
        changed = true;
    }
    for at in wanted.iter().filter(|at| !here.iter().any(|h| h.publish_at == **at)) {
        schedulings::insert(tx, space, story, *at, ctx.now).await?;
        changed = true;
    }
    Ok(changed)
}

/// Has a story stand at another place below its folder, with what is below it. Answers who stands where by now.
pub(super) async fn stand_at(
    ctx: &CommandContext<'_>,
    mut story: Story,
    (slug, full_slug, is_startpage): (&str, &str, bool),
    events: &mut Vec<StoryEvent>,
) -> Result<HashMap<i64, String>> {
    let old = story.place.full_slug.clone();
    story.place = Place { slug: slug.to_owned(), full_slug: full_slug.to_owned(), is_startpage, ..story.place };
    let below = stand(ctx, &story, &old, events).await?;
    translations::refresh_paths(ctx.tx, ctx.space, &story).await?;
    let below = below.into_iter().map(|b| (b.id.0, b.full_slug));
    Ok([(story.id.0, story.place.full_slug)].into_iter().chain(below).collect())
}

/// Has a story stand where its place says, with what is below it. Answers what is below, if it moved.
async fn stand(ctx: &CommandContext<'_>, story: &Story, old: &str, events: &mut Vec<StoryEvent>) -> Result<Vec<MovedStory>> {
    tree::set_place(ctx.tx, ctx.space, story).await?;
    let moved = old != story.place.full_slug;
    if moved {
        events.push(moved_from(old, story));
    }
    if !(story.is_folder && moved) {
        return Ok(Vec::new());
    }
    let below = tree::move_below(ctx.tx, ctx.space, old, &story.place.full_slug).await?;
    events.extend(moved_events(&below));
    Ok(below)
}

/// Puts it where it is to stand, with what is below it, and gives it its slugs in other languages.
async fn put(ctx: &CommandContext<'_>, mut story: Story, it: &Placed<'_>, events: &mut Vec<StoryEvent>) -> Result<Story> {
    let (tx, space) = (ctx.tx, ctx.space);
    if story.uuid != it.story.uuid {
        story.uuid = it.story.uuid;
        stories::set_uuid(tx, space, story.id, story.uuid).await?;
    }
    let old = std::mem::replace(&mut story.place, place(it));
    story.group_id = it.story.group_id;
    stand(ctx, &story, &old.full_slug, events).await?;
    let moved = old.full_slug != story.place.full_slug;
    let mut translated = false;
    let here = translations::of_story(tx, space, story.id).await?;
    for gone in here.iter().filter(|old| old.is_own() && !it.story.translations.iter().any(|new| new.lang == old.lang)) {
        translations::remove(tx, space, story.id, &gone.lang).await?;
        translated = true;
    }
    for new in &it.story.translations {
        if !here.iter().any(|old| old.lang == new.lang && old.slug == new.slug && old.name == new.name) {
            translations::put(tx, space, story.id, &new.lang, new.slug.as_deref(), new.name.as_deref()).await?;
            translated = true;
        }
    }
    if translated || moved {
        translations::refresh_paths(tx, space, &story).await?;
    }
    Ok(story)
}

/// Saves an edition as the draft, and as a version.
async fn save(ctx: &CommandContext<'_>, story: &Story, status: Status, edition: &Edition) -> Result<()> {
    editions::save_draft(ctx.tx, ctx.space, story.id, edition).await?;
    if story.is_folder {
        return Ok(());
    }
    let new = NewVersion { status, author: ctx.actor, at: ctx.now };
    versions::insert(ctx.tx, ctx.space, story, edition, new).await
}
