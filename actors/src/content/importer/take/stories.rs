//! Stories and folders: known by their UUIDs, which they keep. New ones are written together, changed ones one by one.

use super::{
    Hand, Item, Subject, Taken, aside,
    room::{InTheWay, Room},
    story_update,
};
use crate::content::importer::memory::{Folder, Memory};
use crypto::digest;
use domain::{
    content::{
        EventKind, StoryEvent,
        import::{Finding, Kind, Outcome, Phase, prepare},
        scheduling::Plan,
        slug,
        story::{Edition, Place, Publication, Story},
    },
    shared::StoryId,
};
use jiff::Timestamp;
use std::{
    borrow::Cow,
    collections::{HashMap, HashSet},
};
use storage::{
    Result,
    content::{
        imports::stories::{self, New, Standing, Words},
        schedulings,
    },
};

/// A story with the place that it is to have.
pub(super) struct Placed<'a> {
    pub(super) story: &'a prepare::Story,
    pub(super) id: i64,
    pub(super) parent: StoryId,
    pub(super) full_slug: String,
    print: [u8; 16],
    is_known: bool,
}

pub(super) async fn take(phase: Phase, hand: &Hand<'_>, memory: &Memory, items: &[Item], taken: &mut Taken) -> Result<()> {
    let kind = phase.kind().unwrap_or(Kind::Story);
    let mut rest: Vec<&Item> = items.iter().collect();
    while !rest.is_empty() {
        // What stands in a folder of this page waits for that folder.
        let here: HashSet<i64> = rest.iter().map(|it| it.id()).collect();
        let (waiting, ready): (Vec<&Item>, Vec<&Item>) =
            rest.iter().partition(|it| matches!(&it.subject, Subject::Story(Ok(story)) if here.contains(&story.parent)));
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
    let paths: Vec<&str> = placed.iter().map(|it| it.full_slug.as_str()).collect();
    let uuids: Vec<_> = placed.iter().map(|it| it.story.uuid).collect();
    let ids: Vec<i64> = placed.iter().map(|it| it.id).collect();
    let standing = stories::standing(&hand.query(), hand.space(), &paths, &uuids, &ids).await?;
    let by_uuid: HashMap<_, &Standing> = standing.iter().map(|it| (it.uuid, it)).collect();
    let by_id: HashMap<_, &Standing> = standing.iter().map(|it| (it.id, it)).collect();
    for it in &mut placed {
        it.id = by_uuid.get(&it.story.uuid).map_or(it.id, |mine| mine.id);
    }

    let mut new = Vec::new();
    let mut seen = HashSet::new();
    let mut room = Room::new(&standing, placed);
    while let Some((it, in_the_way)) = room.next(memory) {
        let story = it.story;
        let fail = |code: &str, message: &str| Finding::new(code, kind, story.source_id, &it.full_slug, message);
        // Known by its UUID; by its number, when the source gave it another UUID.
        let mine = by_id.get(&it.id);
        let is_taken =
            matches!(in_the_way, InTheWay::Somebody) || memory.taken.contains(&it.full_slug) || !seen.insert(it.full_slug.clone());
        match mine {
            Some(mine) if mine.is_deleted => {
                taken.skip(fail("inTrash", "it was deleted here: it stays in the trash"));
                continue;
            }
            Some(mine) if mine.is_folder != story.is_folder => {
                taken.fail(fail("kindChanged", "it is a folder at one side and a story at the other"));
                continue;
            }
            _ if is_taken => {
                taken.fail(fail("slugTaken", "something else stands at this path"));
                continue;
            }
            _ => {}
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
                if let Some(desk) = hand.desk() {
                    story_update::apply(desk, &it, &mut taken.events).await?;
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
                if hand.desk().is_none() {
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
    let Some(desk) = hand.desk().filter(|_| !new.is_empty()) else { return Ok(()) };
    let rows: Vec<New<'_>> = new.iter().map(|it| row(it, desk.now)).collect();
    stories::write_in_bulk(desk.tx).await?;
    stories::insert(desk.tx, desk.space, &rows, (desk.author_id, desk.author), desk.now).await?;
    if rows.iter().any(|it| it.story.plan != Plan::default() || !it.schedulings.is_empty()) {
        schedulings::wake(desk.tx).await?;
    }
    Ok(())
}

/// Where a story stands that nobody moved: a folder above it that is to be moved is still where it was in a dry run.
fn stands<'a>(it: &'a Placed<'_>, hand: &Hand<'_>, memory: &Memory) -> Cow<'a, str> {
    let above = memory.stood.get(&it.parent.0).filter(|_| hand.desk().is_none()).map(String::as_str);
    match above.map(|above| slug::full_slug(Some(above), &it.story.slug, it.story.is_startpage)) {
        Some(Ok(path)) => path.into(),
        _ => it.full_slug.as_str().into(),
    }
}

/// Those that have a place to stand in.
fn placed<'a>(kind: Kind, memory: &Memory, items: &[&'a Item], taken: &mut Taken) -> Vec<Placed<'a>> {
    let mut placed = Vec::with_capacity(items.len());
    for item in items {
        let story = match &item.subject {
            Subject::Story(Ok(story)) => &**story,
            Subject::Story(Err(finding)) => {
                taken.fail(finding.clone());
                continue;
            }
            subject @ (Subject::Record(_) | Subject::Asset(..)) => {
                super::unreadable(kind, subject, taken);
                continue;
            }
        };
        let finding = |code: &str, message: &str| Finding::new(code, kind, story.source_id, &story.slug, message);
        let above = taken.folder(memory, story.parent);
        if above.is_none() && story.parent != 0 {
            taken.fail(finding("folderMissing", "the folder it stands in was not imported"));
            continue;
        }
        let full_slug = match slug::full_slug(above.as_ref().map(|it| it.full_slug.as_str()), &story.slug, story.is_startpage) {
            Ok(full_slug) => full_slug,
            Err(fault) => {
                taken.refuse(kind, story.source_id, &story.slug, &fault);
                continue;
            }
        };
        let Some(known) = memory.known(kind, story.source_id) else {
            taken.skip(finding("late", "it was made at the source while the import was running: the next import brings it"));
            continue;
        };
        story.warnings.iter().for_each(|it| taken.warn(it.clone()));
        story.broken.iter().for_each(|it| taken.report.broken_references.add(it.clone()));
        taken.report.urls_in_text += story.urls_in_text;
        let parent = StoryId(above.map_or(0, |it| it.id));
        let print = print(story, parent);
        placed.push(Placed { story, id: known.id, parent, full_slug, print, is_known: known.fingerprint == Some(print) });
    }
    placed
}

