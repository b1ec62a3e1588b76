//! The paths of `by_slugs` and `excluding_slugs`, by what finds them: an index finds whole paths and beginnings, nothing finds the rest.

use super::Pattern;
use crate::shared::Fault;
use std::collections::BTreeSet;

/// The most beginnings of one list: a range of an index each.
const MAX_PREFIXES: usize = 100;
/// The most patterns of one list: each is tried on every story.
const MAX_PATTERNS: usize = 20;

/// Full slugs, each once.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Slugs {
    /// Paths as they are.
    pub exact: Vec<String>,
    /// What they begin with: `posts/*`.
    pub prefixes: Vec<String>,
    /// With `*` in another place.
    pub patterns: Vec<Pattern>,
}

impl Slugs {
    /// Sorts them out. 422 that names the parameter when there are too many of a kind.
    pub(super) fn sorted(parameter: &str, slugs: Vec<String>) -> Result<Self, Fault> {
        let mut sorted = Self::default();
        for slug in slugs.into_iter().collect::<BTreeSet<_>>() {
            match slug.split_once('*') {
                None => sorted.exact.push(slug),
                Some((prefix, "")) if !prefix.is_empty() => sorted.prefixes.push(prefix.to_owned()),
                Some(_) => sorted.patterns.push(Pattern(slug)),
            }
        }
        let too_many = |most, what| Fault::invalid(parameter, "tooMany", format!("has more than {most} {what}"));
        if sorted.prefixes.len() > MAX_PREFIXES {
            return Err(too_many(MAX_PREFIXES, "values that end with *"));
        }
        if sorted.patterns.len() > MAX_PATTERNS {
            return Err(too_many(MAX_PATTERNS, "values with * before their end"));
        }
        Ok(sorted)
    }
}

#[cfg(test)]
mod tests {
    use super::{Pattern, Slugs};

    fn sorted(slugs: &[&str]) -> Slugs {
        Slugs::sorted("by_slugs", slugs.iter().map(|slug| (*slug).to_owned()).collect()).unwrap()
    }

    #[test]
    fn whole_paths_beginnings_and_patterns_are_told_apart() {
        let slugs = sorted(&["a", "a", "b/*", "*", "a*b*", "a_%"]);
        assert_eq!(slugs.exact, ["a", "a_%"]);
        assert_eq!(slugs.prefixes, ["b/"]);
        assert_eq!(slugs.patterns, [Pattern("*".into()), Pattern("a*b*".into())]);
    }

    #[test]
    fn what_no_index_finds_is_bounded_closely() {
        let list = |count: usize, form: &str| (0..count).map(|value| form.replace('n', &value.to_string())).collect::<Vec<_>>();
        for (count, form) in [(500, "n"), (100, "n*"), (20, "*n")] {
            assert!(Slugs::sorted("by_slugs", list(count, form)).is_ok(), "{form}");
        }
        for (count, form) in [(101, "n*"), (21, "*n"), (21, "n*n")] {
            assert_eq!(Slugs::sorted("by_slugs", list(count, form)).unwrap_err().details[0].field, "by_slugs", "{form}");
        }
    }
}
