//! Stories and folders: known by their UUIDs, which they keep. New ones are written together, changed ones one by one.

mod placing;
mod reserve;
mod row;

pub(super) use placing::Placed;
pub(in crate::content::importer) use reserve::reserve;
pub(super) use row::{place, plan, planned};

use super::{
    Hand, Item, Subject, Taken, aside,
    room::{InTheWay, Room},
    story_update,
};
use crate::content::importer::memory::{Folder, Memory};
use domain::{
    content::{
        EventKind, StoryEvent,
        import::{Finding, Kind, Outcome, Phase},
        scheduling::Plan,
    },
    shared::StoryId,
};
use placing::{placed, stands};
use row::row;
use std::collections::{HashMap, HashSet};
use storage::{
    Result,
    content::{
        imports::stories::{self, New, Standing},
        schedulings,
    },
};

pub(super) async fn take(phase: Phase, hand: &Hand<'_>, memory: &Memory, items: &[Item], taken: &mut Taken) -> Result<()> {
    let kind = phase.kind().unwrap_or(Kind::Story);
    let mut rest: Vec<&Item> = items.iter().collect();
    while !rest.is_empty() {
        // What stands in a folder of this page waits for that folder.
        let here: HashSet<i64> = rest.iter().map(|r| r.id()).collect();
        let (waiting, ready): (Vec<&Item>, Vec<&Item>) =
            rest.iter().partition(|r| matches!(&r.subject, Subject::Story(Ok(story)) if here.contains(&story.parent)));
        // A circle has no beginning: all of it is without a folder.
        let (now, then) = if ready.is_empty() { (waiting, ready) } else { (ready, waiting) };
        wave(kind, hand, memory, &now, taken).await?;
        rest = then;
    }
    Ok(())
}

/// Stories whose folders are there.
async fn wave(kind: Kind, hand: &Hand<'_>, memory: &Memory, items: &[&Item], taken: &mut Taken) -> Result<()> {
    let mut placed = placed(kind, memory, items, taken);
    let paths: Vec<&str> = placed.iter().map(|p| p.full_slug.as_str()).collect();
    let uuids: Vec<_> = placed.iter().map(|p| p.story.uuid).collect();
    let ids: Vec<i64> = placed.iter().map(|p| p.id).collect();
    let standing = stories::standing(&hand.query(), hand.space(), &paths, &uuids, &ids).await?;
    let by_uuid: HashMap<_, &Standing> = standing.iter().map(|s| (s.uuid, s)).collect();
    let by_id: HashMap<_, &Standing> = standing.iter().map(|s| (s.id, s)).collect();
    for it in &mut placed {
        it.id = by_uuid.get(&it.story.uuid).map_or(it.id, |mine| mine.id);
    }

    let mut new = Vec::new();
    let mut seen = HashSet::new();
    let mut room = Room::new(&standing, placed);
    while let Some((it, in_the_way)) = room.next(memory) {
        let story = it.story;
        let finding = |code: &str, message: &str| Finding::new(code, kind, story.source_id, &it.full_slug, message);
        // Known by its UUID; by its number, when the source gave it another UUID.
        let mine = by_id.get(&it.id);
        let is_taken =
            matches!(in_the_way, InTheWay::Somebody) || memory.taken.contains(&it.full_slug) || !seen.insert(it.full_slug.clone());
        if mine.is_some_and(|mine| mine.is_deleted) {
            taken.skip(finding("inTrash", "it was deleted here: it stays in the trash"));
            continue;
        }
        let refusal = match mine {
            Some(mine) if mine.is_folder != story.is_folder => {
                Some(("kindChanged", "it is a folder at one side and a story at the other"))
            }
            _ => is_taken.then_some(("slugTaken", "something else stands at this path")),
        };
        if let Some((code, message)) = refusal {
            taken.fail(finding(code, message));
            continue;
        }
        if let InTheWay::Leaving(other, source) = in_the_way {
            room.left(other);
            taken.public = true;
            aside::step(hand, (StoryId(other), source), memory, taken).await?;
        }
        match mine {
            // It may have been moved here since.
            Some(mine) if it.is_known && mine.full_slug == stands(&it, hand, memory) => {
                taken.took(memory, kind, story.source_id, Outcome::Unchanged, it.id, it.print);
            }
            Some(_) => {
                if let Some(ctx) = hand.ctx() {
                    story_update::apply(ctx, &it, &mut taken.events).await?;
                } else {
                    taken.names.push(it.full_slug.clone());
                    taken.arrived.push(it.id);
                }
                room.left(it.id);
                taken.public = true;
                taken.took(memory, kind, story.source_id, Outcome::Updated, it.id, it.print);
            }
            None => {
                taken.public |= story.is_folder || story.published.is_some();
                taken.took(memory, kind, story.source_id, Outcome::Created, it.id, it.print);
                if story.published.is_some() && !story.is_folder {
                    taken.events.push(published(&it));
                }
                if hand.ctx().is_none() {
                    taken.names.push(it.full_slug.clone());
                }
            }
        }
        if story.is_folder {
            taken.folders.push((story.source_id, Folder { id: it.id, full_slug: it.full_slug.clone() }));
        }
        if mine.is_none() {
            new.push(it);
        }
    }
    let Some(ctx) = hand.ctx().filter(|_| !new.is_empty()) else { return Ok(()) };
    let rows: Vec<New<'_>> = new.iter().map(|n| row(n, ctx.now)).collect();
    stories::write_in_bulk(ctx.tx).await?;
    stories::insert(ctx.tx, ctx.space, &rows, (&ctx.actor.id, &ctx.actor.label), ctx.now).await?;
    if rows.iter().any(|row| row.story.plan != Plan::default() || !row.schedulings.is_empty()) {
        schedulings::wake(ctx.tx).await?;
    }
    Ok(())
}

/// The event that a new story was published.
fn published(it: &Placed<'_>) -> StoryEvent {
    StoryEvent {
        kind: EventKind::Published,
        story_id: StoryId(it.id),
        uuid: it.story.uuid,
        full_slug: it.full_slug.clone(),
        old_full_slug: None,
    }
}
