//! When a database has answered for the last time.

use std::{
    sync::{
        Arc,
        atomic::{AtomicU64, Ordering::Relaxed},
    },
    time::Duration,
};
use tokio::time::Instant;

/// For how long an answer shows that the database is there.
const RECENT: Duration = Duration::from_millis(250);

/// The last answer on a connection of the pool. Cheap to clone; clones are one.
#[derive(Clone)]
pub(crate) struct LastAnswer {
    since: Instant,
    /// Milliseconds after `since`; `u64::MAX` before the first answer.
    at: Arc<AtomicU64>,
}

impl LastAnswer {
    pub(crate) fn none() -> Self {
        Self { since: Instant::now(), at: Arc::new(AtomicU64::new(u64::MAX)) }
    }

    /// Takes note of an answer.
    pub(crate) fn note(&self) {
        self.at.store(self.now(), Relaxed);
    }

    pub(super) fn is_recent(&self) -> bool {
        let age = self.now().checked_sub(self.at.load(Relaxed));
        age.is_some_and(|age| Duration::from_millis(age) < RECENT)
    }

    fn now(&self) -> u64 {
        u64::try_from(self.since.elapsed().as_millis()).unwrap_or(u64::MAX - 1)
    }
}

#[cfg(test)]
mod tests {
    use super::{LastAnswer, RECENT};

    #[tokio::test(start_paused = true)]
    async fn an_answer_is_recent_for_a_moment() {
        let last = LastAnswer::none();
        assert!(!last.is_recent());
        last.clone().note();
        assert!(last.is_recent());
        tokio::time::advance(RECENT).await;
        assert!(!last.is_recent());
    }
}
