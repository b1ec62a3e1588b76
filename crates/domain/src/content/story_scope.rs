//! The stories that a delivery token may read.

use super::checks::Checks;
use crate::shared::{FieldCode, StoryId};
use std::sync::Arc;

/// The most stories that a token may name.
pub const MAX_SCOPED_STORIES: usize = 1_000;

/// All stories of the space, or those that the token names.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub enum StoryScope {
    /// The token names no stories.
    #[default]
    All,
    /// These alone, in ascending order and at least one; see [`StoryScope::of`].
    Only(Arc<[StoryId]>),
}

impl StoryScope {
    /// The scope of a list of ids, in any order; an empty list is no restriction, as at Storyblok.
    pub fn of(mut ids: Vec<StoryId>) -> Self {
        ids.sort_unstable();
        ids.dedup();
        if ids.is_empty() { Self::All } else { Self::Only(ids.into()) }
    }

    /// Whether a story may be read.
    pub fn includes(&self, id: StoryId) -> bool {
        match self {
            Self::All => true,
            Self::Only(ids) => ids.binary_search(&id).is_ok(),
        }
    }

    /// The ids that are named; `None` when all stories may be read.
    pub fn ids(&self) -> Option<Vec<i64>> {
        match self {
            Self::All => None,
            Self::Only(ids) => Some(ids.iter().map(|id| id.0).collect()),
        }
    }

    /// The scope that a request asks for; errors are added to the checks.
    pub(super) fn checked(ids: &[StoryId], checks: &mut Checks) -> Self {
        if ids.len() > MAX_SCOPED_STORIES {
            checks.refuse("story_ids", FieldCode::TooMany, format!("has more than {MAX_SCOPED_STORIES} stories"));
        }
        Self::of(ids.to_vec())
    }
}

#[cfg(test)]
mod tests {
    use super::StoryScope;
    use crate::shared::StoryId;

    #[test]
    fn a_scope_includes_what_it_names_and_an_empty_one_everything() {
        let scope = StoryScope::of([7, 3, 7].map(StoryId).to_vec());
        assert_eq!(scope.ids(), Some(vec![3, 7]));
        assert!(scope.includes(StoryId(3)) && scope.includes(StoryId(7)) && !scope.includes(StoryId(5)));
        assert_eq!(StoryScope::of(Vec::new()), StoryScope::All);
        assert!(StoryScope::All.includes(StoryId(5)) && StoryScope::All.ids().is_none());
    }

    #[test]
    fn a_scope_has_a_thousand_stories_at_most() {
        let is_right = |count: i64| {
            let mut checks = crate::content::checks::Checks::default();
            StoryScope::checked(&(1..=count).map(StoryId).collect::<Vec<_>>(), &mut checks);
            checks.finish().is_ok()
        };
        assert!(is_right(1_000) && !is_right(1_001));
    }
}
