//! Who may stand where, and in which order stories come to their places.
//!
//! At the source stories were moved one after the other, and here they come all at once: each to its place, though somebody may still stand there who is
//! only to be moved. So one that waits for another of its page lets it go first. Where they go round in a circle, or where the other one comes with
//! a later page, the other one steps aside, and comes to its own place with its own turn.

use super::stories::Placed;
use crate::content::importer::memory::Memory;
use std::collections::{HashMap, HashSet, VecDeque};
use storage::content::imports::stories::Standing;
use uuid::Uuid;

/// Who stands at the place of a story that is not it.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum InTheWay {
    /// Nobody.
    Nobody,
    /// One who will stand somewhere else: its number here, and at the source.
    Leaving(i64, i64),
    /// One who stays.
    Somebody,
}

/// The stories of a page on their way to their places.
pub(super) struct Room<'a> {
    /// Who stands where, as it was before the page.
    by_path: HashMap<&'a str, (i64, Uuid)>,
    /// Who does not stand there any more.
    left: HashSet<i64>,
    /// Whose turn was, whatever came of it.
    passed: HashSet<i64>,
    waiting: VecDeque<Placed<'a>>,
}

impl<'a> Room<'a> {
    pub(super) fn new(standing: &'a [Standing], placed: Vec<Placed<'a>>) -> Self {
        let there = standing.iter().filter(|s| !s.is_deleted);
        Self {
            by_path: there.map(|there| (there.full_slug.as_str(), (there.id, there.uuid))).collect(),
            left: HashSet::new(),
            passed: HashSet::new(),
            waiting: placed.into(),
        }
    }

    /// Somebody does not stand where it stood.
    pub(super) fn left(&mut self, id: i64) {
        self.left.insert(id);
    }

    /// The next one, and who is in its way.
    pub(super) fn next(&mut self, memory: &Memory) -> Option<(Placed<'a>, InTheWay)> {
        // Whoever waits for one that has its turn on this page goes behind it; when all of them do, they go round in a circle.
        let waits =
            |value: &Placed<'_>| self.holder(value).is_some_and(|(other, _)| self.leaves_later(other, &value.full_slug).is_some());
        let first = self.waiting.iter().position(|w| !waits(w)).unwrap_or(0);
        let it = self.waiting.remove(first)?;
        self.passed.insert(it.id);
        let in_the_way = match self.holder(&it) {
            None => InTheWay::Nobody,
            Some((other, uuid)) => {
                let later = self.leaves_later(other, &it.full_slug);
                let left = || leaves(memory, uuid, &it.full_slug).filter(|_| !self.passed.contains(&other));
                later.or_else(left).map_or(InTheWay::Somebody, |source| InTheWay::Leaving(other, source))
            }
        };
        Some((it, in_the_way))
    }

    /// Who else stands at its place.
    fn holder(&self, it: &Placed<'_>) -> Option<(i64, Uuid)> {
        self.by_path.get(it.full_slug.as_str()).copied().filter(|(other, _)| *other != it.id && !self.left.contains(other))
    }

    /// Whether somebody is among those whose turn is to come, and is to stand elsewhere: its number at the source.
    fn leaves_later(&self, id: i64, path: &str) -> Option<i64> {
        self.waiting.iter().find(|w| w.id == id && w.full_slug != path).map(|w| w.story.source_id)
    }
}

/// Whether a story stands elsewhere at the source: its number there. A start page's path ends with a slash or does not, as the source likes.
fn leaves(memory: &Memory, uuid: Uuid, path: &str) -> Option<i64> {
    let (id, place) = memory.places.get(&uuid)?;
    (place.trim_end_matches('/') != path.trim_end_matches('/')).then_some(*id)
}
