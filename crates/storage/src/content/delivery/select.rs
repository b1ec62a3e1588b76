//! A plan as one statement: the keys of the page first, from an index where one can serve, then the rows of these keys, and the total.
//!
//! ```text
//! select (count) as total, columns
//! from (select 1) one left join keys on true left join editions edition on …   -- a page past the end still has its total
//! order by keys.rank
//! ```

mod conditions;
mod lead;
mod order;

pub(super) use conditions::condition_text;
pub(super) use order::key_text;

use super::{
    Copy,
    follow::{self, Follow},
    terms,
};
use crate::content::clauses::Clauses;
use conditions::{is_selective, tagged};
use domain::{
    content::query::{Condition, Order, Plan},
    shared::SpaceId,
};
use lead::{keys_by_field, led_by_field};
use order::order_text;

/// A statement over `columns` (of `edition`) and its values.
pub(super) fn statement(plan: &Plan, space: SpaceId, copy: Copy, columns: &str, follow: &Follow) -> (String, Clauses) {
    let mut clauses = Clauses::new();
    // $1 and $2 are the space and the edition, wherever they are needed.
    clauses.and("edition.space_id = {}", space.0);
    clauses.and("edition.edition = {}::text::edition_kind and not edition.is_folder", copy.name());
    let Parts { with, total, page } = parts(&mut clauses, plan, copy);
    let statement = assembled(&mut clauses, with, &total, &page, columns, follow);
    (statement, clauses)
}

/// The columns of a page of keys (`story_id`, `rank`), and of what is followed from there; `asked` is null for the page.
pub(super) fn assembled(
    clauses: &mut Clauses,
    mut with: Vec<String>,
    total: &str,
    page: &str,
    columns: &str,
    follow: &Follow,
) -> String {
    let mut keys = format!("select story_id, rank, null::uuid as asked from ({page}) page");
    if !follow.steps.is_empty() {
        let (tables, all) = follow::keys(clauses, page, follow);
        with.push(tables);
        keys = all;
    }
    let with = if with.is_empty() { String::new() } else { format!("with {}", with.join(", ")) };
    format!(
        "{with} select ({total}) as total, keys.asked, {columns}
         from (select 1) one
         left join ({keys}) keys on true
         left join editions edition
              on edition.space_id = $1 and edition.edition = $2::text::edition_kind and edition.story_id = keys.story_id
         order by keys.rank"
    )
}

fn parts(clauses: &mut Clauses, plan: &Plan, copy: Copy) -> Parts {
    if let Some(entries) = entries_alone(clauses, plan) {
        return Parts::ranked(clauses, plan, "entry", &entries, "entry.position, entry.story_id");
    }
    for condition in &plan.conditions {
        let text = condition_text(clauses, condition);
        clauses.and_text(&text);
    }
    let condition = clauses.text().to_owned();
    if let Some(lead) = led_by_field(plan) {
        let keys = keys_by_field(clauses, &condition, &lead, plan, copy);
        return Parts::counted(clauses, plan, &condition, &keys);
    }
    let order = order_text(clauses, plan, copy);
    if plan.conditions.iter().any(is_selective) {
        return Parts::ranked(clauses, plan, "edition", &format!("editions edition where {condition}"), &order);
    }
    let keys = format!("select edition.story_id from editions edition where {condition} order by {order}");
    Parts::counted(clauses, plan, &condition, &keys)
}

/// How total and keys are found.
struct Parts {
    with: Vec<String>,
    total: String,
    page: String,
}

impl Parts {
    /// An index finds the few stories that match: they are found once, put in order and counted.
    fn ranked(clauses: &mut Clauses, plan: &Plan, of: &str, matching: &str, order: &str) -> Self {
        let (limit, offset) = (clauses.bind(plan.page.limit()), clauses.bind(plan.page.offset()));
        Self {
            with: vec![format!(
                "matched as materialized (select {of}.story_id, row_number() over (order by {order}) as rank from {matching})"
            )],
            total: "select count(*) from matched".to_owned(),
            page: format!("select story_id, rank from matched order by rank limit {limit} offset {offset}"),
        }
    }

    /// Many stories match: the page comes from an index in order, and they are counted apart.
    fn counted(clauses: &mut Clauses, plan: &Plan, condition: &str, keys: &str) -> Self {
        let (limit, offset) = (clauses.bind(plan.page.limit()), clauses.bind(plan.page.offset()));
        Self {
            with: Vec::new(),
            total: total(clauses, plan, condition),
            page: format!("select keys.story_id, row_number() over () as rank from ({keys} limit {limit} offset {offset}) keys"),
        }
    }
}

/// How many stories match. Those of a content type, and all of them, are counted where they are written.
fn total(clauses: &mut Clauses, plan: &Plan, condition: &str) -> String {
    let counts = "select coalesce(sum(stories), 0)::bigint from edition_counts
                  where space_id = $1 and edition = $2::text::edition_kind";
    match plan.conditions.as_slice() {
        [] => counts.to_owned(),
        [Condition::Component(component)] if !component.is_empty() => {
            format!("{counts} and component = {}", clauses.bind(component.clone()))
        }
        _ => format!("select count(*) from editions edition where {condition}"),
    }
}

/// The matching entries of an index when nothing else is asked: the editions themselves need not be looked at for keys and total.
fn entries_alone(clauses: &mut Clauses, plan: &Plan) -> Option<String> {
    let (Order::Position, [condition]) = (&plan.order, plan.conditions.as_slice()) else { return None };
    let entries = match condition {
        Condition::Tags(tags) => tagged(clauses, tags),
        Condition::Content(term) => terms::entries(clauses, term)?,
        _ => return None,
    };
    Some(format!("(select distinct entry.position, entry.story_id from {entries}) entry"))
}
