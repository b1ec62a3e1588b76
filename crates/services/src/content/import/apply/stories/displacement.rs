//! Moves stories out of the way of others, and back.
//!
//! A story at a path that belongs to another story, and that itself belongs elsewhere, is moved to a
//! temporary slug until its own turn comes. That turn may never come: the source may not return the story, a
//! rule may reject it, or the import may end before. So a row remembers each displaced story, and whenever an
//! import ends, those left are restored to their slug or the nearest free one, and the report says where they
//! are.

use super::{
    Occupant,
    relocate::{self, FreePath},
};
use crate::content::{
    command::CommandContext,
    import::{
        apply::{ApplyContext, ChunkOutcome},
        state::{Folder, ImportState},
    },
};
use domain::{
    content::{
        StoryEvent,
        import::{Finding, Kind, Report},
        slug,
        story::Story,
    },
    shared::{Fault, SpaceId, StoryId},
};
use storage::{
    Executor, Result,
    content::{
        imports::{
            displaced_stories::{self, DisplacedStory},
            stories::{self, ExistingStory},
        },
        stories::{read, tree},
    },
};

/// The code of the finding about a displaced story that could not be restored to its slug.
pub const DISPLACED: &str = "displaced";
/// The highest number that is tried behind a slug.
const MAX_SUFFIX: u32 = 100;

/// Moves a story, and everything below it, to a temporary slug.
pub(super) async fn displace(
    context: &ApplyContext<'_>,
    Occupant { id, source_id }: Occupant,
    outcome: &mut ChunkOutcome,
) -> Result<()> {
    let story = read::find(context.executor(), context.space(), id).await?.ok_or_else(Fault::not_found)?.story;
    let temporary_slug = format!("moving-{}", story.uuid);
    let (slug, is_startpage) = (story.place.slug.clone(), story.place.is_startpage);
    let displaced = DisplacedStory { story: id, source_id, slug, is_startpage, temporary_slug };
    let Some(ctx) = context.ctx() else {
        outcome.displaced.push(displaced);
        return Ok(());
    };
    displaced_stories::upsert(ctx.tx, ctx.space, &displaced).await?;
    let Parent::Path(parent) = find_parent(ctx.tx, ctx.space, &story).await? else { return Err(Fault::not_found().into()) };
    let full_slug = slug::full_slug(parent.as_deref(), &displaced.temporary_slug, false)?;
    let target = FreePath { slug: displaced.temporary_slug, full_slug, is_startpage: false };
    let paths = relocate::change_slug(ctx, story, target, &mut outcome.events).await?;
    let moved = |folder: &Folder| Some(Folder { full_slug: paths.get(&folder.id)?.clone(), ..folder.clone() });
    outcome.folders.extend(context.state.folders.iter().filter_map(|(source_id, folder)| Some((*source_id, moved(folder)?))));
    Ok(())
}

/// What restoring displaced stories did.
#[derive(Default)]
pub(crate) struct Restored {
    /// Webhook events, to be sent if the import has webhooks.
    pub(crate) events: Vec<StoryEvent>,
    /// Whether any story was moved.
    pub(crate) has_moved: bool,
}

/// Restores the displaced stories to their slugs, or to the nearest free ones.
pub(crate) async fn restore_all(ctx: &CommandContext<'_>, report: &mut Report) -> Result<Restored> {
    let state = ImportState::default();
    let context = ApplyContext::new(ctx, false, &state);
    let mut restored = Restored::default();
    for displaced in displaced_stories::list(ctx.tx, ctx.space).await? {
        let found = read::find(ctx.tx, ctx.space, displaced.story).await?.map(|found| found.story);
        let is_displaced = |story: &Story| story.deleted_at.is_none() && story.place.slug == displaced.temporary_slug;
        match found.filter(is_displaced) {
            Some(story) => {
                restore(&context, story, &displaced, report, &mut restored).await?;
            }
            None => displaced_stories::remove(ctx.tx, ctx.space, displaced.story).await?,
        }
    }
    Ok(restored)
}

