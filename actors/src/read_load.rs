//! How much is read just now: long work that can wait goes slower while requests wait for the database.

use std::{
    sync::{
        Arc,
        atomic::{AtomicU64, Ordering::Relaxed},
    },
    time::Duration,
};
use tokio::time::Instant;

/// Measures the reads of one process that ask the database. Cheap to clone; clones share the measurement.
#[derive(Clone, Default)]
pub struct ReadLoad {
    /// The time that all reads took together, in nanoseconds.
    busy_nanos: Arc<AtomicU64>,
}

impl ReadLoad {
    /// Measures a read until the guard is dropped.
    pub fn enter(&self) -> ReadGuard {
        ReadGuard { load: self.clone(), since: Instant::now() }
    }

    /// The time that all reads took together so far. Its growth in a second, in seconds, is how many were
    /// under way on average.
    pub fn busy_time(&self) -> Duration {
        Duration::from_nanos(self.busy_nanos.load(Relaxed))
    }
}

/// A read that is under way.
#[must_use = "the read is over when this is dropped"]
pub struct ReadGuard {
    load: ReadLoad,
    since: Instant,
}

impl Drop for ReadGuard {
    fn drop(&mut self) {
        let nanos = u64::try_from(self.since.elapsed().as_nanos()).unwrap_or(u64::MAX);
        self.load.busy_nanos.fetch_add(nanos, Relaxed);
    }
}

#[cfg(test)]
mod tests {
    use super::ReadLoad;
    use std::time::Duration;

    #[tokio::test(start_paused = true)]
    async fn reads_that_overlap_count_each() {
        let load = ReadLoad::default();
        let (one, other) = (load.enter(), load.clone().enter());
        tokio::time::advance(Duration::from_millis(3)).await;
        assert_eq!(load.busy_time(), Duration::ZERO);
        drop((one, other));
        assert_eq!(load.busy_time(), Duration::from_millis(6));
    }
}
