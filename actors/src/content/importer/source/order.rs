//! Orders records so that parents come before their children.

use domain::content::import::Tree;

/// Sorts records by depth and otherwise keeps their order; `place` returns a record's id and its parent's.
/// Records without an id come last. Also returns the tree, which says which records stand in a circle.
pub(super) fn parents_first<T>(mut all: Vec<T>, place: impl Fn(&T) -> (i64, i64)) -> (Vec<T>, Tree<i64>) {
    // An id of 0 stands for a missing id.
    let tree = Tree::of(&all.iter().map(&place).filter(|(id, _)| *id != 0).collect());
    all.sort_by_cached_key(|record| tree.depth(place(record).0).unwrap_or(usize::MAX));
    (all, tree)
}

#[cfg(test)]
mod tests {
    use super::parents_first;

    fn ordered(all: &[(i64, i64)]) -> Vec<i64> {
        parents_first(all.to_vec(), |value| *value).0.into_iter().map(|(id, _)| id).collect()
    }

    #[test]
    fn what_stands_in_something_comes_behind_it_and_the_order_stays_otherwise() {
        assert_eq!(ordered(&[(0, 0), (1, 3), (2, 1), (3, 0), (4, 0), (5, 99), (6, 3)]), [3, 4, 5, 1, 6, 2, 0]);
        assert_eq!(ordered(&[]), [0_i64; 0]);
    }

    #[test]
    fn records_of_a_circle_are_at_the_top_and_what_is_below_them_follows() {
        let all = [(3, 1), (1, 2), (2, 1), (4, 4), (5, 0), (6, 5)];
        assert_eq!(ordered(&all), [1, 2, 4, 5, 3, 6]);
        let (_, tree) = parents_first(all.to_vec(), |value| *value);
        assert_eq!([1, 2, 3, 4, 5].map(|id| tree.is_in_circle(id)), [true, true, false, true, false]);
    }
}
