//! Stories and folders, identified by their UUIDs, which they keep. New ones are inserted together, changed ones are updated one by one.

pub mod displacement;
mod path_conflicts;
mod placement;
mod relocate;
pub mod reserve;
mod row;
mod update;

use super::{
    ApplyMode, ChunkOutcome,
    record::{PreparedContent, PreparedRecord},
};
use crate::content::import::state::{Folder, ImportState};
use domain::{
    content::{
        EventKind, StoryEvent,
        import::{Finding, Kind, Outcome, Phase},
        scheduling::PublishSchedule,
    },
    shared::StoryId,
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
    mode: &ApplyMode<'_>,
    state: &ImportState,
    records: &[PreparedRecord],
    outcome: &mut ChunkOutcome,
) -> Result<()> {
    let kind = phase.kind().unwrap_or(Kind::Story);
    let mut rest: Vec<&PreparedRecord> = records.iter().collect();
    while !rest.is_empty() {
        // A story in a folder of this chunk waits until that folder is written.
        let ids: HashSet<i64> = rest.iter().map(|record| record.id()).collect();
        let is_waiting =
            |record: &&PreparedRecord| matches!(&record.content, PreparedContent::Story(Ok(story)) if ids.contains(&story.parent));
        let (waiting, ready): (Vec<_>, Vec<_>) = rest.into_iter().partition(is_waiting);
        // Folders in a circle never become ready: they are applied last, and fail without their folders.
        let (level, next) = if ready.is_empty() { (waiting, ready) } else { (ready, waiting) };
        apply_level(kind, mode, state, &level, outcome).await?;
        rest = next;
    }
    Ok(())
}

/// Applies stories whose folders exist.
async fn apply_level(
    kind: Kind,
    mode: &ApplyMode<'_>,
    state: &ImportState,
    records: &[&PreparedRecord],
    outcome: &mut ChunkOutcome,
) -> Result<()> {
    let mut placed = place_stories(kind, state, records, outcome);
    let wanted = placed.iter().flat_map(|story| [Some(&story.place), story.alternative.as_ref()]);
    let paths: Vec<&str> = wanted.flatten().map(|place| place.full_slug.as_str()).collect();
    let uuids: Vec<_> = placed.iter().map(|story| story.source.uuid).collect();
    let ids: Vec<i64> = placed.iter().map(|story| story.id).collect();
    let existing = stories::find_existing(&mode.executor(), mode.space(), &paths, &uuids, &ids).await?;
    let by_uuid: HashMap<_, &ExistingStory> = existing.iter().map(|story| (story.uuid, story)).collect();
    let by_id: HashMap<_, &ExistingStory> = existing.iter().map(|story| (story.id, story)).collect();
    for story in &mut placed {
        story.id = by_uuid.get(&story.source.uuid).map_or(story.id, |matched| matched.id);
    }

    let mut new = Vec::new();
    let mut seen: HashSet<String> = HashSet::new();
    let mut scheduler = PathScheduler::new(&existing, placed, state);
    while let Some((mut placed, mut conflict)) = scheduler.next(state) {
        // Matched by its UUID, or by its id if the source gave it another UUID.
        let matched = by_id.get(&placed.id).copied();
        let is_used = |path: &String| state.occupied.contains(path) || seen.contains(path);
        let mut is_occupied = conflict == Some(Conflict::Blocked) || is_used(&placed.place.full_slug);
        if is_occupied
            && let Some(alternative) = placed.alternative.take()
            && scheduler.is_free(&alternative.full_slug, placed.id)
            && !is_used(&alternative.full_slug)
        {
            (placed.place, conflict, is_occupied) = (alternative, None, false);
        }
        seen.insert(placed.place.full_slug.clone());
        if is_rejected(kind, &placed, matched, is_occupied, outcome) {
            continue;
        }
        if let Some(Conflict::WillMove { id, source_id }) = conflict {
            scheduler.vacate(id);
            outcome.is_visible = true;
            displacement::displace(mode, (StoryId(id), source_id), state, outcome).await?;
        }
        let done = match matched {
            None => Outcome::Created,
            // The path is compared too: the story may have been moved here since the last import.
            Some(matched) if placed.is_unchanged && matched.full_slug == placed.current_path(mode, state) => Outcome::Unchanged,
            Some(_) => {
                if let Some(ctx) = mode.ctx() {
                    update::update(ctx, &placed, &mut outcome.events).await?;
                } else {
                    outcome.arrived.push(placed.id);
                }
                scheduler.vacate(placed.id);
                Outcome::Updated
            }
        };
        finish_one(kind, mode, state, &placed, done, outcome);
        if done == Outcome::Created {
            new.push(placed);
        }
    }
    insert(mode, &new).await
}

