//! Orders records so that parents come before their children.

use std::collections::{HashMap, HashSet};

/// The depth of each record by id: 0 for records without an existing parent. Records in a circle, or below one, are left out. Each path to the top
/// is walked once.
pub(super) fn depths(parents: &HashMap<i64, i64>) -> HashMap<i64, usize> {
    let mut depths: HashMap<i64, usize> = HashMap::with_capacity(parents.len());
    let mut endless: HashSet<i64> = HashSet::new();
    for start in parents.keys() {
        let mut way = Vec::new();
        let mut walked = HashSet::new();
        let mut at = *start;
        // Up to a record of known depth, to the top, or round a circle.
        let above = loop {
            if let Some(depth) = depths.get(&at) {
                break Some(depth + 1);
            }
            if endless.contains(&at) || !walked.insert(at) {
                break None;
            }
            let Some(parent) = parents.get(&at) else { break Some(0) };
            way.push(at);
            at = *parent;
        };
        match above {
            Some(above) => depths.extend(way.into_iter().rev().zip(above..)),
            None => endless.extend(way),
        }
    }
    depths
}

/// Sorts records by depth and otherwise keeps their order; `ids` returns a record's id and its parent's. Records in circles or without an id come last.
pub(super) fn parents_first<T>(all: Vec<T>, place: impl Fn(&T) -> (i64, i64)) -> Vec<T> {
    let places: Vec<(i64, i64)> = all.iter().map(place).collect();
    // An id of 0 stands for a missing id.
    let depths = depths(&places.iter().copied().filter(|(id, _)| *id != 0).collect());
    let mut ordered: Vec<(usize, T)> =
        places.into_iter().map(|(id, _)| depths.get(&id).copied().unwrap_or(usize::MAX)).zip(all).collect();
    ordered.sort_by_key(|(depth, _)| *depth);
    ordered.into_iter().map(|(_, o)| o).collect()
}

#[cfg(test)]
mod tests {
    use super::parents_first;

    fn ordered(all: &[(i64, i64)]) -> Vec<i64> {
        parents_first(all.to_vec(), |value| *value).into_iter().map(|(id, _)| id).collect()
    }

    #[test]
    fn what_stands_in_something_comes_behind_it_and_the_order_stays_otherwise() {
        assert_eq!(ordered(&[(0, 0), (1, 3), (2, 1), (3, 0), (4, 0), (5, 99), (6, 3)]), [3, 4, 5, 1, 6, 2, 0]);
        assert_eq!(ordered(&[]), [0_i64; 0]);
    }

    #[test]
    fn cycles_and_the_records_in_them_come_last_and_none_is_lost() {
        assert_eq!(ordered(&[(1, 2), (2, 1), (3, 1), (4, 4), (5, 0), (6, 5)]), [5, 6, 1, 2, 3, 4]);
    }

    /// Walking from each record to the top would take five billion steps.
    #[test]
    fn the_longest_circle_and_the_deepest_tree_are_walked_once() {
        const MANY: i64 = 100_000;
        let circle: Vec<(i64, i64)> = (1..=MANY).map(|value| (value, value % MANY + 1)).collect();
        assert_eq!(ordered(&circle).len(), 100_000);
        let chain: Vec<(i64, i64)> = (1..=MANY).rev().map(|value| (value, value - 1)).collect();
        assert_eq!(ordered(&chain), (1..=MANY).collect::<Vec<_>>());
    }
}
