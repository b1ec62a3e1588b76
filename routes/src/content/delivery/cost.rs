//! What is done for a response: a fixed amount of work, or a query that is estimated before it runs.

use super::cache::RenderCost;
use domain::{
    content::query::QueryCost,
    shared::{Code, Fault},
};
use std::time::Duration;

/// Queries that are estimated to take as long as this have a queue of their own.
const EXPENSIVE: Duration = Duration::from_millis(50);
/// An estimate that is too high by this factor is still let through to the time limit.
const DOUBT: u32 = 2;
/// A response as large as the space may take this factor of the time of a page.
const WHOLE_SPACE: u32 = 5;

/// The cost of a response.
#[derive(Debug, Clone, Copy)]
pub(super) enum ResponseCost {
    /// A fixed amount of work.
    Fixed,
    /// A page of a query of this cost for one story.
    Query(QueryCost),
    /// All that is in the space, by a query of this cost for one story.
    WholeSpace(QueryCost),
}

impl ResponseCost {
    /// The cost in a space with this number of stories. 422 for a query that would take much longer than it
    /// may.
    pub(super) fn in_space(self, stories: u64, limit: Duration) -> Result<RenderCost, Fault> {
        let (query, cheap) = match self {
            Self::Fixed => return Ok(RenderCost::Page),
            Self::Query(query) => (query, RenderCost::Query),
            Self::WholeSpace(query) => (query, RenderCost::WholeSpace),
        };
        match query.in_space(stories) {
            estimate if estimate > self.limit(limit) * DOUBT => Err(too_expensive()),
            estimate if estimate >= EXPENSIVE && cheap == RenderCost::Query => Ok(RenderCost::Expensive),
            _ => Ok(cheap),
        }
    }

    /// How long the response may be rendered, where a page may be for `limit`.
    pub(super) fn limit(self, limit: Duration) -> Duration {
        if matches!(self, Self::WholeSpace(_)) { limit * WHOLE_SPACE } else { limit }
    }

    /// What a client is told whose response took longer than it may. Only a fixed amount of work is worth
    /// another try: then the database is slow.
    pub(super) fn out_of_time(self) -> Fault {
        match self {
            Self::Fixed => Fault::unavailable("a response took too long"),
            Self::Query(_) | Self::WholeSpace(_) => too_expensive(),
        }
    }
}

fn too_expensive() -> Fault {
    let message = "This query takes too long in a space of this size. Ask for less: fewer conditions of filter_query, fewer * in a pattern, longer words of \
                   search_term, fewer keys of sort_by, pages of links; or narrow it down with starts_with, with_tag or by_slugs";
    Fault::new(Code::QueryTooExpensive, message)
}
