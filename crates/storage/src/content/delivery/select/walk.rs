//! A walk through the index of an order until the page is full, for lists whose total is known.
//!
//! ```text
//! counted   the total, and how far the walk may go: as far as sorting what matches would cost; not at all where the page is likely not full by then
//! walked    the entries of the index, in their order, that match, up to the end of the page
//! sorted    when they were too few: what matches, sorted. It is not run otherwise
//! ```
//!
//! Where many stories match, a page is full after a few entries; where few match, sorting these is cheap. So
//! a page costs about what it answers, and never more than twice what sorting costs, wherever in the order
//! its stories are.

use super::{PageKeys, matches::Matches, order::order_text, ranked};
use crate::content::{delivery::ContentVersion, where_builder::WhereBuilder};
use domain::content::query::Plan;

/// What a walk is made of.
pub(super) struct Walk {
    /// The common table expressions that the others need.
    pub(super) with: Vec<String>,
    /// The query of the total.
    pub(super) total: String,
    /// What matches, to sort it.
    pub(super) matches: Matches,
    /// The condition that an entry of the order matches, over `edition`.
    pub(super) filter: String,
    /// How many entries cost as much as finding one story that matches, to sort it.
    pub(super) entries_for_a_match: i64,
}

impl Walk {
    /// The parts of the statement.
    pub(super) fn page_keys(self, builder: &mut WhereBuilder, plan: &Plan, version: ContentVersion) -> PageKeys {
        let Self { mut with, total, matches, filter, entries_for_a_match: factor } = self;
        let order = order_text(builder, plan, version);
        let (limit, offset) = (builder.bind(plan.page.limit()), builder.bind(plan.page.offset()));
        let end = builder.bind(plan.page.offset().saturating_add(plan.page.limit()));
        let scope = builder.text();
        // Materialized, so that nothing is counted once for each time that its number is used.
        with.push(format!(
            "sized as materialized (
                 select ({total}) as matches,
                        (select coalesce(sum(stories), 0)::bigint from edition_counts
                         where space_id = $1 and edition = $2::text::edition_kind) as stories
             )"
        ));
        // As many entries are needed as one in (stories / matches) of them fills the page.
        with.push(format!(
            "counted as materialized (
                 select matches, least({end}, matches) as wanted,
                        case when matches * matches * {factor} >= {end} * stories then matches * {factor} else 0 end as reach
                 from sized
             )"
        ));
        // A subquery with a limit is run as it stands: the filter stays outside of it, and the columns that
        // nothing needs are not read.
        with.push(format!(
            "walked as materialized ({})",
            ranked(&format!(
                "select edition.story_id
                 from (select * from editions edition where {scope} order by {order} limit (select reach from counted)) edition
                 where {filter} limit {end}"
            ))
        ));
        let sorted = ranked(&format!(
            "select edition.story_id from ({} offset 0) edition order by {order} limit {end}",
            matches.select("edition.*")
        ));
        let page = format!(
            "select story_id, rank from walked where (select count(*) from walked) >= (select wanted from counted)
             union all
             select story_id, rank from ({sorted}) sorted where (select count(*) from walked) < (select wanted from counted)
             order by rank limit {limit} offset {offset}"
        );
        PageKeys { with, total: "select matches from counted".to_owned(), page }
    }
}
