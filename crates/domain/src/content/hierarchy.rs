//! Things that stand in each other: groups of components, folders of assets.

use super::checks::Checks;
use std::collections::BTreeMap;

/// Refuses a parent that does not exist, is the thing itself or stands below it, or stands too deep. `parents` has all there are.
pub(super) fn check_parent<Id: Ord + Copy>(
    parent: Id,
    own: Option<Id>,
    parents: &BTreeMap<Id, Option<Id>>,
    max_depth: usize,
    checks: &mut Checks,
) {
    if !parents.contains_key(&parent) {
        return checks.refuse("parent_id", "unknown", "does not exist");
    }
    let mut above = Some(parent);
    for _ in 0..max_depth {
        let Some(next) = above else { return };
        if Some(next) == own {
            return checks.refuse("parent_id", "cycle", "can't be itself or one below it");
        }
        above = parents.get(&next).copied().flatten();
    }
    checks.refuse("parent_id", "tooDeep", format!("stands too deep (maximum is {max_depth} levels)"));
}
