//! Limits how many responses are rendered at the same time.
//!
//! ```text
//! a page, a query    -> its queue -> a permit, and only then a connection
//! an expensive query -> its queue ->
//! a whole space      -> its queue ->
//! ```
//!
//! To render more responses at a time than there are cores makes none of them faster and most of them slower.
//! What takes long, an expensive query or the map of all links of a space, has permits of its own beside
//! those of pages, so that pages do not wait for it. In each queue spaces take turns, and no space has more
//! than half of the permits. A query that was estimated as cheap counts as expensive while queries of its
//! space take long.

mod fair_queue;
mod permits;
mod slow_spaces;

use domain::shared::{Fault, SpaceId, TokenId};
pub(in crate::content) use fair_queue::FairQueue;
use fair_queue::Permit;
use permits::Permits;
use slow_spaces::SlowSpaces;
use std::{sync::Arc, time::Duration};
use tokio::time::{Instant, timeout};

/// How long a page waits before its client gets 503; as long as for a connection of the pool.
const PAGE_TIMEOUT: Duration = Duration::from_secs(2);
/// The same for what takes long itself: the links of 100,000 stories take a second.
const LONG_TIMEOUT: Duration = Duration::from_secs(10);

/// The cost of a response.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::content::delivery) enum RenderCost {
    /// Bounded by the largest page.
    Page,
    /// A page, for which PostgreSQL reads few stories by an estimate.
    Query,
    /// A page, for which PostgreSQL reads many stories.
    Expensive,
    /// The response is as large as the space, such as the map of all links.
    WholeSpace,
}

/// The queues.
pub(in crate::content::delivery) struct RenderLimiter {
    pages: FairQueue<TokenId>,
    expensive: FairQueue<TokenId>,
    whole_spaces: FairQueue<TokenId>,
    slow: Arc<SlowSpaces>,
}

/// Held while a response is rendered.
pub(in crate::content::delivery) struct RenderPermit {
    _permit: Permit<TokenId>,
    /// The space of a query whose time is measured.
    measured: Option<(Arc<SlowSpaces>, SpaceId)>,
    began: Option<Instant>,
}

impl RenderLimiter {
    /// A limiter for `pages` at a time, with `connections` in the pool.
    pub(super) fn new(pages: usize, connections: usize) -> Self {
        let permits = Permits::new(pages, connections);
        let half = |permits: usize| FairQueue::new(permits, permits.div_ceil(2));
        Self {
            pages: half(permits.pages),
            expensive: half(permits.expensive),
            whole_spaces: half(permits.whole_spaces),
            slow: Arc::default(),
        }
    }

    /// Waits for a permit; 503 after too long a time, and at once when too many others of the space or the
    /// token wait.
    pub(super) async fn acquire(&self, cost: RenderCost, space: SpaceId, token: TokenId) -> Result<RenderPermit, Fault> {
        let (limit, queue) = match cost {
            RenderCost::Query if self.slow.contains(space) => (LONG_TIMEOUT, &self.expensive),
            RenderCost::Page | RenderCost::Query => (PAGE_TIMEOUT, &self.pages),
            RenderCost::Expensive => (LONG_TIMEOUT, &self.expensive),
            RenderCost::WholeSpace => (LONG_TIMEOUT, &self.whole_spaces),
        };
        let busy = || Fault::unavailable("too many answers are being made");
        let permit = timeout(limit, queue.acquire(space, token)).await.ok().flatten().ok_or_else(busy)?;
        let measured = (cost == RenderCost::Query).then(|| (self.slow.clone(), space));
        Ok(RenderPermit { _permit: permit, measured, began: None })
    }
}

impl RenderPermit {
    /// Begins to measure the time, which ends when the permit is dropped.
    pub(in crate::content::delivery) fn begin(&mut self) {
        self.began = Some(Instant::now());
    }
}

impl Drop for RenderPermit {
    fn drop(&mut self) {
        if let (Some((slow, space)), Some(began)) = (&self.measured, self.began) {
            slow.report(*space, began.elapsed());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{LONG_TIMEOUT, PAGE_TIMEOUT, RenderCost, RenderLimiter};
    use domain::shared::{Kind, SpaceId, TokenId};
    use futures_util::FutureExt;
    use std::time::Duration;

    const COSTS: [(RenderCost, Duration); 3] =
        [(RenderCost::Page, PAGE_TIMEOUT), (RenderCost::Expensive, LONG_TIMEOUT), (RenderCost::WholeSpace, LONG_TIMEOUT)];

    /// One permit of each kind.
    fn narrow() -> RenderLimiter {
        RenderLimiter::new(1, 1)
    }

    #[tokio::test(start_paused = true)]
    async fn pages_do_not_wait_for_what_takes_long() {
        let limiter = narrow();
        let mut held = Vec::new();
        for (cost, _) in COSTS {
            held.push(limiter.acquire(cost, SpaceId(1), TokenId(1)).now_or_never().unwrap());
            assert!(limiter.acquire(cost, SpaceId(2), TokenId(2)).now_or_never().is_none(), "{cost:?}");
        }
    }

    #[tokio::test(start_paused = true)]
    async fn a_request_that_waits_too_long_is_refused() {
        let limiter = narrow();
        for (cost, limit) in COSTS {
            let _held = limiter.acquire(cost, SpaceId(1), TokenId(1)).await.unwrap();
            let began = tokio::time::Instant::now();
            let fault = limiter.acquire(cost, SpaceId(1), TokenId(1)).await.err().unwrap();
            assert_eq!((fault.kind(), began.elapsed()), (Kind::Unavailable, limit));
            assert!(fault.retry_after.is_some());
        }
    }

    #[tokio::test(start_paused = true)]
    async fn two_maps_of_links_are_made_at_a_time_and_one_of_a_space() {
        let limiter = RenderLimiter::new(8, 16);
        let acquire = |space| limiter.acquire(RenderCost::WholeSpace, SpaceId(space), TokenId(1)).now_or_never();
        let _first = acquire(1).unwrap().unwrap();
        assert!(acquire(1).is_none());
        let _second = acquire(2).unwrap().unwrap();
        assert!(acquire(3).is_none());
    }

    #[tokio::test(start_paused = true)]
    async fn queries_of_a_space_that_took_long_leave_the_pages_to_others() {
        let limiter = narrow();
        let query = |space| limiter.acquire(RenderCost::Query, SpaceId(space), TokenId(1));
        let mut slow = query(1).await.unwrap();
        slow.begin();
        tokio::time::advance(Duration::from_secs(1)).await;
        drop(slow);
        let _next = query(1).await.unwrap();
        let _other = query(2).now_or_never().unwrap().unwrap();
        assert!(limiter.acquire(RenderCost::Expensive, SpaceId(2), TokenId(1)).now_or_never().is_none());
    }
}
