//! What a query costs, estimated before it runs: processor time of PostgreSQL for a story, times the stories that are looked at.
//!
//! The figures were measured with stories of 4 KB on one core (docs/performance.md). They are right to a factor of two or three, which is enough to tell a query
//! that takes milliseconds from one that takes seconds.

use super::{Condition, Order, Pattern, Segment, SortBy, Test, filter::Term};
use std::time::Duration;

/// Microseconds to find a field in the content of a story, which is decompressed for that.
const FIELD: u64 = 20;
/// Microseconds for a pattern with so many wildcards, by their square: each multiplies the places where the rest may begin.
const WILDCARDS: u64 = 10;
/// The same for the path of a story, which is short.
const PATH_WILDCARDS: u64 = 1;
/// Each step of a path that stands for all elements of a list multiplies the fields that are looked at.
const ELEMENTS: u64 = 8;
/// Microseconds for a story that has a word which begins with one letter, and for one with two letters: nearly all stories have one.
const LETTER: u64 = 60;
const TWO_LETTERS: u64 = 10;
/// Where an index finds the stories, one in so many is looked at.
const NARROWED: u64 = 10;

/// The estimate for one story of a space.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct QueryCost {
    micros: u64,
    is_narrowed: bool,
}

impl QueryCost {
    /// The cost of the conditions and of the order.
    pub fn of(conditions: &[Condition], order: &Order) -> Self {
        let sorted: u64 = match order {
            // One key has an index; several are read from each story.
            Order::Keys(keys) if keys.len() > 1 => keys.iter().map(|key| sort_key(&key.by)).sum(),
            _ => 0,
        };
        Self { micros: sorted + conditions.iter().map(condition).sum::<u64>(), is_narrowed: conditions.iter().any(narrows) }
    }

    /// The estimate for a space of so many stories.
    pub fn in_space(self, stories: u64) -> Duration {
        let looked_at = if self.is_narrowed { stories.div_ceil(NARROWED) } else { stories };
        Duration::from_micros(self.micros.saturating_mul(looked_at))
    }
}

fn condition(condition: &Condition) -> u64 {
    match condition {
        Condition::Slugs(slugs, _) => slugs.patterns.iter().map(|pattern| PATH_WILDCARDS * squared_wildcards(pattern)).sum(),
        Condition::Search(words) => words.iter().map(|word| letters(word)).max().unwrap_or_default(),
        Condition::Content(term) => content(term),
        Condition::AnyOf(groups) => groups.iter().flatten().map(content).sum(),
        _ => 0,
    }
}

/// Whether an index finds the stories of the condition, and these are most likely few.
fn narrows(condition: &Condition) -> bool {
    match condition {
        Condition::StartsWith(_) | Condition::Ids(_, true) | Condition::Uuids(_) | Condition::Tags(_) | Condition::Nothing => true,
        Condition::Slugs(slugs, true) => slugs.patterns.is_empty(),
        Condition::Content(term) => is_indexed(term),
        _ => false,
    }
}

fn content(term: &Term) -> u64 {
    if is_indexed(term) {
        return 0;
    }
    let elements = term.field.segments().iter().filter(|segment| **segment == Segment::Any).count();
    let fields = ELEMENTS.saturating_pow(u32::try_from(elements).unwrap_or(u32::MAX));
    let wildcards = match &term.test {
        Test::Like(pattern) | Test::NotLike(pattern) => WILDCARDS * squared_wildcards(pattern),
        _ => 0,
    };
    (FIELD + wildcards).saturating_mul(fields)
}

/// Equality with a field of the root block.
fn is_indexed(term: &Term) -> bool {
    term.field.root_key().is_some() && matches!(term.test, Test::In(_) | Test::AnyInArray(_) | Test::AllInArray(_))
}

fn squared_wildcards(pattern: &Pattern) -> u64 {
    let wildcards = u64::try_from(pattern.0.matches('*').count()).unwrap_or(u64::MAX);
    wildcards.saturating_mul(wildcards)
}

fn sort_key(by: &SortBy) -> u64 {
    if matches!(by, SortBy::Content(..)) { FIELD } else { 0 }
}

fn letters(word: &str) -> u64 {
    match word.chars().count() {
        0 | 1 => LETTER,
        2 => TWO_LETTERS,
        _ => 0,
    }
}

#[cfg(test)]
mod tests {
    use super::QueryCost;
    use crate::{content::query::Plan, shared::Parameters};
    use std::time::Duration;

    fn cost(pairs: &[(&str, &str)]) -> QueryCost {
        let pairs = pairs.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())).collect();
        let plan = Plan::compile(&Parameters::new(pairs)).unwrap();
        QueryCost::of(&plan.conditions, &plan.order)
    }

    /// Seconds in a space of 4,000 stories.
    fn seconds(pairs: &[(&str, &str)]) -> f64 {
        cost(pairs).in_space(4_000).as_secs_f64()
    }

    #[test]
    fn what_an_index_answers_costs_nothing() {
        for pair in [
            ("starts_with", "blog/"),
            ("content_type", "page"),
            ("filter_query[category][in]", "a,b"),
            ("filter_query[tags][any_in_array]", "a"),
            ("sort_by", "content.price:asc:int"),
            ("search_term", "lectern"),
        ] {
            assert_eq!(cost(&[pair]).in_space(1_000_000), Duration::ZERO, "{pair:?}");
        }
    }

    #[test]
    fn usual_filters_are_cheap_in_a_usual_space() {
        assert!(seconds(&[("filter_query[title][like]", "*news*")]) < 0.3);
        assert!(seconds(&[("filter_query[price][gt_int]", "5"), ("filter_query[price][lt_int]", "9")]) < 0.3);
        assert!(seconds(&[("starts_with", "blog/"), ("filter_query[title][like]", "*news*")]) < 0.03, "an index finds the stories");
    }

    #[test]
    fn many_terms_wildcards_lists_and_letters_are_expensive() {
        let flat: Vec<(&str, &str)> = (0..50).map(|_| ("filter_query[__or][][body][like]", "*a*b*c*")).collect();
        assert!(seconds(&flat) > 15.0);
        assert!(seconds(&[("filter_query[body][like]", "*a*b*c*d*e*")]) > 1.0);
        assert!(seconds(&[("filter_query[body.*.items.*.text][exists]", "true")]) > 4.0);
        let keys = ["a", "b", "c", "d", "e", "f", "g", "h"].map(|key| format!("content.{key}:asc:nulls_first")).join(",");
        assert!(seconds(&[("sort_by", &keys)]) > 0.5);
        assert!(seconds(&[("search_term", "a")]) > 0.2);
        assert!(seconds(&[("by_slugs", "*a*b*c*d*e*f*g*h*")]) > 0.2);
    }

    #[test]
    fn an_absurd_query_is_beyond_every_bound_and_not_an_overflow() {
        let pattern = "*".repeat(2_000);
        assert!(
            cost(&[("filter_query[a.*.b.*.c.*.d.*.e.*.f][like]", &pattern)]).in_space(u64::MAX) > Duration::from_secs(1_000_000)
        );
    }
}
