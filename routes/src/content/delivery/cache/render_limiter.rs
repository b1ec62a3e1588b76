//! Limits how many responses are rendered at the same time.
//!
//! ```text
//! a page             -> its queue -> a permit, and only then a connection
//! an expensive query -> its queue ->
//! a whole space      -> its queue ->
//! ```
//!
//! To render more responses at a time than there are cores makes none of them faster and most of them slower. What takes long, an expensive query or the map of
//! all links of a space, has permits of its own beside those of pages, so that pages do not wait for it. In each queue spaces take turns.

mod fair_queue;

use domain::shared::{Fault, SpaceId, TokenId};
use fair_queue::{FairQueue, Permit};
use std::time::Duration;
use tokio::time::timeout;

/// How many whole spaces are rendered at a time.
const WHOLE_SPACES: usize = 1;
/// For so many pages at a time there is one expensive query.
const PAGES_FOR_EXPENSIVE: usize = 8;
/// How long a page waits before its client gets 503; as long as for a connection of the pool.
const PAGE_TIMEOUT: Duration = Duration::from_secs(2);
/// The same for what takes long itself: the links of 100,000 stories take a second.
const LONG_TIMEOUT: Duration = Duration::from_secs(10);

/// The cost of a response.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::content::delivery) enum RenderCost {
    /// Bounded by the largest page.
    Page,
    /// A page, for which PostgreSQL reads many stories.
    Expensive,
    /// The response is as large as the space, such as the map of all links.
    WholeSpace,
}

/// The queues.
pub(in crate::content::delivery) struct RenderLimiter {
    pages: FairQueue,
    expensive: FairQueue,
    whole_spaces: FairQueue,
}

/// Held while a response is rendered.
pub(in crate::content::delivery) struct RenderPermit {
    _permit: Permit,
}

impl RenderLimiter {
    /// A limiter for so many pages at a time.
    pub(super) fn new(pages: usize) -> Self {
        Self {
            pages: FairQueue::new(pages),
            expensive: FairQueue::new(pages.div_ceil(PAGES_FOR_EXPENSIVE)),
            whole_spaces: FairQueue::new(WHOLE_SPACES),
        }
    }

    /// Waits for a permit; 503 after too long a time.
    pub(super) async fn acquire(&self, cost: RenderCost, space: SpaceId, token: TokenId) -> Result<RenderPermit, Fault> {
        let (limit, queue) = match cost {
            RenderCost::Page => (PAGE_TIMEOUT, &self.pages),
            RenderCost::Expensive => (LONG_TIMEOUT, &self.expensive),
            RenderCost::WholeSpace => (LONG_TIMEOUT, &self.whole_spaces),
        };
        match timeout(limit, queue.acquire(space, token)).await {
            Ok(permit) => Ok(RenderPermit { _permit: permit }),
            Err(_) => Err(Fault::unavailable("too many answers are being made")),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{LONG_TIMEOUT, PAGE_TIMEOUT, RenderCost, RenderLimiter};
    use domain::shared::{Kind, SpaceId, TokenId};
    use futures_util::FutureExt;

    const COSTS: [(RenderCost, std::time::Duration); 3] =
        [(RenderCost::Page, PAGE_TIMEOUT), (RenderCost::Expensive, LONG_TIMEOUT), (RenderCost::WholeSpace, LONG_TIMEOUT)];

    #[tokio::test(start_paused = true)]
    async fn pages_do_not_wait_for_what_takes_long() {
        let limiter = RenderLimiter::new(1);
        let mut held = Vec::new();
        for (cost, _) in COSTS {
            held.push(limiter.acquire(cost, SpaceId(1), TokenId(1)).now_or_never().unwrap());
            assert!(limiter.acquire(cost, SpaceId(2), TokenId(2)).now_or_never().is_none(), "{cost:?}");
        }
    }

    #[tokio::test(start_paused = true)]
    async fn a_request_that_waits_too_long_is_refused() {
        let limiter = RenderLimiter::new(1);
        for (cost, limit) in COSTS {
            let _held = limiter.acquire(cost, SpaceId(1), TokenId(1)).await.unwrap();
            let began = tokio::time::Instant::now();
            let fault = limiter.acquire(cost, SpaceId(1), TokenId(1)).await.err().unwrap();
            assert_eq!((fault.kind, began.elapsed()), (Kind::Unavailable, limit));
            assert!(fault.retry_after.is_some());
        }
    }
}
