//! What is done for a response: a fixed amount of work, or a query that is estimated before it runs.

use super::cache::RenderCost;
use domain::{
    content::query::QueryCost,
    shared::{Fault, Kind},
};
use std::time::Duration;

/// Queries that are estimated to take as long as this have a queue of their own.
const EXPENSIVE: Duration = Duration::from_millis(50);
/// An estimate that is so many times too high is still let through to the time limit.
const DOUBT: u32 = 2;

/// The cost of a response.
#[derive(Debug, Clone, Copy)]
pub(super) enum ResponseCost {
    /// Known from the endpoint.
    Fixed(RenderCost),
    /// That of a query, for one story.
    Query(QueryCost),
}

impl ResponseCost {
    /// The cost in a space of so many stories. 422 for a query that would take much longer than it may.
    pub(super) fn in_space(self, stories: u64, limit: Duration) -> Result<RenderCost, Fault> {
        match self {
            Self::Fixed(cost) => Ok(cost),
            Self::Query(query) => match query.in_space(stories) {
                estimate if estimate > limit * DOUBT => Err(too_expensive()),
                estimate if estimate >= EXPENSIVE => Ok(RenderCost::Expensive),
                _ => Ok(RenderCost::Page),
            },
        }
    }
}

/// What a client is told whose response takes longer than it may. Only a page that should be cheap is worth another try: then the database is slow.
pub(super) fn out_of_time(cost: RenderCost) -> Fault {
    match cost {
        RenderCost::Expensive => too_expensive(),
        RenderCost::Page | RenderCost::WholeSpace => Fault::unavailable("a response took too long"),
    }
}

fn too_expensive() -> Fault {
    let message = "This query takes too long in a space of this size. Ask for less: fewer conditions of filter_query, fewer * in a pattern, longer words of \
                   search_term, fewer keys of sort_by; or narrow it down with starts_with, with_tag or by_slugs";
    Fault::new(Kind::Invalid, "queryTooExpensive", message)
}
