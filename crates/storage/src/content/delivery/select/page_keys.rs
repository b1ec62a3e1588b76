//! How the keys of a page and the total are found.
//!
//! ```text
//! tags and indexed fields only, by position   the entries of their indexes alone: they have the position
//! a field of the content first                the index of that field: see `field_order`
//! an index has the matches in the order       the first of its entries
//! the same, and an index in the order         a walk through that index, which looks the entries up of what has their marks: see `walk` and `marks`
//! total known, and an index in the order      the same walk, without marks
//! an index finds what matches                 this once with its sort keys: it is counted, and the page is the first of it
//! else                                        the page in its order, and a count of its own
//! ```

use super::{
    PageKeys,
    conditions::is_selective,
    entries::{Entries, select_in_all},
    field_order::{Reach, keys_by_field},
    marks::Marked,
    matches::Matches,
    order::{is_indexed, order_text, sort_expressions},
    ranked,
    totals::KnownTotal,
    walk::Walk,
};
use crate::content::{delivery::ContentVersion, where_builder::WhereBuilder};
use domain::content::query::{Condition, IndexedOrder, ListOrder, Plan, Property, SortBy};

/// How many entries of the index of an order cost as much as the look-up of one story by its number, to sort
/// it.
const ENTRIES_FOR_A_LOOKUP: i64 = 10;

/// Chooses how the keys of the page and the total are found.
pub(super) fn page_keys(builder: &mut WhereBuilder, plan: &Plan, version: ContentVersion) -> PageKeys {
    if is_indexed(&plan.order, version)
        && let Some(all) = Entries::of_all(builder, plan)
    {
        if plan.order == ListOrder::Position {
            return PageKeys::by_position(builder, plan, &all);
        }
        return walk_of_entries(builder, &all).page_keys(builder, plan, version);
    }
    let matches = Matches::of(builder, plan);
    if let Some(order) = IndexedOrder::of(&plan.order) {
        let keys = keys_by_field(builder, &matches, order, plan, version, Reach::Page);
        return PageKeys::counted(builder, plan, &matches, &keys);
    }
    if let Some(known) = KnownTotal::of(plan)
        && is_indexed(&plan.order, version)
        && !is_in_order(plan)
    {
        let (total, filter) = (known.sql(builder, &matches), matches.condition("edition.story_id"));
        return Walk { with: Vec::new(), total, matches, filter, entries_for_a_match: 1 }.page_keys(builder, plan, version);
    }
    if !is_in_order(plan) && plan.conditions.iter().any(is_selective) {
        let keys = sort_expressions(builder, plan, version);
        let (columns, order): (Vec<String>, Vec<String>) = keys
            .iter()
            .enumerate()
            .map(|(number, key)| (format!("{} as key{number}", key.value), format!("key{number} {}", key.direction)))
            .unzip();
        let keyed = matches.select(&format!("edition.story_id, {}", columns.join(", ")));
        return PageKeys::of_matched(builder, plan, &keyed, &order.join(", "));
    }
    let order = order_text(builder, plan, version);
    let keys = format!("{} order by {order}", matches.select("edition.story_id"));
    PageKeys::counted(builder, plan, &matches, &keys)
}

/// A walk for conditions that indexes of tags and fields answer. What matches them is not collected unless it
/// is counted or sorted.
fn walk_of_entries(builder: &mut WhereBuilder, all: &[Entries]) -> Walk {
    let mut with = vec![format!("matched as materialized ({})", select_in_all(all, &["story_id"]))];
    let matches = Matches::in_query(builder, "select story_id from matched");
    let of_matched = || "select count(*) from matched".to_owned();
    let (total, filter) = match Marked::of(builder, all) {
        Some(marked) => {
            with.push(marked.with);
            let total = if let [one] = all { one.count() } else { of_matched() };
            (total, marked.condition)
        }
        None => (of_matched(), matches.condition("edition.story_id")),
    };
    Walk { with, total, matches, filter, entries_for_a_match: ENTRIES_FOR_A_LOOKUP }
}

/// Whether one index has what matches in the order of the plan, and nothing else in between.
fn is_in_order(plan: &Plan) -> bool {
    match (plan.conditions.as_slice(), &plan.order) {
        ([], _) => true,
        ([Condition::Component(_)], order) => *order == ListOrder::Position,
        ([Condition::StartsWith(_)], ListOrder::Keys(keys)) => {
            keys.first().is_some_and(|key| key.by == SortBy::Property(Property::FullSlug))
        }
        _ => false,
    }
}

/// The query of the keys of all pages, in their order.
pub(super) fn ordered_keys(builder: &mut WhereBuilder, plan: &Plan, version: ContentVersion) -> String {
    if plan.order == ListOrder::Position
        && let Some(all) = Entries::of_all(builder, plan)
    {
        let matched = select_in_all(&all, &["position", "story_id"]);
        return format!("select story_id from ({matched}) matched order by position, story_id");
    }
    let matches = Matches::of(builder, plan);
    if let Some(order) = IndexedOrder::of(&plan.order) {
        return keys_by_field(builder, &matches, order, plan, version, Reach::AllPages);
    }
    let order = order_text(builder, plan, version);
    format!("{} order by {order}", matches.select("edition.story_id"))
}

impl PageKeys {
    /// For stories that indexes of tags and fields find, by position.
    fn by_position(builder: &mut WhereBuilder, plan: &Plan, all: &[Entries]) -> Self {
        let matched = select_in_all(all, &["position", "story_id"]);
        match all {
            // Their index has them in this order.
            [one] if one.are_in_order() => {
                let (limit, offset) = (builder.bind(plan.page.limit()), builder.bind(plan.page.offset()));
                let keys = format!("{matched} order by entry.position, entry.story_id limit {limit} offset {offset}");
                Self { with: Vec::new(), total: one.count(), page: ranked(&keys) }
            }
            _ => Self::of_matched(builder, plan, &matched, "position, story_id"),
        }
    }

    /// For stories that are found once: these are counted, and the page is the first of them. `matched` is
    /// the query of `story_id` and of what `order` names.
    fn of_matched(builder: &mut WhereBuilder, plan: &Plan, matched: &str, order: &str) -> Self {
        let (limit, offset) = (builder.bind(plan.page.limit()), builder.bind(plan.page.offset()));
        Self {
            with: vec![format!("matched as materialized ({matched})")],
            total: "select count(*) from matched".to_owned(),
            page: ranked(&format!("select story_id from matched order by {order} limit {limit} offset {offset}")),
        }
    }

    /// For conditions that many stories match: `keys` gives them in their order, and they are counted in a
    /// query of their own, if they have to be.
    fn counted(builder: &mut WhereBuilder, plan: &Plan, matches: &Matches, keys: &str) -> Self {
        let (limit, offset) = (builder.bind(plan.page.limit()), builder.bind(plan.page.offset()));
        let total = match KnownTotal::of(plan) {
            Some(known) => known.sql(builder, matches),
            None => matches.count(),
        };
        Self { with: Vec::new(), total, page: ranked(&format!("{keys} limit {limit} offset {offset}")) }
    }
}
