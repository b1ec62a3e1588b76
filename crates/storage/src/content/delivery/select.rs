//! The statement of a [`Plan`]: first the keys of the page, from an index where there is one, then the rows
//! of these keys, and the total.
//!
//! ```text
//! select (count) as total, columns
//! from (select 1) one left join keys on true left join lateral (…) edition on true   -- so that a page past the end has a row with the total
//! order by keys.rank
//! ```
//!
//! How the keys are found depends on the plan, see [`page_keys`]. The keys of all pages at once are a
//! statement of their own, [`all_keys_sql`]: with them every page is a look-up, [`keyed_page_sql`].

mod conditions;
mod entries;
mod field_order;
mod marks;
mod matches;
mod order;
mod page_keys;
mod totals;
mod walk;

pub(in crate::content) use conditions::condition_text;
pub(super) use entries::Entries;
pub(super) use matches::{edition_of, edition_with_uuid};
pub(in crate::content) use order::key_text;

use super::{
    ContentVersion, ReadScope,
    relations::{RelationPlan, relation_ctes},
};
use crate::content::where_builder::WhereBuilder;
use domain::content::query::Plan;
use page_keys::{ordered_keys, page_keys};

/// The parts of the statement that find the keys of the page and the total.
struct PageKeys {
    /// The common table expressions that the other two need.
    with: Vec<String>,
    /// The query of the total.
    total: String,
    /// The query of the keys: `story_id` and `rank`.
    page: String,
}

/// The statement of a page with its total and its relations, and the values to bind. `columns` are columns of
/// `edition`.
pub(super) fn list_sql(plan: &Plan, scope: ReadScope<'_>, columns: &str, relations: &RelationPlan) -> (String, WhereBuilder) {
    let mut builder = scope.of_version();
    // As a condition of the plan, so that the choice of index and total knows it.
    let plan = &*plan.within(scope.stories);
    let PageKeys { with, total, page } = page_keys(&mut builder, plan, scope.version);
    let statement = assemble_sql(&mut builder, with, &total, &page, scope, columns, relations);
    (statement, builder)
}

/// The statement of the keys of all pages, in one row: `keys`, in their order, and `changed_at`, the state of
/// the space that they are of.
pub(super) fn all_keys_sql(plan: &Plan, scope: ReadScope<'_>) -> (String, WhereBuilder) {
    let mut builder = scope.of_version();
    let plan = &*plan.within(scope.stories);
    let keys = ordered_keys(&mut builder, plan, scope.version);
    (format!("select array({keys}) as keys, ({}) as changed_at", changed_at(scope.version)), builder)
}

/// The statement of the page that has these keys. `total` is null when the space is not in the state any more
/// that the keys are of.
pub(super) fn keyed_page_sql(
    keys: &[i64],
    total: i64,
    state: i64,
    scope: ReadScope<'_>,
    columns: &str,
    relations: &RelationPlan,
) -> (String, WhereBuilder) {
    let mut builder = scope.of_version();
    let (total, state) = (builder.bind(total), builder.bind(state));
    let total = format!("select {total}::bigint where ({}) = {state}", changed_at(scope.version));
    let keys = builder.bind(keys.to_vec());
    let page = format!("select story_id, rank from unnest({keys}::bigint[]) with ordinality as page (story_id, rank)");
    let statement = assemble_sql(&mut builder, Vec::new(), &total, &page, scope, columns, relations);
    (statement, builder)
}

/// The query of the number that every change of what a version shows increases: see
/// [`super::read_access::ReadAccess::changed_at`].
fn changed_at(version: ContentVersion) -> &'static str {
    match version {
        ContentVersion::Published => "select cv from space_counters where space_id = $1",
        ContentVersion::Draft => "select revision from space_counters where space_id = $1",
    }
}

/// Joins the columns to the keys of a page (`story_id`, `rank`) and of its relations. The column `asked` is
/// null for stories of the page; for related ones it is the UUID by which they were looked for.
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
         left join {} on true
         order by keys.rank",
        edition_of("keys.story_id")
    )
}

/// The keys of a query with their ranks.
fn ranked(keys: &str) -> String {
    format!("select keys.story_id, row_number() over () as rank from ({keys}) keys")
}
