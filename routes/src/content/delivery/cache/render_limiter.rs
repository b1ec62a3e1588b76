//! Limits how many responses are rendered at the same time.
//!
//! ```text
//! a page:        one queue for all                        -> a permit, and only then a connection
//! a whole space: one queue per space -> one queue for all -> a permit, and only then a connection
//! ```
//!
//! To render more responses at a time than there are cores makes none of them faster and most of them slower. The map of all links of a space is large,
//! so it has a permit of its own beside those of pages, and requests for many maps of one space hold up only that space.

use domain::shared::{Fault, SpaceId};
use std::{
    collections::HashMap,
    sync::{Arc, Mutex, PoisonError, Weak},
    time::Duration,
};
use tokio::{
    sync::{AcquireError, OwnedSemaphorePermit, Semaphore},
    time::timeout,
};

/// How many whole spaces are rendered at a time.
const WHOLE_SPACES: usize = 1;
/// How long a page waits before its client gets 503; as long as for a connection of the pool.
const PAGE_TIMEOUT: Duration = Duration::from_secs(2);
/// The same for a whole space: the links of 100,000 stories take a second.
const WHOLE_SPACE_TIMEOUT: Duration = Duration::from_secs(10);

/// The cost of a response.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::content::delivery) enum RenderCost {
    /// Bounded by the largest page.
    Page,
    /// The response is as large as the space, such as the map of all links.
    WholeSpace,
}

/// The queues.
pub(in crate::content::delivery) struct RenderLimiter {
    pages: Arc<Semaphore>,
    whole_spaces: Arc<Semaphore>,
    by_space: Mutex<HashMap<SpaceId, Weak<Semaphore>>>,
}

/// Held while a response is rendered.
pub(in crate::content::delivery) struct RenderPermit {
    _permit: OwnedSemaphorePermit,
    _of_space: Option<OwnedSemaphorePermit>,
}

impl RenderLimiter {
    /// A limiter for so many pages at a time.
    pub(super) fn new(pages: usize) -> Self {
        Self {
            pages: Arc::new(Semaphore::new(pages)),
            whole_spaces: Arc::new(Semaphore::new(WHOLE_SPACES)),
            by_space: Mutex::default(),
        }
    }

    /// Waits for a permit; 503 after too long a time.
    pub(super) async fn acquire(&self, cost: RenderCost, space: SpaceId) -> Result<RenderPermit, Fault> {
        let (limit, of_space, queue) = match cost {
            RenderCost::Page => (PAGE_TIMEOUT, None, &self.pages),
            RenderCost::WholeSpace => (WHOLE_SPACE_TIMEOUT, Some(self.queue_of(space)), &self.whole_spaces),
        };
        let permit = async {
            let of_space = match of_space {
                Some(queue) => Some(queue.acquire_owned().await?),
                None => None,
            };
            Ok(RenderPermit { _permit: queue.clone().acquire_owned().await?, _of_space: of_space })
        };
        match timeout(limit, permit).await {
            Ok(permit) => permit.map_err(|closed: AcquireError| Fault::unavailable(closed.to_string())),
            Err(_) => Err(Fault::unavailable("too many answers are being made")),
        }
    }

    fn queue_of(&self, space: SpaceId) -> Arc<Semaphore> {
        let mut queues = self.by_space.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(queue) = queues.get(&space).and_then(Weak::upgrade) {
            return queue;
        }
        // Queues in which no request waits are removed.
        queues.retain(|_, queue| queue.strong_count() > 0);
        let queue = Arc::new(Semaphore::new(1));
        queues.insert(space, Arc::downgrade(&queue));
        queue
    }
}

#[cfg(test)]
mod tests {
    use super::{PAGE_TIMEOUT, RenderCost, RenderLimiter, WHOLE_SPACE_TIMEOUT};
    use domain::shared::{Kind, SpaceId};
    use futures_util::FutureExt;

    const ONE: SpaceId = SpaceId(1);
    const OTHER: SpaceId = SpaceId(2);

    #[tokio::test(start_paused = true)]
    async fn as_many_pages_as_allowed_and_further_ones_in_order() {
        let limiter = RenderLimiter::new(2);
        let first = limiter.acquire(RenderCost::Page, ONE).await.unwrap();
        let _second = limiter.acquire(RenderCost::Page, ONE).await.unwrap();
        let (mut third, mut fourth) =
            (Box::pin(limiter.acquire(RenderCost::Page, ONE)), Box::pin(limiter.acquire(RenderCost::Page, OTHER)));
        assert!((&mut third).now_or_never().is_none() && (&mut fourth).now_or_never().is_none());
        drop(first);
        assert!((&mut fourth).now_or_never().is_none());
        assert!(third.now_or_never().unwrap().is_ok());
    }

    #[tokio::test(start_paused = true)]
    async fn whole_spaces_wait_for_others_of_their_space_and_pages_do_not_wait_for_them() {
        let limiter = RenderLimiter::new(1);
        let first = limiter.acquire(RenderCost::WholeSpace, ONE).await.unwrap();
        let mut same: Vec<_> = (0..9).map(|_| Box::pin(limiter.acquire(RenderCost::WholeSpace, ONE))).collect();
        assert!(same.iter_mut().all(|s| s.now_or_never().is_none()));
        let mut other = Box::pin(limiter.acquire(RenderCost::WholeSpace, OTHER));
        assert!((&mut other).now_or_never().is_none());
        assert!(limiter.acquire(RenderCost::Page, ONE).now_or_never().unwrap().is_ok());
        drop(first);
        assert!(other.now_or_never().unwrap().is_ok());
    }

    #[tokio::test(start_paused = true)]
    async fn a_request_that_waits_too_long_is_refused() {
        let limiter = RenderLimiter::new(1);
        for (cost, limit) in [(RenderCost::Page, PAGE_TIMEOUT), (RenderCost::WholeSpace, WHOLE_SPACE_TIMEOUT)] {
            let _held = limiter.acquire(cost, ONE).await.unwrap();
            let began = tokio::time::Instant::now();
            let fault = limiter.acquire(cost, ONE).await.err().unwrap();
            assert_eq!((fault.kind, began.elapsed()), (Kind::Unavailable, limit));
            assert!(fault.retry_after.is_some());
        }
    }

    #[tokio::test]
    async fn empty_queues_are_removed() {
        let limiter = RenderLimiter::new(1);
        for space in 0..100 {
            drop(limiter.acquire(RenderCost::WholeSpace, SpaceId(space)).await.unwrap());
        }
        assert_eq!(limiter.by_space.lock().unwrap().len(), 1);
    }
}
