//! Orders the stories of a chunk so that each finds its path free.
//!
//! At the source stories were moved one after the other; here all moves arrive at once, so the path of a story may still be occupied by a story
//! that is to be moved as well. If that one is in the same chunk, it goes first. If the stories of a chunk wait for each other in a circle, or if
//! the other story comes in a later chunk, the other one is displaced to a temporary slug until its own turn.

use super::placement::PlacedStory;
use crate::content::import::state::{ImportState, is_same_path};
use std::collections::{HashMap, HashSet, VecDeque};
use storage::content::imports::stories::ExistingStory;
use uuid::Uuid;

/// Another story at the path of a story.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Conflict {
    /// The other story has another path at the source, and will be moved.
    WillMove {
        /// Its id here.
        id: i64,
        /// Its id at the source.
        source_id: i64,
    },
    /// The other story stays.
    Blocked,
}

/// The queue of the stories of a chunk.
pub(super) struct PathScheduler<'a> {
    /// The stories at the paths before the chunk: id and UUID.
    by_path: HashMap<&'a str, (i64, Uuid)>,
    /// The ids of stories that have left their path since.
    vacated: HashSet<i64>,
    /// The ids of stories that a dry run would have moved in earlier chunks. Their rows are at their former paths.
    arrived: &'a HashSet<i64>,
    /// The ids of stories that were taken from the queue, whatever their outcome.
    processed: HashSet<i64>,
    waiting: VecDeque<PlacedStory<'a>>,
}

impl<'a> PathScheduler<'a> {
    pub(super) fn new(existing: &'a [ExistingStory], placed: Vec<PlacedStory<'a>>, state: &'a ImportState) -> Self {
        let present = existing.iter().filter(|story| !story.is_deleted);
        Self {
            by_path: present.map(|story| (story.full_slug.as_str(), (story.id, story.uuid))).collect(),
            vacated: HashSet::new(),
            arrived: &state.arrived,
            processed: HashSet::new(),
            waiting: placed.into(),
        }
    }

    /// Marks the path of a story as free.
    pub(super) fn vacate(&mut self, id: i64) {
        self.vacated.insert(id);
    }

    /// The next story, with the conflict at its path if there is one.
    pub(super) fn next(&mut self, state: &ImportState) -> Option<(PlacedStory<'a>, Option<Conflict>)> {
        // The first story that waits for no other one of the queue; if all of them wait, they wait in a circle, and the first one is taken.
        let must_wait = |placed: &PlacedStory<'_>| {
            self.occupant(placed).is_some_and(|(other, _)| self.moves_later(other, &placed.place.full_slug).is_some())
        };
        let first = self.waiting.iter().position(|placed| !must_wait(placed)).unwrap_or(0);
        let placed = self.waiting.remove(first)?;
        self.processed.insert(placed.id);
        let path = &placed.place.full_slug;
        let conflict = self.occupant(&placed).map(|(id, uuid)| {
            let moves_in_later_chunk = || moved_at_source(state, uuid, path).filter(|_| !self.processed.contains(&id));
            let source_id = self.moves_later(id, path).or_else(moves_in_later_chunk);
            source_id.map_or(Conflict::Blocked, |source_id| Conflict::WillMove { id, source_id })
        });
        Some((placed, conflict))
    }

    /// Whether no other story is at a path.
    pub(super) fn is_free(&self, path: &str, id: i64) -> bool {
        self.occupant_of(path, id).is_none()
    }

    /// The other story at the path of a story.
    fn occupant(&self, placed: &PlacedStory<'_>) -> Option<(i64, Uuid)> {
        self.occupant_of(&placed.place.full_slug, placed.id)
    }

    fn occupant_of(&self, path: &str, id: i64) -> Option<(i64, Uuid)> {
        let has_left = |other: &i64| self.vacated.contains(other) || self.arrived.contains(other);
        self.by_path.get(path).copied().filter(|(other, _)| *other != id && !has_left(other))
    }

    /// The source id of a story that waits in the queue and is to be moved away from a path.
    fn moves_later(&self, id: i64, path: &str) -> Option<i64> {
        let other = self.waiting.iter().find(|other| other.id == id && other.place.full_slug != path);
        other.map(|other| other.source.source_id)
    }
}

/// The source id of a story that has another path at the source and is still to come. One that this import has settled stays where it is: where its
/// path cannot be that of the source, it is another one.
fn moved_at_source(state: &ImportState, uuid: Uuid, path: &str) -> Option<i64> {
    let (source_id, source_path) = state.source_stories.place_of(uuid)?;
    (!is_same_path(source_path, path) && !state.settled_stories.contains(&source_id)).then_some(source_id)
}
