//! Callers that are served one after the other.

use crate::shared::rate_limiter::Caller;
use tokio::sync::{Mutex, MutexGuard};

/// How many stripes all callers share, one for each value of a byte.
const STRIPES: usize = 256;

/// Of those who ask for a turn by the same key one has it at a time, in the order in which they asked. For a limit of failures, which are counted only after what may
/// fail: without turns, as many as come at once would all be let through.
pub(super) struct Turns {
    stripes: [Mutex<()>; STRIPES],
}

/// The turn of a caller, until it is dropped.
pub(super) type Turn<'a> = MutexGuard<'a, ()>;

impl Turns {
    pub(super) fn new() -> Self {
        Self { stripes: std::array::from_fn(|_| Mutex::default()) }
    }

    /// Waits for the turn of a caller.
    #[expect(clippy::indexing_slicing, reason = "there is a stripe for each value of a byte")]
    pub(super) async fn take(&self, caller: Caller) -> Turn<'_> {
        self.stripes[usize::from(caller[0])].lock().await
    }
}

#[cfg(test)]
mod tests {
    use super::Turns;
    use futures_util::FutureExt;

    #[tokio::test]
    async fn one_caller_has_one_turn_at_a_time_and_another_does_not_wait() {
        let turns = Turns::new();
        let first = turns.take([1; 16]).await;
        let second = turns.take([1; 16]);
        tokio::pin!(second);
        assert!(second.as_mut().now_or_never().is_none());
        assert!(turns.take([2; 16]).now_or_never().is_some());
        drop(first);
        assert!(second.now_or_never().is_some());
    }
}
