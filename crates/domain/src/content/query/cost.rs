//! What a query costs, estimated before it runs: processor time of PostgreSQL for a story, times the stories
//! that are looked at.
//!
//! The figures were measured with stories of 4 KB on one core (docs/performance.md). They are right to a
//! factor of two or three, which is enough to tell a query that takes milliseconds from one that takes
//! seconds.

use super::{Condition, IndexedOrder, IndexedTest, ListOrder, Pattern, Segment, SortBy, SortKey, Test, filter::Term};
use std::time::Duration;

/// Microseconds to find a field in the content of a story, which is decompressed for that.
const FIELD: u64 = 20;
/// Microseconds for a pattern, times the square of the number of its wildcards: each multiplies the places
/// where the rest may begin.
const WILDCARDS: u64 = 10;
/// The same for the path of a story, which is short.
const PATH_WILDCARDS: u64 = 1;
/// Microseconds to look at all blocks of a story, and at all its references.
const TREE: u64 = 150;
const REFERENCES: u64 = 5;
/// Each step of a path that stands for all elements of a list multiplies the fields that are looked at.
const ELEMENTS: u64 = 8;
/// Microseconds for a story that has a word which begins with one letter, with two, and with three: nearly
/// all stories have one.
const LETTER: u64 = 60;
const TWO_LETTERS: u64 = 20;
const THREE_LETTERS: u64 = 5;
/// Where an index finds the stories, one in this number is looked at.
const NARROWED: u64 = 10;

/// The estimate for one story of a space.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct QueryCost {
    micros: u64,
    is_narrowed: bool,
}

impl QueryCost {
    /// The cost of the conditions and of the order.
    pub fn of(conditions: &[Condition], order: &ListOrder) -> Self {
        let sorted = match order {
            // An index has the stories in order.
            ListOrder::Keys(_) if IndexedOrder::of(order).is_some_and(|indexed| indexed.rest.is_empty()) => 0,
            ListOrder::Keys(keys) => sort_keys(keys),
            _ => 0,
        };
        Self { micros: sorted + conditions.iter().map(condition).sum::<u64>(), is_narrowed: conditions.iter().any(narrows) }
    }

    /// The cost of an order for which no index is used.
    pub fn of_order(keys: &[SortKey]) -> Self {
        Self { micros: sort_keys(keys), is_narrowed: false }
    }

    /// The same with an order for which no index is used.
    #[must_use]
    pub fn with_order(self, order: &ListOrder) -> Self {
        let sorted = if let ListOrder::Keys(keys) = order { sort_keys(keys) } else { 0 };
        Self { micros: self.micros + sorted, ..self }
    }

    /// Whether it is nothing, however many stories there are.
    pub fn is_nothing(self) -> bool {
        self.micros == 0
    }

    /// The estimate for a space with this number of stories.
    pub fn in_space(self, stories: u64) -> Duration {
        let looked_at = if self.is_narrowed { stories.div_ceil(NARROWED) } else { stories };
        Duration::from_micros(self.micros.saturating_mul(looked_at))
    }
}

/// Whether nearly all stories have a word that begins with this one. Such words are looked for in the stories
/// of the space: the index of words is one for all spaces, and would be walked for all of them.
pub fn is_short_word(word: &str) -> bool {
    word.chars().count() < 3
}

fn condition(condition: &Condition) -> u64 {
    match condition {
        Condition::Slugs(slugs, _) => slugs.patterns.iter().map(|pattern| PATH_WILDCARDS * squared_wildcards(pattern)).sum(),
        Condition::Search(words) => words.iter().map(|word| letters(word)).sum(),
        Condition::Content(term) => content(term),
        Condition::AnyOf(groups) => groups.iter().flatten().map(content).sum(),
        Condition::ContainsComponent(_) => TREE,
        Condition::RefersTo(_) => REFERENCES,
        _ => 0,
    }
}

/// Whether an index finds the stories of the condition, and these are most likely few.
fn narrows(condition: &Condition) -> bool {
    match condition {
        Condition::StartsWith(_) | Condition::Ids(_, true) | Condition::Uuids(_) | Condition::Tags(_) | Condition::Nothing => true,
        Condition::Slugs(slugs, true) => slugs.patterns.is_empty(),
        Condition::Content(term) => IndexedTest::of(term).is_some(),
        _ => false,
    }
}

