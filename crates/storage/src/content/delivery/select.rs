//! The statement of a [`Plan`]: first the keys of the page, from an index where there is one, then the rows of these keys, and the total.
//!
//! ```text
//! select (count) as total, columns
//! from (select 1) one left join keys on true left join editions edition on …   -- so that a page past the end has a row with the total
//! order by keys.rank
//! ```

mod conditions;
mod field_order;
mod order;

pub(in crate::content) use conditions::condition_text;
pub(in crate::content) use order::key_text;

use super::{
    ContentVersion, ReadScope,
    relations::{RelationPlan, relation_ctes},
    terms,
};
use crate::content::where_builder::WhereBuilder;
use conditions::{is_selective, tagged};
use domain::content::query::{Condition, IndexedOrder, Order, Plan};
use field_order::keys_by_field;
use order::order_text;

/// The statement of a page with its total and its relations, and the values to bind. `columns` are columns of `edition`.
pub(super) fn list_sql(plan: &Plan, scope: ReadScope<'_>, columns: &str, relations: &RelationPlan) -> (String, WhereBuilder) {
    let mut builder = scope.of_version();
    // As a condition of the plan, so that the choice of index and total knows it.
    let plan = &*plan.within(scope.stories);
    let Parts { with, total, page } = parts(&mut builder, plan, scope.version);
    let statement = assemble_sql(&mut builder, with, &total, &page, scope, columns, relations);
    (statement, builder)
}

/// Joins the columns to the keys of a page (`story_id`, `rank`) and of its relations. The column `asked` is null for stories of the page; for
/// related ones it is the UUID by which they were looked for.
pub(super) fn assemble_sql(
    builder: &mut WhereBuilder,
    mut with: Vec<String>,
    total: &str,
    page: &str,
    scope: ReadScope<'_>,
    columns: &str,
    relations: &RelationPlan,
) -> String {
    let mut keys = format!("select story_id, rank, null::uuid as asked from ({page}) page");
    if !relations.steps.is_empty() {
        let (ctes, all_keys) = relation_ctes(builder, page, relations, scope);
        with.push(ctes);
        keys = all_keys;
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

/// Chooses how the keys of the page and the total are found.
fn parts(builder: &mut WhereBuilder, plan: &Plan, version: ContentVersion) -> Parts {
    if let Some(entries) = index_only(builder, plan) {
        return Parts::ranked(builder, plan, "entry", &entries, "entry.position, entry.story_id");
    }
    for condition in &plan.conditions {
        let text = condition_text(builder, condition);
        builder.and_text(&text);
    }
    let condition = builder.text().to_owned();
    if let Some(order) = IndexedOrder::of(&plan.order) {
        let keys = keys_by_field(builder, &condition, order, plan, version);
        return Parts::counted(builder, plan, &condition, &keys);
    }
    let order = order_text(builder, plan, version);
    if plan.conditions.iter().any(is_selective) {
        return Parts::ranked(builder, plan, "edition", &format!("editions edition where {condition}"), &order);
    }
    let keys = format!("select edition.story_id from editions edition where {condition} order by {order}");
    Parts::counted(builder, plan, &condition, &keys)
}

/// The parts of the statement that find the keys of the page and the total.
struct Parts {
    with: Vec<String>,
    total: String,
    page: String,
}

impl Parts {
    /// For conditions by which an index finds few stories: these are found once, sorted and counted.
    fn ranked(builder: &mut WhereBuilder, plan: &Plan, table: &str, matching: &str, order: &str) -> Self {
        let (limit, offset) = (builder.bind(plan.page.limit()), builder.bind(plan.page.offset()));
        Self {
            with: vec![format!(
                "matched as materialized (select {table}.story_id, row_number() over (order by {order}) as rank from {matching})"
            )],
            total: "select count(*) from matched".to_owned(),
            page: format!("select story_id, rank from matched order by rank limit {limit} offset {offset}"),
        }
    }

    /// For conditions that many stories match: the page is read from an index in its order, and the stories are counted in a query of their own.
    fn counted(builder: &mut WhereBuilder, plan: &Plan, condition: &str, keys: &str) -> Self {
        let (limit, offset) = (builder.bind(plan.page.limit()), builder.bind(plan.page.offset()));
        Self {
            with: Vec::new(),
            total: total(builder, plan, condition),
            page: format!("select keys.story_id, row_number() over () as rank from ({keys} limit {limit} offset {offset}) keys"),
        }
    }
}

/// The query of the total. How many stories there are in all and of each component, the table `edition_counts` has: every write keeps it up to
/// date.
fn total(builder: &mut WhereBuilder, plan: &Plan, condition: &str) -> String {
    let counts = "select coalesce(sum(stories), 0)::bigint from edition_counts
                  where space_id = $1 and edition = $2::text::edition_kind";
    match plan.conditions.as_slice() {
        [] => counts.to_owned(),
        [Condition::Component(component)] if !component.is_empty() => {
            format!("{counts} and component = {}", builder.bind(component.clone()))
        }
        _ => format!("select count(*) from editions edition where {condition}"),
    }
}

/// The entries of an index that match, when it alone gives keys and total: one condition, and the order by position.
fn index_only(builder: &mut WhereBuilder, plan: &Plan) -> Option<String> {
    let (Order::Position, [condition]) = (&plan.order, plan.conditions.as_slice()) else { return None };
    let entries = match condition {
        Condition::Tags(tags) => tagged(builder, tags),
        Condition::Content(term) => terms::entries(builder, term)?,
        _ => return None,
    };
    Some(format!("(select distinct entry.position, entry.story_id from {entries}) entry"))
}
