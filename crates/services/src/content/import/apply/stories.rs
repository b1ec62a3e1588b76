//! Stories and folders, identified by their UUIDs, which they keep. New ones are inserted together, changed
//! ones are updated one by one.

pub mod displacement;
mod path_conflicts;
mod placement;
mod plans;
mod relocate;
pub mod reserve;
mod row;
mod update;

use super::{
    Applied, ApplyContext, ChunkOutcome,
    record::{PreparedContent, PreparedRecord},
};
use crate::content::{import::state::Folder, stories::translation_status::keep_new};
use domain::{
    content::{
        EventKind, StoryEvent,
        import::{Kind, Outcome, Phase, SourceId, Subject, record},
        scheduling::PublishSchedule,
    },
    shared::{Fault, StoryId},
};
use path_conflicts::{Conflict, PathScheduler};
use placement::{PlacedStory, place_stories};
use std::collections::{HashMap, HashSet};
use storage::{
    Result,
    content::{
        imports::stories::{self, ExistingStory, NewStory},
        schedulings,
    },
};

pub(super) async fn apply(
    phase: Phase,
    context: &ApplyContext<'_>,
    records: &[PreparedRecord],
    outcome: &mut ChunkOutcome,
) -> Result<()> {
    let kind = phase.kind().unwrap_or(Kind::Story);
    let mut rest = records;
    while !rest.is_empty() {
        let (run, others) = rest.split_at(run(rest));
        apply_run(kind, context, run, outcome).await?;
        rest = others;
    }
    Ok(())
}

/// How many of the first records have no folder among them: the next one waits until its folder is written.
/// The order of the records stays, because it decides who gets a path.
fn run(records: &[PreparedRecord]) -> usize {
    let mut folders = HashSet::new();
    let stands_in_run = |record: &PreparedRecord| {
        let PreparedContent::Story(Ok(story)) = &record.content else { return false };
        let stands_in_run = folders.contains(&story.parent);
        folders.extend(story.is_folder.then_some(story.source_id));
        stands_in_run
    };
    records.iter().position(stands_in_run).unwrap_or(records.len())
}

/// Applies stories whose folders exist.
async fn apply_run(kind: Kind, context: &ApplyContext<'_>, records: &[PreparedRecord], outcome: &mut ChunkOutcome) -> Result<()> {
    let state = context.state;
    let mut placed = place_stories(kind, state, records, outcome);
    let paths: Vec<&str> = placed.iter().map(|story| story.place.full_slug.as_str()).collect();
    let uuids: Vec<_> = placed.iter().map(|story| story.source.uuid).collect();
    let ids: Vec<StoryId> = placed.iter().map(|story| story.id).collect();
    let existing = stories::find_existing(context.executor(), context.space(), &paths, &uuids, &ids).await?;
    let by_uuid: HashMap<_, &ExistingStory> = existing.iter().map(|story| (story.uuid, story)).collect();
    let by_id: HashMap<_, &ExistingStory> = existing.iter().map(|story| (story.id, story)).collect();
    for story in &mut placed {
        story.id = by_uuid.get(&story.source.uuid).map_or(story.id, |matched| matched.id);
    }
    // A list says too little of a folder to change one by.
    let is_here = |story: &ExistingStory| story.is_folder && !story.is_deleted;
    let (kept, placed): (Vec<_>, Vec<_>) =
        placed.into_iter().partition(|story| story.source.is_of_list && by_id.get(&story.id).is_some_and(|story| is_here(story)));

    let mut new = Vec::new();
    let mut scheduler = PathScheduler::new(&existing, placed, state, outcome);
    for story in kept {
        scheduler.keep(story.id);
        let applied = Applied { outcome: Outcome::Unchanged, id: story.id, fingerprint: story.last.unwrap_or_default() };
        outcome.record_outcome(state, (kind, story.source.source_id), applied);
    }
    while let Some(mut placed) = scheduler.next() {
        // Matched by its UUID, or by its id if the source gave it another UUID.
        let matched = by_id.get(&placed.id).copied();
        if is_rejected(&placed, matched, outcome) {
            continue;
        }
        let conflict = match find_path(context, &mut scheduler, &mut placed, outcome).await? {
            Ok(conflict) => conflict,
            Err(too_long) => {
                outcome.reject(placed.source.subject(), &too_long);
                continue;
            }
        };
        scheduler.take(&placed.place.full_slug);
        if let Some(occupant) = conflict {
            scheduler.vacate(occupant.id);
            outcome.is_visible = true;
            displacement::displace(context, occupant, outcome).await?;
        }
        let done = match matched {
            None => Outcome::Created,
            // The path is compared too: the story may have been moved here since the last import.
            Some(matched) if placed.is_unchanged() && matched.full_slug == placed.current_path(context) => Outcome::Unchanged,
            Some(_) => {
                if let Some(ctx) = context.ctx() {
                    update::update(ctx, &placed, &mut outcome.events).await?;
                } else {
                    outcome.arrived.push(placed.id);
                }
                scheduler.vacate(placed.id);
                Outcome::Updated
            }
        };
        finish_one(kind, context, &placed, done, outcome);
        if done == Outcome::Created {
            new.push(placed);
        }
    }
    insert(context, &new).await
}