/// The fingerprint of what is stored.
fn print(story: &prepare::Story, parent: StoryId) -> [u8; 16] {
    let text = |it: &Option<String>| it.clone().unwrap_or_default();
    let time = |it: &Option<Timestamp>| it.map(|it| it.to_string()).unwrap_or_default();
    let mut parts = vec![
        story.uuid.to_string(),
        story.group_id.to_string(),
        parent.to_string(),
        format!("{} {} {} {}", story.is_folder, story.is_startpage, story.disable_fe_editor, story.pinned),
        format!("{}", story.is_published_unseen),
        story.slug.clone(),
        story.position.to_string(),
        text(&story.default_root),
        time(&story.created_at),
        time(&story.updated_at),
        time(&story.first_published_at),
        format!("{} {} {:?}", time(&story.plan.publish_at), time(&story.plan.expire_at), story.schedulings),
    ];
    let mut edition = |it: &Edition| {
        parts.extend([it.name.clone(), it.content.get().to_owned(), it.tags.join("\n"), text(&it.path)]);
        parts.push(it.sort_by_date.map(|it| it.to_string()).unwrap_or_default());
        parts.push(it.meta_data.as_ref().map(|it| it.get().to_owned()).unwrap_or_default());
    };
    edition(&story.draft.edition);
    if let Some(published) = &story.published {
        if let Some(version) = &published.differs {
            edition(&version.edition);
        }
        parts.push(format!("published {}", time(&published.at)));
    }
    for it in &story.translations {
        parts.extend([it.lang.clone(), text(&it.slug), text(&it.name)]);
    }
    digest::of_parts(parts.iter().map(String::as_bytes))
}

