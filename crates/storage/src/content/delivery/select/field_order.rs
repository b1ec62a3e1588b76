//! Orders whose first key is a field of the content: an index of the table `edition_fields` has its values in
//! order.

use super::{
    entries::is_in,
    matches::{Matches, edition_of},
    order::key_text,
};
use crate::content::{delivery::ContentVersion, where_builder::WhereBuilder};
use domain::content::query::{Cast, IndexedOrder, Plan, SortBy};

/// How far the keys are read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Reach {
    /// To the end of the page of the plan.
    Page,
    /// To the last page.
    AllPages,
}

/// The query of the keys: first the stories that have the field, from the index, then those that do not.
/// PostgreSQL runs the second part only when the page reaches it. Without conditions and further sort keys
/// the first part reads the index alone.
pub(super) fn keys_by_field(
    builder: &mut WhereBuilder,
    matches: &Matches,
    order: IndexedOrder<'_>,
    plan: &Plan,
    version: ContentVersion,
    reach: Reach,
) -> String {
    let field = builder.bind(order.field.to_owned());
    let (column, is_sortable) = match &order.key.by {
        SortBy::Content(_, Cast::Int | Cast::Float) => ("number", "entry.number is not null"),
        _ => ("value", "true"),
    };
    let direction = if order.key.descending { "desc" } else { "asc" };
    let rest: String = order.rest.iter().map(|key| key_text(builder, key, version) + ", ").collect();
    let limit = match reach {
        Reach::Page => format!("limit {}", limit(plan)),
        Reach::AllPages => String::new(),
    };
    let entry = format!(
        "entry.space_id = $1 and entry.edition = $2::text::edition_kind and entry.field = {field} and not entry.is_element and {is_sortable}"
    );
    let (edition, condition) = if matches.is_all() && order.rest.is_empty() {
        (String::new(), "true".to_owned())
    } else {
        (format!("cross join {}", edition_of("entry.story_id")), matches.condition("entry.story_id"))
    };
    // Not joined, for the reason that `Matches` gives; this also runs when the page reaches it only.
    let has_field = is_in("edition.story_id", &format!("select entry.story_id from edition_fields entry where {entry}"));
    format!(
        "(select entry.story_id from edition_fields entry {edition} where {entry} and {condition}
          order by entry.{column} {direction}, {rest}entry.position, entry.story_id {limit})
         union all
         ({} and not ({has_field}) order by {rest}edition.position, edition.story_id {limit})",
        matches.select("edition.story_id")
    )
}

/// How many keys are needed up to the end of the page, rounded up. As a number in the text it tells the
/// planner that few are wanted; as a power of two it keeps the number of different texts, which are prepared
/// statements, small.
fn limit(plan: &Plan) -> u64 {
    let end = plan.page.offset().saturating_add(plan.page.limit());
    u64::try_from(end).unwrap_or(u64::MAX >> 2).next_power_of_two().max(128)
}
