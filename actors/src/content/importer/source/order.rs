//! Orders records so that parents come before their children.

use domain::content::import::{SourceId, Tree};

/// Sorts records by depth and otherwise keeps their order; `place` returns a record's id and its parent's.
/// Records without an id come last. Also returns the tree, which says which records stand in a circle.
pub(super) fn parents_first<T, R>(
    mut all: Vec<T>,
    place: impl Fn(&T) -> (SourceId<R>, SourceId<R>),
) -> (Vec<T>, Tree<SourceId<R>>) {
    let tree = Tree::of(&all.iter().map(&place).filter(|(id, _)| *id != SourceId::NONE).collect());
    all.sort_by_cached_key(|record| tree.depth(place(record).0).unwrap_or(usize::MAX));
    (all, tree)
}

#[cfg(test)]
mod tests {
    use super::{SourceId, parents_first};

    type Placed = (SourceId<()>, SourceId<()>);

    fn placed(all: &[(i64, i64)]) -> Vec<Placed> {
        all.iter().map(|(id, parent)| (SourceId::of(*id), SourceId::of(*parent))).collect()
    }

    fn ordered(all: &[(i64, i64)]) -> Vec<i64> {
        parents_first(placed(all), |value| *value).0.into_iter().map(|(id, _)| id.number()).collect()
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
        let (_, tree) = parents_first(placed(&all), |value| *value);
        assert_eq!([1, 2, 3, 4, 5].map(|id| tree.is_in_circle(SourceId::of(id))), [true, true, false, true, false]);
    }
}