/// Reports a story that must not be written: deleted here, of the other kind here, or at an occupied path. Returns whether it is one.
fn is_rejected(
    kind: Kind,
    placed: &PlacedStory<'_>,
    matched: Option<&ExistingStory>,
    is_occupied: bool,
    outcome: &mut ChunkOutcome,
) -> bool {
    let finding = |code: &str, message: &str| Finding::new(code, kind, placed.source.source_id, &placed.place.full_slug, message);
    if matched.is_some_and(|matched| matched.is_deleted) {
        if placed.source.is_folder {
            outcome.trashed_folders.push(placed.source.source_id);
        }
        outcome.skip(finding("inTrash", "it was deleted here: it stays in the trash"));
    } else if matched.is_some_and(|matched| matched.is_folder != placed.source.is_folder) {
        outcome.fail(finding("kindChanged", "it is a folder at one side and a story at the other"));
    } else if is_occupied {
        outcome.fail(finding("slugTaken", "something else stands at this path"));
    } else {
        return false;
    }
    true
}

/// Adds an applied story to the outcome.
fn finish_one(
    kind: Kind,
    mode: &ApplyMode<'_>,
    state: &ImportState,
    placed: &PlacedStory<'_>,
    done: Outcome,
    outcome: &mut ChunkOutcome,
) {
    let source = placed.source;
    placed.report_place(kind, outcome);
    let is_published = source.published.is_some() && !source.is_folder;
    outcome.is_visible |= match done {
        Outcome::Created => source.is_folder || is_published,
        _ => done == Outcome::Updated,
    };
    outcome.record_outcome(state, (kind, source.source_id), done, placed.id, placed.fingerprint);
    if done == Outcome::Created && is_published {
        outcome.events.push(published_event(placed));
    }
    if mode.ctx().is_none() && done != Outcome::Unchanged {
        outcome.occupied.push(placed.place.full_slug.clone());
    }
    if source.is_folder {
        let folder = Folder { id: placed.id, full_slug: placed.place.full_slug.clone(), translated: placed.translated_paths() };
        outcome.folders.push((source.source_id, folder));
    }
}

/// Inserts the new stories; does nothing in a dry run.
async fn insert(mode: &ApplyMode<'_>, new: &[PlacedStory<'_>]) -> Result<()> {
    let Some(ctx) = mode.ctx().filter(|_| !new.is_empty()) else { return Ok(()) };
    let rows: Vec<NewStory<'_>> = new.iter().map(|placed| row::new_story(placed, ctx.now)).collect();
    stories::defer_search_index(ctx.tx).await?;
    stories::insert(ctx.tx, ctx.space, &rows, (&ctx.actor.id, &ctx.actor.label), ctx.now).await?;
    if rows.iter().any(|row| row.story.schedule != PublishSchedule::default() || !row.schedulings.is_empty()) {
        schedulings::wake(ctx.tx).await?;
    }
    Ok(())
}

fn published_event(placed: &PlacedStory<'_>) -> StoryEvent {
    StoryEvent {
        kind: EventKind::Published,
        story_id: StoryId(placed.id),
        uuid: placed.source.uuid,
        full_slug: placed.place.full_slug.clone(),
        old_full_slug: None,
    }
}

#[cfg(test)]
mod tests;
