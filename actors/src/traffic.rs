//! How much is read at the moment: long work that can wait goes slower while somebody waits for an answer.

use std::{
    sync::{
        Arc,
        atomic::{AtomicU64, Ordering::Relaxed},
    },
    time::Duration,
};
use tokio::time::Instant;

/// The reads of one process that ask the database. Cheap to clone; clones share the count.
#[derive(Clone, Default)]
pub struct Traffic {
    /// Nanoseconds that reads took, all together.
    taken: Arc<AtomicU64>,
}

impl Traffic {
    /// A read is under way until the answer is dropped.
    pub fn enter(&self) -> Passage {
        Passage { traffic: self.clone(), since: Instant::now() }
    }

    /// How long all reads together took so far. What it grew by in a second, in seconds, is how many were under way on average.
    pub fn taken(&self) -> Duration {
        Duration::from_nanos(self.taken.load(Relaxed))
    }
}

/// A read that is under way.
#[must_use = "the read is over when this is dropped"]
pub struct Passage {
    traffic: Traffic,
    since: Instant,
}

impl Drop for Passage {
    fn drop(&mut self) {
        let nanos = u64::try_from(self.since.elapsed().as_nanos()).unwrap_or(u64::MAX);
        self.traffic.taken.fetch_add(nanos, Relaxed);
    }
}

#[cfg(test)]
mod tests {
    use super::Traffic;
    use std::time::Duration;

    #[tokio::test(start_paused = true)]
    async fn reads_that_overlap_count_each() {
        let traffic = Traffic::default();
        let (one, other) = (traffic.enter(), traffic.clone().enter());
        tokio::time::advance(Duration::from_millis(3)).await;
        assert_eq!(traffic.taken(), Duration::ZERO);
        drop((one, other));
        assert_eq!(traffic.taken(), Duration::from_millis(6));
    }
}
