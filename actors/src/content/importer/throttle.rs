//! Adapts the speed of an import to the read load: full speed without readers, small pages and pauses with
//! readers.
//!
//! A page is written in one transaction, and concurrent readers wait longer for their share of the processors
//! and of PostgreSQL. So pages become small while there are readers, and a pause follows each: the longer the
//! page took and the more was read, the longer the pause. Also no story is prepared while others are written,
//! because an import that keeps two processors busy would leave none to readers on a small machine.

use std::{
    sync::atomic::{AtomicUsize, Ordering::Relaxed},
    time::Duration,
};
use tokio::sync::{Mutex, MutexGuard};

/// The maximum number of records of a page. Larger pages cost less per record, but other writes of the space
/// wait for each page.
pub(super) const MAX_PAGE: usize = 250;
/// The minimum number of records of a page, unless the maximum is below it. Each page costs a transaction and
/// an audit entry.
const MIN_PAGE: usize = 10;
/// Fewer concurrent reads than this, on average, count as none.
const IDLE_READS: f64 = 0.02;
/// The pause after a page, as a multiple of the time it took, with one concurrent read on average.
const PAUSE_FACTOR: f64 = 4.0;
/// The longest pause.
const MAX_PAUSE: Duration = Duration::from_secs(1);

/// The page size of an import, shared by the prefetching task and the worker.
#[derive(Debug)]
pub(super) struct Throttle {
    /// The maximum number of records of a page.
    max_page: usize,
    page_size: AtomicUsize,
    exclusive: Mutex<()>,
}

impl Throttle {
    /// A throttle for pages of at most `max_page` records. The first pages are smaller, because nothing is
    /// known about readers yet.
    pub(super) fn new(max_page: usize) -> Self {
        Self { max_page, page_size: AtomicUsize::new((max_page / 5).max(1)), exclusive: Mutex::default() }
    }

    /// The maximum number of records of the next page.
    pub(super) fn page_size(&self) -> usize {
        self.page_size.load(Relaxed)
    }

    /// Waits until no other task of this import works, if there are readers. The guard may be held for short
    /// work only, never for network requests.
    pub(super) async fn acquire(&self) -> Option<MutexGuard<'_, ()>> {
        if self.page_size() < self.max_page { Some(self.exclusive.lock().await) } else { None }
    }

    /// Adjusts the page size after a page that took this long, with this many concurrent reads on average.
    /// Returns the pause that is due.
    pub(super) fn adjust(&self, elapsed: Duration, reads: f64) -> Duration {
        if reads < IDLE_READS {
            self.page_size.store((self.page_size() * 2).min(self.max_page), Relaxed);
            return Duration::ZERO;
        }
        self.slow_down();
        elapsed.mul_f64(PAUSE_FACTOR * reads.min(1.0)).min(MAX_PAUSE)
    }

    /// Halves the page size, for example after a page that could not be written in time.
    pub(super) fn slow_down(&self) {
        self.page_size.store((self.page_size() / 2).max(MIN_PAGE.min(self.max_page)), Relaxed);
    }
}

#[cfg(test)]
mod tests {
    use super::{MAX_PAGE, MAX_PAUSE, MIN_PAGE, Throttle};
    use futures_util::FutureExt;
    use std::time::Duration;

    const ELAPSED: Duration = Duration::from_millis(40);

    #[test]
    fn pages_grow_without_pauses_while_there_are_no_readers() {
        let throttle = Throttle::new(MAX_PAGE);
        for _ in 0..5 {
            assert_eq!(throttle.adjust(ELAPSED, 0.001), Duration::ZERO);
        }
        assert_eq!(throttle.page_size(), MAX_PAGE);
    }

    #[test]
    fn a_maximum_below_the_minimum_counts() {
        let throttle = Throttle::new(1);
        throttle.adjust(ELAPSED, 8.0);
        assert_eq!(throttle.page_size(), 1);
        throttle.adjust(ELAPSED, 0.0);
        assert_eq!(throttle.page_size(), 1);
    }

    #[tokio::test]
    async fn tasks_exclude_each_other_only_while_there_are_readers() {
        let throttle = Throttle::new(MAX_PAGE);
        let guard = throttle.acquire().await;
        assert!(guard.is_some() && throttle.acquire().now_or_never().is_none());
        drop(guard);
        for _ in 0..5 {
            throttle.adjust(ELAPSED, 0.0);
        }
        assert!(throttle.acquire().now_or_never().is_some_and(|guard| guard.is_none()));
    }

    #[test]
    fn more_readers_mean_longer_pauses_and_smaller_pages() {
        let throttle = Throttle::new(MAX_PAGE);
        let pauses = [0.1, 0.5, 1.0, 8.0].map(|reads| throttle.adjust(ELAPSED, reads).as_millis());
        assert_eq!(pauses, [16, 80, 160, 160]);
        assert_eq!(throttle.page_size(), MIN_PAGE);
        assert_eq!(throttle.adjust(Duration::from_secs(10), 1.0), MAX_PAUSE);
        throttle.adjust(ELAPSED, 0.0);
        assert_eq!(throttle.page_size(), 2 * MIN_PAGE);
    }
}
