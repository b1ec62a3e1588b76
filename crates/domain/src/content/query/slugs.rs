//! The paths of `by_slugs` and `excluding_slugs`, by how they are found: whole paths and prefixes by an
//! index, patterns by comparing every story.

use super::Pattern;
use crate::shared::{Fault, FieldCode};
use std::collections::BTreeSet;

/// How many prefixes a list may have. Each is a range of an index.
const MAX_PREFIXES: usize = 100;
/// How many patterns a list may have. Each is compared with every story.
const MAX_PATTERNS: usize = 20;

/// Full slugs without duplicates.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Slugs {
    pub exact: Vec<String>,
    /// Prefixes, from values like `posts/*`.
    pub prefixes: Vec<String>,
    /// Values with `*` anywhere else.
    pub patterns: Vec<Pattern>,
}

impl Slugs {
    /// Sorts values by kind. 422 that names the parameter when there are too many of a kind, or for a pattern
    /// that is too long.
    pub fn parse(parameter: &str, slugs: Vec<String>) -> Result<Self, Fault> {
        let mut sorted = Self::default();
        for slug in slugs.into_iter().collect::<BTreeSet<_>>() {
            match slug.split_once('*') {
                None => sorted.exact.push(slug),
                Some((prefix, "")) if !prefix.is_empty() => sorted.prefixes.push(prefix.to_owned()),
                Some(_) => sorted.patterns.push(Pattern::parse(parameter, &slug)?),
            }
        }
        let too_many = |most, what| Fault::invalid(parameter, FieldCode::TooMany, format!("has more than {most} {what}"));
        if sorted.prefixes.len() > MAX_PREFIXES {
            return Err(too_many(MAX_PREFIXES, "values that end with *"));
        }
        if sorted.patterns.len() > MAX_PATTERNS {
            return Err(too_many(MAX_PATTERNS, "values with * before their end"));
        }
        Ok(sorted)
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.exact.is_empty() && self.prefixes.is_empty() && self.patterns.is_empty()
    }
}

#[cfg(test)]
mod tests {
    use super::Slugs;

    fn sorted(slugs: &[&str]) -> Slugs {
        Slugs::parse("by_slugs", slugs.iter().map(|slug| (*slug).to_owned()).collect()).unwrap()
    }

    #[test]
    fn whole_paths_prefixes_and_patterns_are_told_apart() {
        let slugs = sorted(&["a", "a", "b/*", "*", "a*b*", "a_%"]);
        assert_eq!(slugs.exact, ["a", "a_%"]);
        assert_eq!(slugs.prefixes, ["b/"]);
        assert_eq!(slugs.patterns.iter().map(super::Pattern::as_str).collect::<Vec<_>>(), ["*", "a*b*"]);
    }

    #[test]
    fn costly_values_have_lower_bounds() {
        let list = |count: usize, form: &str| (0..count).map(|value| form.replace('n', &value.to_string())).collect::<Vec<_>>();
        for (count, form) in [(500, "n"), (100, "n*"), (20, "*n")] {
            assert!(Slugs::parse("by_slugs", list(count, form)).is_ok(), "{form}");
        }
        for (count, form) in [(101, "n*"), (21, "*n"), (21, "n*n")] {
            assert_eq!(Slugs::parse("by_slugs", list(count, form)).unwrap_err().details[0].field, "by_slugs", "{form}");
        }
        let long = format!("*{}", "a".repeat(200));
        assert_eq!(Slugs::parse("by_slugs", vec![long]).unwrap_err().details[0].code.name(), "tooLong");
    }

    #[test]
    fn a_list_is_empty_without_paths_prefixes_and_patterns() {
        assert!(sorted(&[]).is_empty());
        for slug in ["a", "a*", "*a"] {
            assert!(!sorted(&[slug]).is_empty(), "{slug}");
        }
    }
}