/// Reports what `restore_all` would report after a dry run: about stories that are displaced already and
/// those that would have been displaced.
pub async fn report_displaced(context: &ApplyContext<'_>, report: &mut Report) -> Result<()> {
    let state = context.state;
    let existing = displaced_stories::list(context.executor(), context.space()).await?;
    let is_new = |displaced: &&DisplacedStory| !existing.iter().any(|other| other.story == displaced.story);
    let would_be = state.displaced.iter().filter(is_new).map(|displaced| (displaced, false));
    for (displaced, is_displaced) in existing.iter().map(|displaced| (displaced, true)).chain(would_be) {
        let found = read::find(context.executor(), context.space(), displaced.story).await?.map(|found| found.story);
        let is_left = |story: &Story| {
            story.deleted_at.is_none()
                && (!is_displaced || story.place.slug == displaced.temporary_slug)
                && !state.arrived.contains(&story.id)
        };
        if let Some(story) = found.filter(is_left) {
            restore(context, story, displaced, report, &mut Restored::default()).await?;
        }
    }
    Ok(())
}

async fn restore(
    context: &ApplyContext<'_>,
    story: Story,
    displaced: &DisplacedStory,
    report: &mut Report,
    restored: &mut Restored,
) -> Result<()> {
    let (target, is_original) = find_free_path(context, &story, displaced).await?;
    if !is_original {
        let kind = if story.is_folder { Kind::Folder } else { Kind::Story };
        let message = format!(
            "it made room for another story and could not come to a place of its own: it stands at {} now, as number {}",
            target.full_slug, story.id
        );
        report.failures.add(Finding::new(DISPLACED, kind, displaced.source_id.number(), &displaced.slug, message));
    }
    let Some(ctx) = context.ctx() else { return Ok(()) };
    if is_original {
        displaced_stories::remove(ctx.tx, ctx.space, story.id).await?;
    } else {
        displaced_stories::set_slug(ctx.tx, ctx.space, story.id, &target.slug).await?;
    }
    if story.place.full_slug != target.full_slug {
        restored.has_moved = true;
        relocate::change_slug(ctx, story, target, &mut restored.events).await?;
    }
    Ok(())
}

/// The first free path for a displaced story, and whether it is the original one: the original path, the same
/// as an ordinary story instead of a start page, the slug with a number, or else its current path. This never
/// fails, because an import must be able to end.
async fn find_free_path(context: &ApplyContext<'_>, story: &Story, displaced: &DisplacedStory) -> Result<(FreePath, bool)> {
    let place = &story.place;
    let current = FreePath { slug: place.slug.clone(), full_slug: place.full_slug.clone(), is_startpage: place.is_startpage };
    let Parent::Path(parent) = find_parent(context.executor(), context.space(), story).await? else { return Ok((current, false)) };
    let numbered = (2..MAX_SUFFIX).map(|number| (format!("{}-{number}", displaced.slug), false));
    let original = [(displaced.slug.clone(), displaced.is_startpage), (displaced.slug.clone(), false)];
    let candidates: Vec<FreePath> = original
        .into_iter()
        .chain(numbered)
        .filter_map(|(slug, is_startpage)| {
            let full_slug = slug::full_slug(parent.as_deref(), &slug, is_startpage).ok()?;
            Some(FreePath { slug, full_slug, is_startpage })
        })
        // A longer path of a folder could make the paths below it too long.
        .filter(|target| !story.is_folder || target.slug == displaced.slug || target.full_slug.len() <= place.full_slug.len())
        .collect();
    let paths: Vec<&str> = candidates.iter().map(|target| target.full_slug.as_str()).collect();
    let existing = stories::find_existing(context.executor(), context.space(), &paths, &[], &[]).await?;
    let is_free = |target: &FreePath| {
        let is_occupant = |other: &ExistingStory| !other.is_deleted && other.id != story.id && other.full_slug == target.full_slug;
        !context.state.occupied.contains(&target.full_slug) && !existing.iter().any(is_occupant)
    };
    let original = candidates.first().cloned();
    let target = candidates.into_iter().find(is_free).unwrap_or(current);
    let is_original = Some(&target) == original.as_ref();
    Ok((target, is_original))
}

/// The folder of a story.
enum Parent {
    /// Its path; `None` for the root.
    Path(Option<String>),
    /// The folder does not exist any more.
    Missing,
}

async fn find_parent(executor: &impl Executor, space: SpaceId, story: &Story) -> Result<Parent> {
    if story.place.parent == StoryId(0) {
        return Ok(Parent::Path(None));
    }
    let folder = tree::find_folder(executor, space, story.place.parent).await?;
    Ok(folder.map_or(Parent::Missing, |folder| Parent::Path(Some(folder.full_slug))))
}
