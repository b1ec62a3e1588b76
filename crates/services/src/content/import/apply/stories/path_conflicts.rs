//! Orders the stories of a chunk so that each finds its path free, and says who has a path.
//!
//! At the source stories were moved one after the other; here all moves arrive at once, so the path of a
//! story may still be occupied by a story that is to be moved as well. If that one is in the same chunk, it
//! goes first. If the stories of a chunk wait for each other in a circle, or if the other story comes in a
//! later chunk, the other one is displaced to a temporary slug until its own turn.
//!
//! A path that several stories of the source have belongs to the one that stands there. If none does, the
//! first one that comes gets it: sources return folders before stories, and both by ascending id. So it makes
//! no difference in which order the source lists them, or in which chunks they come.

use super::{
    Occupant,
    placement::{PlacedStory, wanted},
};
use crate::content::import::{
    apply::{ApplyContext, ChunkOutcome},
    state::ImportState,
};
use domain::{
    content::import::{SourceId, record::Story},
    shared::StoryId,
};
use std::collections::{HashMap, HashSet, VecDeque};
use storage::{
    Result,
    content::imports::stories::{self, ExistingStory},
};
use uuid::Uuid;

/// Another story at the path of a story.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Conflict {
    /// The other story belongs elsewhere, and will be moved.
    WillMove(Occupant),
    /// The other story stays.
    Blocked,
}

/// A story at a path.
#[derive(Clone, Copy)]
struct Standing {
    id: StoryId,
    uuid: Uuid,
}

/// The queue of the stories of a chunk.
pub(super) struct PathScheduler<'a> {
    /// The stories at the paths before the chunk.
    by_path: HashMap<String, Standing>,
    /// The ids of stories that have left their path since.
    vacated: HashSet<StoryId>,
    /// The paths that stories of this chunk have got.
    taken: HashSet<String>,
    /// The ids of stories that were taken from the queue, whatever their outcome.
    processed: HashSet<StoryId>,
    waiting: VecDeque<PlacedStory<'a>>,
    state: &'a ImportState,
}

impl<'a> PathScheduler<'a> {
    pub(super) fn new(
        existing: &[ExistingStory],
        placed: Vec<PlacedStory<'a>>,
        state: &'a ImportState,
        outcome: &ChunkOutcome,
    ) -> Self {
        let mut scheduler = Self {
            by_path: HashMap::new(),
            // What a dry run would have done earlier in this chunk is in no row.
            vacated: outcome.arrived.iter().copied().collect(),
            taken: outcome.occupied.iter().cloned().collect(),
            processed: HashSet::new(),
            waiting: placed.into(),
            state,
        };
        scheduler.add(existing);
        scheduler
    }

    fn add(&mut self, existing: &[ExistingStory]) {
        let present = existing.iter().filter(|story| !story.is_deleted);
        self.by_path.extend(present.map(|story| (story.full_slug.clone(), Standing { id: story.id, uuid: story.uuid })));
    }

    /// Learns who stands at a further path.
    pub(super) async fn find_occupant(&mut self, context: &ApplyContext<'_>, path: &str) -> Result<()> {
        self.add(&stories::find_existing(context.executor(), context.space(), &[path], &[], &[]).await?);
        Ok(())
    }

    /// Marks the former path of a story as free.
    pub(super) fn vacate(&mut self, id: StoryId) {
        self.vacated.insert(id);
    }

    /// Marks a path as that of a story of this chunk.
    pub(super) fn take(&mut self, path: &str) {
        self.taken.insert(path.to_owned());
    }

    /// Marks a story as one that stays where it stands.
    pub(super) fn keep(&mut self, id: StoryId) {
        self.processed.insert(id);
    }

    /// The next story.
    pub(super) fn next(&mut self) -> Option<PlacedStory<'a>> {
        // The first story that waits for no other one of the queue; if all of them wait, they wait in a
        // circle, and the first one is taken.
        let must_wait = |placed: &PlacedStory<'_>| {
            let path = &placed.place.full_slug;
            self.occupant(path, placed.id)
                .and_then(|other| self.waiting(other.id))
                .is_some_and(|other| other.place.full_slug != *path)
        };
        let first = self.waiting.iter().position(|placed| !must_wait(placed)).unwrap_or(0);
        let placed = self.waiting.remove(first)?;
        self.processed.insert(placed.id);
        Some(placed)
    }

    /// The conflict at the path of a story that was taken from the queue.
    pub(super) fn conflict(&self, placed: &PlacedStory<'_>, outcome: &ChunkOutcome) -> Option<Conflict> {
        let path = &placed.place.full_slug;
        if self.taken.contains(path) || self.state.occupied.contains(path) {
            return Some(Conflict::Blocked);
        }
        let Standing { id, uuid } = self.occupant(path, placed.id)?;
        let source_id = match self.waiting(id) {
            Some(other) => Some(other.source.source_id).filter(|_| other.place.full_slug != *path),
            None if self.processed.contains(&id) => None,
            None => self.moves_later(uuid, placed, outcome),
        };
        Some(source_id.map_or(Conflict::Blocked, |source_id| Conflict::WillMove(Occupant { id, source_id })))
    }

    /// The other story at a path.
    fn occupant(&self, path: &str, id: StoryId) -> Option<Standing> {
        // The rows of stories that a dry run would have moved in earlier chunks are at their former paths.
        let has_left = |other: &StoryId| self.vacated.contains(other) || self.state.arrived.contains(other);
        self.by_path.get(path).copied().filter(|other| other.id != id && !has_left(&other.id))
    }

    fn waiting(&self, id: StoryId) -> Option<&PlacedStory<'a>> {
        self.waiting.iter().find(|other| other.id == id)
    }

    /// The source id of a story that is still to come and that belongs elsewhere. One that this import has
    /// settled stays where it is.
    fn moves_later(&self, uuid: Uuid, placed: &PlacedStory<'_>, outcome: &ChunkOutcome) -> Option<SourceId<Story>> {
        let source_id = self.state.source_stories.id_of(uuid).filter(|id| !self.state.settled_stories.contains(id))?;
        let other = wanted(self.state, outcome, source_id)?;
        // A path that the source does not know gives way to one that it does.
        let gives_way = !other.is_known && placed.has_known_path();
        (other.full_slug != placed.place.full_slug || gives_way).then_some(source_id)
    }
}