/// The story to be displaced from the path of another one.
#[derive(Debug, PartialEq, Eq)]
struct Occupant {
    id: StoryId,
    source_id: SourceId<record::Story>,
}

/// Gives a story the first path that is free, or whose occupant will move. The inner error says that a path
/// would be too long.
async fn find_path(
    context: &ApplyContext<'_>,
    scheduler: &mut PathScheduler<'_>,
    placed: &mut PlacedStory<'_>,
    outcome: &ChunkOutcome,
) -> Result<std::result::Result<Option<Occupant>, Fault>> {
    loop {
        match scheduler.conflict(placed, outcome) {
            None => return Ok(Ok(None)),
            Some(Conflict::WillMove(occupant)) => return Ok(Ok(Some(occupant))),
            Some(Conflict::Blocked) => {}
        }
        if let Err(too_long) = placed.try_next_slug(context.state) {
            return Ok(Err(too_long));
        }
        scheduler.find_occupant(context, &placed.place.full_slug).await?;
    }
}

/// Reports a story that must not be written: deleted here, or of the other kind here. Returns whether it is
/// one.
fn is_rejected(placed: &PlacedStory<'_>, matched: Option<&ExistingStory>, outcome: &mut ChunkOutcome) -> bool {
    let subject = Subject { label: &placed.place.full_slug, ..placed.source.subject() };
    if matched.is_some_and(|matched| matched.is_deleted) {
        if placed.source.is_folder {
            outcome.trashed_folders.push(placed.source.source_id);
        }
        outcome.skip(subject.finding("inTrash", "it was deleted here: it stays in the trash"));
    } else if matched.is_some_and(|matched| matched.is_folder != placed.source.is_folder) {
        outcome.fail(subject.finding("kindChanged", "it is a folder at one side and a story at the other"));
    } else {
        return false;
    }
    true
}

/// Adds an applied story to the outcome.
fn finish_one(kind: Kind, context: &ApplyContext<'_>, placed: &PlacedStory<'_>, done: Outcome, outcome: &mut ChunkOutcome) {
    let state = context.state;
    let source = placed.source;
    placed.report_place(state, outcome);
    let subject = Subject { label: &placed.place.full_slug, ..source.subject() };
    placed.plans.report(subject, context.now(), outcome);
    let is_published = source.published.is_some() && !source.is_folder;
    outcome.is_visible |= match done {
        Outcome::Created => source.is_folder || is_published,
        _ => done == Outcome::Updated,
    };
    outcome.record_outcome(
        state,
        (kind, source.source_id),
        Applied { outcome: done, id: placed.id, fingerprint: placed.fingerprint },
    );
    if done == Outcome::Created && is_published {
        outcome.events.push(published_event(placed));
    }
    if context.ctx().is_none() && done != Outcome::Unchanged {
        outcome.occupied.push(placed.place.full_slug.clone());
    }
    if source.is_folder {
        let folder = Folder { id: placed.id, full_slug: placed.place.full_slug.clone(), translated: placed.translated_paths() };
        if let Some(before) = outcome.folder(state, source.source_id).filter(|before| folder.has_moved_since(before)) {
            // Those below it may not come in this import.
            outcome.move_folders_below(state, &before, &folder);
        }
        outcome.folders.insert(source.source_id, folder);
    }
}

/// Inserts the new stories; does nothing in a dry run.
async fn insert(context: &ApplyContext<'_>, new: &[PlacedStory<'_>]) -> Result<()> {
    let Some(ctx) = context.ctx().filter(|_| !new.is_empty()) else { return Ok(()) };
    let rows: Vec<NewStory<'_>> = new.iter().map(|placed| row::new_story(placed, ctx.now)).collect();
    stories::defer_search_index(ctx.tx).await?;
    stories::insert(ctx.tx, ctx.space, &rows, ctx.authorized.actor(), ctx.now).await?;
    let stories = rows.iter().filter(|row| !row.story.is_folder);
    let drafts: Vec<_> = stories.map(|row| (row.story.id, &row.source.draft.edition.content)).collect();
    keep_new(ctx, &drafts).await?;
    if rows.iter().any(|row| row.story.schedule != PublishSchedule::default() || !row.schedulings.is_empty()) {
        schedulings::wake(ctx.tx).await?;
    }
    Ok(())
}

fn published_event(placed: &PlacedStory<'_>) -> StoryEvent {
    StoryEvent {
        kind: EventKind::Published,
        story_id: placed.id,
        uuid: placed.source.uuid,
        full_slug: placed.place.full_slug.clone(),
        old_full_slug: None,
    }
}

#[cfg(test)]
mod tests;
