//! The order of folders at a source: each behind the one that it stands in.
//!
//! A source may list folders that stand in each other in a circle. No folder can stand so here: each folder
//! **of** the circle stands at the top, and those below it stay where they are.

use std::{
    collections::{HashMap, HashSet},
    hash::Hash,
};

/// The folders of a source by their depths.
#[derive(Debug)]
pub struct Tree<Id> {
    /// The depth of each record by id: 0 for records at the top, without an existing parent, or in a circle.
    depths: HashMap<Id, usize>,
    circles: HashSet<Id>,
}

impl<Id> Default for Tree<Id> {
    fn default() -> Self {
        Self { depths: HashMap::new(), circles: HashSet::new() }
    }
}

impl<Id: Copy + Eq + Hash> Tree<Id> {
    /// The tree of these records: parents by id. Each path to the top is walked once, and the order of the
    /// records makes no difference.
    pub fn of(parents: &HashMap<Id, Id>) -> Self {
        let mut tree = Self { depths: HashMap::with_capacity(parents.len()), circles: HashSet::new() };
        for start in parents.keys() {
            tree.walk(*start, parents);
        }
        tree
    }

    /// Walks from a record up to one of known depth, to the top, or round a circle.
    fn walk(&mut self, start: Id, parents: &HashMap<Id, Id>) {
        let (mut way, mut walked) = (Vec::new(), HashMap::new());
        let mut at = start;
        let depth = loop {
            if let Some(depth) = self.depths.get(&at) {
                break depth + 1;
            }
            if let Some(begin) = walked.get(&at) {
                let circle = way.split_off(*begin);
                self.depths.extend(circle.iter().map(|id| (*id, 0)));
                self.circles.extend(circle);
                break 1;
            }
            let Some(parent) = parents.get(&at) else { break 0 };
            walked.insert(at, way.len());
            way.push(at);
            at = *parent;
        };
        self.depths.extend(way.into_iter().rev().zip(depth..));
    }

    /// The depth of a record; `None` if it is not of the tree.
    pub fn depth(&self, id: Id) -> Option<usize> {
        self.depths.get(&id).copied()
    }

    /// Whether a record stands in itself, directly or through others.
    pub fn is_in_circle(&self, id: Id) -> bool {
        self.circles.contains(&id)
    }
}

#[cfg(test)]
mod tests {
    use super::Tree;
    use proptest::prelude::*;
    use std::collections::HashMap;

    fn depths(all: &[(i64, i64)]) -> Vec<(i64, usize, bool)> {
        let tree = Tree::of(&all.iter().copied().collect());
        all.iter().map(|(id, _)| (*id, tree.depth(*id).unwrap(), tree.is_in_circle(*id))).collect()
    }

    #[test]
    fn the_records_of_a_circle_are_at_the_top_and_those_below_it_are_below() {
        let all = [(1, 2), (2, 3), (3, 1), (4, 1), (5, 4), (6, 6), (7, 0), (8, 7), (9, 99)];
        let expected = [
            (1, 0, true),
            (2, 0, true),
            (3, 0, true),
            (4, 1, false),
            (5, 2, false),
            (6, 0, true),
            (7, 0, false),
            (8, 1, false),
            (9, 0, false),
        ];
        assert_eq!(depths(&all), expected);
        assert_eq!(Tree::of(&HashMap::from([(1, 0)])).depth(2), None);
    }

    /// Walking from each record to the top would take five billion steps.
    #[test]
    fn the_longest_circle_and_the_deepest_tree_are_walked_once() {
        const MANY: i64 = 100_000;
        let circle = Tree::of(&(1..=MANY).map(|id| (id, id % MANY + 1)).collect());
        assert!((1..=MANY).all(|id| circle.is_in_circle(id) && circle.depth(id) == Some(0)));
        let chain = Tree::of(&(1..=MANY).map(|id| (id, id - 1)).collect());
        assert!((1..=MANY).all(|id| chain.depth(id) == usize::try_from(id - 1).ok()));
    }

    proptest! {
        #[test]
        fn every_record_is_behind_the_one_it_stands_in_unless_it_stands_in_itself(above in prop::collection::vec(0_i64..30, 1..30)) {
            let parents: HashMap<i64, i64> = (1..).zip(above).collect();
            let tree = Tree::of(&parents);
            for (id, parent) in &parents {
                // As many steps as there are records lead round every circle.
                let mut at = *parent;
                let stands_in_itself = parents.keys().any(|_| {
                    let is_there = at == *id;
                    at = parents.get(&at).copied().unwrap_or(0);
                    is_there
                });
                prop_assert_eq!(tree.is_in_circle(*id), stands_in_itself);
                let wanted = if stands_in_itself { Some(0) } else { Some(tree.depth(*parent).map_or(0, |depth| depth + 1)) };
                prop_assert_eq!(tree.depth(*id), wanted);
            }
        }
    }
}
