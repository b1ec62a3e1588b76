//! The marks of stories: a few bits beside the keys of each order, which say what a story cannot have.
//! Migration 0058 sets them.
//!
//! A walk through an order passes over the stories that lack a bit, by the entry of its index alone, and
//! looks the entries up of those that have them all. So it needs no list of everything that matches.

use super::entries::Entries;
use crate::content::where_builder::WhereBuilder;

/// The most values of all conditions that are looked up story by story.
const MOST_VALUES: usize = 8;

/// The test that a story has entries of every condition.
pub(super) struct Marked {
    /// The common table expression with the bits that such a story has.
    pub(super) with: String,
    /// The condition, over `edition`.
    pub(super) condition: String,
}

impl Marked {
    /// The test, when each condition asks for values that a story has all of, and these are few: one of
    /// several values is in no bit.
    pub(super) fn of(builder: &mut WhereBuilder, all: &[Entries]) -> Option<Self> {
        let asks_for_all = |entries: &Entries| entries.all || entries.values.len() == 1;
        let values = all.iter().map(|entries| entries.values.len()).sum::<usize>();
        if values > MOST_VALUES || !all.iter().all(asks_for_all) {
            return None;
        }
        let mut hashes = Vec::with_capacity(values);
        for entries in all {
            for value in &entries.values {
                hashes.push(format!("content_hash({}, {}, {})", entries.kind as i32, entries.field, builder.bind(value.clone())));
            }
        }
        let has_bits = |word: &str| format!("edition.{word} & (select {word} from marked) = (select {word} from marked)");
        let looked_up: Vec<String> = all.iter().map(Entries::of_edition).collect();
        Some(Self {
            with: format!(
                "marked as materialized (
                     select bit_or(1::bigint << (hash & 63)::integer) as marks, bit_or(1::bigint << ((hash >> 6) & 63)::integer) as more_marks
                     from unnest(array[{}]) as it (hash)
                 )",
                hashes.join(", ")
            ),
            condition: format!("{} and {} and {}", has_bits("marks"), has_bits("more_marks"), looked_up.join(" and ")),
        })
    }
}
