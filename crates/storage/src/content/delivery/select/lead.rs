//! Orders that begin with a field of content: `edition_fields` has it in order.

use super::order::key_text;
use crate::content::{clauses::Clauses, delivery::Copy};
use domain::content::query::{Cast, Order, Plan, SortBy, SortKey};

/// The plain field of the root block that an order begins with; `edition_fields` keeps those in order.
pub(super) struct Lead<'a> {
    field: &'a str,
    key: &'a SortKey,
    rest: &'a [SortKey],
}

pub(super) fn led_by_field(plan: &Plan) -> Option<Lead<'_>> {
    let Order::Keys(keys) = &plan.order else { return None };
    let (key, rest) = keys.split_first()?;
    match &key.by {
        SortBy::Content(path, _) if !key.nulls_first => Some(Lead { field: path.root_key()?, key, rest }),
        _ => None,
    }
}

/// Keys in the order of a field, without a look at the editions where nothing else is asked: first those that have it, from the index, then those
/// that have not. PostgreSQL runs the second part only when the page reaches it.
pub(super) fn keys_by_field(clauses: &mut Clauses, condition: &str, lead: &Lead<'_>, plan: &Plan, copy: Copy) -> String {
    let field = clauses.bind(lead.field.to_owned());
    let (column, is_sortable) = match &lead.key.by {
        SortBy::Content(_, Cast::Int | Cast::Float) => ("number", "entry.number is not null"),
        _ => ("value", "true"),
    };
    let direction = if lead.key.descending { "desc" } else { "asc" };
    let rest: String = lead.rest.iter().map(|key| key_text(clauses, key, copy) + ", ").collect();
    let most = reach(plan);
    let entry = format!(
        "entry.space_id = $1 and entry.edition = $2::text::edition_kind and entry.field = {field} and not entry.is_element and {is_sortable}"
    );
    let with_it = if plan.conditions.is_empty() && lead.rest.is_empty() {
        format!("entry where {entry} order by entry.{column} {direction}, entry.position, entry.story_id")
    } else {
        format!(
            "entry join editions edition
                  on edition.space_id = entry.space_id and edition.edition = entry.edition and edition.story_id = entry.story_id
             where {entry} and {condition} order by entry.{column} {direction}, {rest}edition.position, edition.story_id"
        )
    };
    format!(
        "(select entry.story_id from edition_fields {with_it} limit {most})
         union all
         (select edition.story_id from editions edition
          where {condition} and not exists (select from edition_fields entry where entry.story_id = edition.story_id and {entry})
          order by {rest}edition.position, edition.story_id limit {most})"
    )
}

/// How many keys a page reaches at most, rounded up: a number in the text tells the planner that few are wanted, and a power of two keeps
/// the number of different texts small.
fn reach(plan: &Plan) -> u64 {
    let reach = plan.page.offset().saturating_add(plan.page.limit());
    u64::try_from(reach).unwrap_or(u64::MAX >> 2).next_power_of_two().max(128)
}
