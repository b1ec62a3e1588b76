//! Items that wait by space, and within a space by caller. Spaces take turns, and so do the callers of a
//! space.

use domain::shared::SpaceId;
use std::{
    collections::{HashMap, VecDeque},
    hash::Hash,
};

/// What waits.
pub(super) struct Waiting<C, T> {
    spaces: Turns<SpaceId, OfSpace<C, T>>,
    /// The number of the next item.
    next: u64,
}

/// What waits of a space: its items by caller, each with its number.
struct OfSpace<C, T> {
    callers: Turns<C, VecDeque<(u64, T)>>,
    count: usize,
}

impl<C, T> Default for Waiting<C, T> {
    fn default() -> Self {
        Self { spaces: Turns::default(), next: 0 }
    }
}

impl<C, T> Default for OfSpace<C, T> {
    fn default() -> Self {
        Self { callers: Turns::default(), count: 0 }
    }
}

impl<C: Copy + Eq + Hash, T> Waiting<C, T> {
    /// Adds an item; its number.
    pub(super) fn push(&mut self, space: SpaceId, caller: C, item: T) -> u64 {
        let number = self.next;
        self.next += 1;
        let of_space = self.spaces.of(space);
        of_space.callers.of(caller).push_back((number, item));
        of_space.count += 1;
        number
    }

    /// Takes the item whose turn it is, of the spaces that may have one.
    pub(super) fn pop(&mut self, may: impl Fn(SpaceId) -> bool) -> Option<(SpaceId, T)> {
        let (space, of_space) = self.spaces.turn(|space| may(*space))?;
        let (caller, items) = of_space.callers.turn(|_| true)?;
        let (_, item) = items.pop_front()?;
        of_space.count -= 1;
        if items.is_empty() {
            of_space.callers.remove(caller);
        }
        if of_space.count == 0 {
            self.spaces.remove(space);
        }
        Some((space, item))
    }

    /// Removes an item, unless it was taken before.
    pub(super) fn remove(&mut self, space: SpaceId, caller: C, number: u64) {
        let Some(of_space) = self.spaces.queues.get_mut(&space) else { return };
        let Some(items) = of_space.callers.queues.get_mut(&caller) else { return };
        let before = items.len();
        items.retain(|(item, _)| *item != number);
        of_space.count -= before - items.len();
        if items.is_empty() {
            of_space.callers.remove(caller);
        }
        if of_space.count == 0 {
            self.spaces.remove(space);
        }
    }

    /// How many items of a space wait, and how many of a caller of it.
    pub(super) fn count(&self, space: SpaceId, caller: C) -> (usize, usize) {
        let of_space = self.spaces.queues.get(&space);
        let of_caller = of_space.and_then(|of_space| of_space.callers.queues.get(&caller));
        (of_space.map_or(0, |of_space| of_space.count), of_caller.map_or(0, VecDeque::len))
    }

    /// Whether nothing waits.
    #[cfg(test)]
    pub(super) fn is_empty(&self) -> bool {
        self.spaces.order.is_empty() && self.spaces.queues.is_empty()
    }
}

/// Queues by key, which take turns.
struct Turns<K, Q> {
    order: VecDeque<K>,
    queues: HashMap<K, Q>,
}

impl<K, Q> Default for Turns<K, Q> {
    fn default() -> Self {
        Self { order: VecDeque::new(), queues: HashMap::new() }
    }
}

impl<K: Copy + Eq + Hash, Q: Default> Turns<K, Q> {
    /// The queue of a key, to which the caller adds an item.
    fn of(&mut self, key: K) -> &mut Q {
        let Self { order, queues } = self;
        queues.entry(key).or_insert_with(|| {
            order.push_back(key);
            Q::default()
        })
    }

    /// The first queue in turn of a key that may; the others go before it from now on. Those that may not
    /// keep their places.
    fn turn(&mut self, may: impl Fn(&K) -> bool) -> Option<(K, &mut Q)> {
        let at = self.order.iter().position(may)?;
        let key = self.order.remove(at)?;
        self.order.push_back(key);
        Some((key, self.queues.get_mut(&key)?))
    }

    /// Removes a queue.
    fn remove(&mut self, key: K) {
        self.queues.remove(&key);
        self.order.retain(|other| *other != key);
    }
}