/// A new story as it is stored.
fn row<'a>(it: &Placed<'a>, now: Timestamp) -> New<'a> {
    let from = it.story;
    let updated_at = from.updated_at.unwrap_or(now);
    let differs = from.published.as_ref().and_then(|it| it.differs.as_ref());
    let publication = match &from.published {
        None => Publication::Draft,
        Some(published) => {
            Publication::Published { version: 1, at: published.at.unwrap_or(updated_at), changed: differs.is_some() }
        }
    };
    let first_published_at = from.first_published_at.or(match publication {
        Publication::Draft => None,
        Publication::Published { at, .. } => Some(at),
    });
    let story = Story {
        id: StoryId(it.id),
        uuid: from.uuid,
        group_id: from.group_id,
        is_folder: from.is_folder,
        place: place(it),
        default_root: from.default_root.clone(),
        disable_fe_editor: from.disable_fe_editor,
        pinned: from.pinned,
        publication,
        last_version: if from.is_folder { 0 } else { 1 + i32::from(differs.is_some()) },
        created_at: from.created_at.unwrap_or(now),
        updated_at,
        first_published_at,
        plan: plan(from, now),
        deleted_at: None,
    };
    let words =
        |it: &'a prepare::Version| Words { edition: &it.edition, search_text: &it.search_text, refs: &it.refs, fields: &it.fields };
    New {
        story,
        draft: words(&from.draft),
        published: differs.map(words),
        translations: from.translations.iter().map(|it| (it.lang.as_str(), it.slug.as_deref(), it.name.as_deref())).collect(),
        schedulings: planned(from, now),
    }
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

/// What is still to come of what it carries itself: the source has done the rest.
pub(super) fn plan(from: &prepare::Story, now: Timestamp) -> Plan {
    let to_come = |at: Option<Timestamp>| at.filter(|it| *it > now);
    Plan { publish_at: to_come(from.plan.publish_at), expire_at: to_come(from.plan.expire_at) }
}

/// When else it is still to be published.
pub(super) fn planned(from: &prepare::Story, now: Timestamp) -> Vec<Timestamp> {
    from.schedulings.iter().copied().filter(|it| *it > now).collect()
}

/// Where it is to stand.
pub(super) fn place(it: &Placed<'_>) -> Place {
    Place {
        parent: it.parent,
        slug: it.story.slug.clone(),
        full_slug: it.full_slug.clone(),
        position: it.story.position,
        is_startpage: it.story.is_startpage,
    }
}

/// Gives every story of the source a number before any is written, so that those which come first can name those which come later. Those
/// that are here already, by their UUIDs, have theirs. The others are numbered as they are at the source: of two at one position, the lower number is
/// the first one.
pub(in crate::content::importer) async fn reserve(
    query: &storage::Either<'_>,
    desk: Option<&crate::content::Desk<'_>>,
    space: domain::shared::SpaceId,
    memory: &Memory,
    wanted: &[(i64, uuid::Uuid)],
    taken: &mut Taken,
) -> Result<()> {
    use storage::content::imports::ids::Known;
    let mut unknown: Vec<_> = wanted.iter().filter(|(source, _)| memory.known(Kind::Story, *source).is_none()).collect();
    unknown.sort_unstable();
    let here: HashMap<_, _> = stories::all_uuids(query, space).await?.into_iter().collect();
    let missing = unknown.iter().filter(|(_, uuid)| !here.contains_key(uuid)).count();
    let mut fresh: Vec<i64> = match desk {
        Some(desk) => stories::reserve(desk.tx, missing).await?,
        None => (0..missing).map(|_| taken.make_up()).collect(),
    };
    fresh.sort_unstable();
    let mut fresh = fresh.into_iter();
    for (source, uuid) in unknown {
        if let Some(id) = here.get(uuid).copied().or_else(|| fresh.next()) {
            taken.ids.push((Kind::Story, *source, Known::reserved(id)));
        }
    }
    Ok(())
}