fn content(term: &Term) -> u64 {
    if IndexedTest::of(term).is_some() {
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

fn squared_wildcards(pattern: &Pattern) -> u64 {
    let wildcards = u64::try_from(pattern.wildcards()).unwrap_or(u64::MAX);
    wildcards.saturating_mul(wildcards)
}

fn sort_keys(keys: &[SortKey]) -> u64 {
    keys.iter().map(|key| if matches!(key.by, SortBy::Content(..)) { FIELD } else { 0 }).sum()
}

fn letters(word: &str) -> u64 {
    match word.chars().count() {
        0 | 1 => LETTER,
        2 => TWO_LETTERS,
        3 => THREE_LETTERS,
        _ => 0,
    }
}

#[cfg(test)]
mod tests {
    use super::{Condition, ListOrder, QueryCost, is_short_word};
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
        assert!(seconds(&[("by_slugs", "*a*b*c*d*e*f*g*")]) > 0.2);
    }

    #[test]
    fn what_no_index_answers_is_no_less_expensive_for_being_like_it() {
        let long = "x".repeat(201);
        for pair in [
            ("filter_query[z][in]", ","),
            ("filter_query[z][in]", &long),
            ("filter_query[z][any_in_array]", "a,,b"),
            ("sort_by", "content.a.b:asc"),
            ("sort_by", "content.a:asc:nulls_first"),
        ] {
            assert!(seconds(&[pair]) >= 0.08, "{pair:?}");
        }
        let missing: Vec<String> = (0..50).map(|number| format!("filter_query[z{number}][in]")).collect();
        assert!(seconds(&missing.iter().map(|name| (name.as_str(), ",")).collect::<Vec<_>>()) > 3.0);
        assert!(seconds(&[("search_term", "a b c d e f g h")]) > 1.5, "each word is looked for");
        assert!(seconds(&[("search_term", "abc")]) > 0.0);
    }

    #[test]
    fn an_absurd_query_is_beyond_every_bound_and_not_an_overflow() {
        let pattern = "*a*b*c*d*e*f*g*";
        assert!(
            cost(&[("filter_query[a.*.b.*.c.*.d.*.e.*.f][like]", pattern)]).in_space(u64::MAX) > Duration::from_secs(1_000_000)
        );
    }

    #[test]
    fn the_cost_of_a_pattern_grows_with_the_square_of_its_wildcards() {
        let micros = |pattern| cost(&[("by_slugs", pattern)]).in_space(1).as_micros();
        assert_eq!(micros("*a*b"), 4 * micros("*a"));
        assert_eq!(micros("*a*b*c*d"), 16 * micros("*a"));
    }

    #[test]
    fn what_an_index_finds_makes_the_rest_cheaper() {
        let like = ("filter_query[title][like]", "*news*");
        let alone = seconds(&[like]);
        for narrowing in [
            ("starts_with", "blog/"),
            ("by_slugs", "a,b/*"),
            ("by_ids", "1"),
            ("with_tag", "red"),
            ("by_uuids", "c3c7e0f3-0a52-4e0c-9b1f-2f3c9d0a7b11"),
            ("filter_query[category][in]", "a"),
            ("filter_query[category][all_in_array]", "a,b"),
        ] {
            assert!(seconds(&[narrowing, like]) < alone / 5.0, "{narrowing:?}");
        }
        for wide in [
            ("excluding_slugs", "a"),
            ("excluding_ids", "1"),
            ("by_slugs", "a,*b"),
            ("content_type", "page"),
            ("is_startpage", "0"),
        ] {
            assert!(seconds(&[wide, like]) >= alone, "{wide:?}");
        }
    }

    #[test]
    fn an_order_without_an_index_adds_to_the_conditions() {
        let like = cost(&[("filter_query[title][like]", "*news*")]);
        let order =
            Plan::compile(&Parameters::new(vec![("sort_by".to_owned(), "content.a:asc,content.b:asc,name:asc".to_owned())]))
                .unwrap()
                .order;
        let ListOrder::Keys(keys) = &order else { panic!("{order:?}") };
        let both = like.in_space(100) + QueryCost::of_order(keys).in_space(100);
        assert!(both > like.in_space(100));
        assert_eq!(like.with_order(&order).in_space(100), both);
        assert_eq!(like.with_order(&ListOrder::Position), like);
    }

    #[test]
    fn nothing_is_what_costs_nothing_in_any_space() {
        assert!(cost(&[("starts_with", "blog/")]).is_nothing());
        assert!(!cost(&[("search_term", "ab")]).is_nothing());
    }

    #[test]
    fn shorter_words_are_in_more_stories() {
        let micros = |word| cost(&[("search_term", word)]).in_space(1).as_micros();
        assert!(micros("a") > micros("ab") && micros("ab") > micros("abc") && micros("abc") > micros("abcd"));
        assert_eq!(micros("abcd"), 0);
        assert_eq!(["ü", "üb", "übe", "a", "abc"].map(is_short_word), [true, true, false, true, false]);
    }

    #[test]
    fn blocks_and_references_are_looked_for_in_the_whole_story() {
        let of = |condition| QueryCost::of(&[condition], &ListOrder::Position).in_space(1);
        let field = cost(&[("filter_query[a][gt_int]", "1")]).in_space(1);
        assert!(of(Condition::ContainsComponent(vec!["teaser".to_owned()])) > field);
        let reference = of(Condition::RefersTo(uuid::Uuid::nil()));
        assert!(reference > Duration::ZERO && reference < field);
    }
}
