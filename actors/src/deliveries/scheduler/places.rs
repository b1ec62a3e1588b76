//! Places for attempts, and whose turn it is to take one. Nothing here knows of time or of the database.
//!
//! Receivers that share places are a class, by their [`ReceiverHealth`]. A place is taken when an attempt
//! begins and given back when it ends, which takes ten seconds at a receiver that is silent. So no class
//! lends places to another: they would not come back in time. A receiver that was never tried takes a place
//! of the new for one attempt; after that it has answered, or it is one of those that fail. However many of
//! these there are, they take nothing from the new.
//!
//! Within a class, owners (a space, or a client of the OpenID provider) share. An owner who has none may take
//! any free place. One who has some takes a further one only while fewer are its own than are free, not
//! counting a reserve of an eighth of all. So one owner has less than half of them, several have about the
//! same number each and leave as many free, and the reserve is for the first places of owners who come later.
//! Of those who may take a place the owner with the fewest is next; of the receivers of an owner the one with
//! the fewest failures, and of these the one whose last turn is the longest ago.
//!
//! The same holds for the first moments of attempts, when they are active and cost processor time.

#[cfg(test)]
mod tests;

use domain::shared::{ReceiverId, delivery::ReceiverHealth};
use std::{
    cmp::Reverse,
    collections::{BTreeMap, BinaryHeap, VecDeque},
    sync::Arc,
};

/// Whose a receiver is.
pub(super) type Owner = Arc<str>;

/// The part of all places that is kept for owners who have none.
const RESERVE: usize = 8;

/// Something of which there is a limited number, and how much of it each owner has.
#[derive(Debug, Clone)]
struct Share {
    limit: usize,
    taken: usize,
    by_owner: BTreeMap<Owner, usize>,
}

impl Share {
    fn new(limit: usize) -> Self {
        Self { limit, taken: 0, by_owner: BTreeMap::new() }
    }

    fn of(&self, owner: &Owner) -> usize {
        self.by_owner.get(owner).copied().unwrap_or_default()
    }

    fn may_take(&self, owner: &Owner) -> bool {
        let free = self.limit.saturating_sub(self.taken);
        match self.of(owner) {
            0 => free > 0,
            some => some + self.limit / RESERVE < free,
        }
    }

    fn take(&mut self, owner: &Owner) {
        self.taken += 1;
        *self.by_owner.entry(owner.clone()).or_default() += 1;
    }

    fn release(&mut self, owner: &Owner) {
        if let Some(count) = self.by_owner.get_mut(owner) {
            self.taken = self.taken.saturating_sub(1);
            *count = count.saturating_sub(1);
            if *count == 0 {
                self.by_owner.remove(owner);
            }
        }
    }
}

/// The places of one class.
#[derive(Debug, Clone)]
pub(super) struct Places {
    /// Attempts in their first moments.
    active: Share,
    running: Share,
}

impl Places {
    fn new(active: usize, running: usize) -> Self {
        Self { active: Share::new(active), running: Share::new(running) }
    }

    fn may_take(&self, owner: &Owner) -> bool {
        self.active.may_take(owner) && self.running.may_take(owner)
    }

    /// An attempt begins.
    pub(super) fn take(&mut self, owner: &Owner) {
        self.active.take(owner);
        self.running.take(owner);
    }

    /// An attempt is active no longer: it waits for its receiver.
    pub(super) fn wait(&mut self, owner: &Owner) {
        self.active.release(owner);
    }

    /// An attempt has ended.
    pub(super) fn release(&mut self, owner: &Owner, was_active: bool) {
        if was_active {
            self.active.release(owner);
        }
        self.running.release(owner);
    }

    /// Takes places for candidates until none may take any more. Returns the receivers in their turns, each
    /// as often as it got a place.
    pub(super) fn hand_out(&mut self, mut candidates: Vec<Candidate>) -> Vec<ReceiverId> {
        candidates.sort_by_key(|candidate| (candidate.failures, candidate.last_turn, candidate.receiver));
        let mut queues: BTreeMap<Owner, Queue> = BTreeMap::new();
        for candidate in candidates {
            let queue = queues.entry(candidate.owner).or_default();
            queue.last_turn = queue.last_turn.max(candidate.owners_last_turn);
            queue.waiting.push_back((candidate.receiver, candidate.wants));
        }
        let first = |(owner, queue): (&Owner, &Queue)| Reverse((self.running.of(owner), queue.last_turn, owner.clone()));
        let mut turns: BinaryHeap<_> = queues.iter().map(first).collect();
        let mut served = Vec::new();
        while let Some(Reverse((has, last_turn, owner))) = turns.pop() {
            // What is free only becomes less, so an owner who may not take a place now has had its last turn.
            let next = queues.get_mut(&owner).filter(|_| self.may_take(&owner));
            let Some((queue, (receiver, wants))) = next.and_then(|queue| queue.waiting.pop_front().map(|first| (queue, first)))
            else {
                continue;
            };
            if wants > 1 {
                queue.waiting.push_back((receiver, wants - 1));
            }
            self.take(&owner);
            served.push(receiver);
            turns.push(Reverse((has + 1, last_turn, owner)));
        }
        served
    }
}

/// A receiver that could use places.
#[derive(Debug, Clone)]
pub(super) struct Candidate {
    pub(super) receiver: ReceiverId,
    pub(super) owner: Owner,
    /// For how many attempts.
    pub(super) wants: usize,
    /// How often it failed in a row, up to a bound.
    pub(super) failures: u32,
    /// A number that grows with each turn: that of its own last one, and of the last one of its owner.
    pub(super) last_turn: u64,
    pub(super) owners_last_turn: u64,
}

/// The candidates of one owner.
#[derive(Default)]
struct Queue {
    last_turn: u64,
    waiting: VecDeque<(ReceiverId, usize)>,
}

/// The places of all classes.
#[derive(Debug, Clone)]
pub(super) struct Classes {
    proven: Places,
    faltering: Places,
    new: Places,
    failing: Places,
}

impl Default for Classes {
    /// The new have so many that each receiver of ten spaces with a hundred webhooks gets its first attempt
    /// at once.
    fn default() -> Self {
        Self {
            proven: Places::new(160, 512),
            faltering: Places::new(32, 256),
            new: Places::new(128, 1280),
            failing: Places::new(32, 256),
        }
    }
}

impl Classes {
    /// The places of a class.
    pub(super) fn of(&mut self, class: ReceiverHealth) -> &mut Places {
        match class {
            ReceiverHealth::Proven => &mut self.proven,
            ReceiverHealth::Faltering => &mut self.faltering,
            ReceiverHealth::New => &mut self.new,
            ReceiverHealth::Failing => &mut self.failing,
        }
    }
}
