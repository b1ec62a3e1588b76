//! A lock for each of many callers.

use crate::shared::rate_limiter::CallerKey;
use domain::shared::Fault;
use std::time::Duration;
use tokio::{
    sync::{Mutex, MutexGuard},
    time::timeout,
};

/// How many stripes all callers share, one for each value of a byte.
const STRIPES: usize = 256;
/// How long a caller waits for the lock.
const WAIT: Duration = Duration::from_secs(2);

/// Locks by caller, each given in the order in which they were asked for. For a limit of failures, which are
/// counted only after what may fail: without a lock, as many as come at once would all be let through.
pub(super) struct StripedLock {
    stripes: [Mutex<()>; STRIPES],
}

/// The lock of a caller, until it is dropped.
pub(super) type Guard<'a> = MutexGuard<'a, ()>;

impl StripedLock {
    pub(super) fn new() -> Self {
        Self { stripes: std::array::from_fn(|_| Mutex::default()) }
    }

    /// The lock of a caller; 503 when it is not to be had in time.
    #[expect(clippy::indexing_slicing, reason = "there is a stripe for each value of a byte")]
    pub(super) async fn lock(&self, caller: CallerKey) -> Result<Guard<'_>, Fault> {
        let busy = |_| Fault::unavailable("too many ask for the same at once");
        timeout(WAIT, self.stripes[usize::from(caller[0])].lock()).await.map_err(busy)
    }
}

#[cfg(test)]
mod tests {
    use super::{StripedLock, WAIT};
    use domain::shared::Kind;
    use futures_util::FutureExt;

    #[tokio::test(start_paused = true)]
    async fn a_caller_waits_for_itself_alone_and_not_for_ever() {
        let locks = StripedLock::new();
        let first = locks.lock([1; 16]).await.unwrap();
        let second = locks.lock([1; 16]);
        tokio::pin!(second);
        assert!(second.as_mut().now_or_never().is_none());
        assert!(locks.lock([2; 16]).now_or_never().unwrap().is_ok());
        drop(first);
        let second = second.now_or_never().unwrap().unwrap();

        let third = locks.lock([1; 16]);
        tokio::pin!(third);
        assert!(third.as_mut().now_or_never().is_none());
        tokio::time::advance(WAIT).await;
        assert_eq!(third.await.unwrap_err().kind(), Kind::Unavailable);
        drop(second);
    }
}
