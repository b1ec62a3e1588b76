//! Orders whose first key is a field of the content: an index of the table `edition_fields` has its values in order.

use super::order::key_text;
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

/// The query of the keys: first the stories that have the field, from the index, then those that do not. PostgreSQL runs the second part only when
/// the page reaches it. Without conditions and further sort keys the first part reads the index alone.
pub(super) fn keys_by_field(
    builder: &mut WhereBuilder,
    condition: &str,
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
    let with_field = if plan.conditions.is_empty() && order.rest.is_empty() {
        format!("entry where {entry} order by entry.{column} {direction}, entry.position, entry.story_id")
    } else {
        format!(
            "entry join editions edition
                  on edition.space_id = entry.space_id and edition.edition = entry.edition and edition.story_id = entry.story_id
             where {entry} and {condition} order by entry.{column} {direction}, {rest}edition.position, edition.story_id"
        )
    };
    format!(
        "(select entry.story_id from edition_fields {with_field} {limit})
         union all
         (select edition.story_id from editions edition
          where {condition} and not exists (select from edition_fields entry where entry.story_id = edition.story_id and {entry})
          order by {rest}edition.position, edition.story_id {limit})"
    )
}

/// How many keys are needed up to the end of the page, rounded up. As a number in the text it tells the planner that few are wanted; as a power of
/// two it keeps the number of different texts, which are prepared statements, small.
fn limit(plan: &Plan) -> u64 {
    let end = plan.page.offset().saturating_add(plan.page.limit());
    u64::try_from(end).unwrap_or(u64::MAX >> 2).next_power_of_two().max(128)
}
