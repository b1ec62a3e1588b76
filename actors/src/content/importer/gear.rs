//! How fast an import goes: as fast as it can while nobody reads, and out of the way while somebody does.
//!
//! A page is written in one go, and readers who come meanwhile wait longer for their share of the processors and of PostgreSQL. So pages become
//! small when there are readers, and after each of them comes a pause: the longer, the longer the page took and the more is read. And no story is
//! prepared while others are written: an import that keeps two processors busy leaves none to readers where there are no more.

use std::{
    sync::atomic::{AtomicUsize, Ordering::Relaxed},
    time::Duration,
};
use tokio::sync::{Mutex, MutexGuard};

/// The most records of a page: more of them make the writes cheaper, until other writes of the space wait too long.
const MOST: usize = 250;
/// The fewest: each page costs a transaction and a line of the audit log.
const LEAST: usize = 10;
/// So many reads under way, on average, are nobody.
const QUIET: f64 = 0.02;
/// How much longer than a page took the pause behind it is when somebody always reads.
const PAUSE: f64 = 4.0;
/// The longest pause.
const LONGEST: Duration = Duration::from_secs(1);

/// The size of the pages that are asked for next. Shared by who asks and who writes.
#[derive(Debug)]
pub(super) struct Gear {
    most: AtomicUsize,
    turn: Mutex<()>,
}

impl Default for Gear {
    fn default() -> Self {
        Self { most: AtomicUsize::new(MOST / 5), turn: Mutex::default() }
    }
}

impl Gear {
    /// The most records of the next page.
    pub(super) fn most(&self) -> usize {
        self.most.load(Relaxed)
    }

    /// Waits until nobody else is at work, while there are readers. To be held for short work alone, never for the network.
    pub(super) async fn turn(&self) -> Option<MutexGuard<'_, ()>> {
        if self.most() < MOST { Some(self.turn.lock().await) } else { None }
    }

    /// Shifts after a page that took so long, with so many reads under way on average. Answers how long to pause.
    pub(super) fn shift(&self, took: Duration, reads: f64) -> Duration {
        if reads < QUIET {
            self.most.store((self.most() * 2).min(MOST), Relaxed);
            return Duration::ZERO;
        }
        self.ease();
        took.mul_f64(PAUSE * reads.min(1.0)).min(LONGEST)
    }

    /// Smaller pages from now on: one was too much to be written in time.
    pub(super) fn ease(&self) {
        self.most.store((self.most() / 2).max(LEAST), Relaxed);
    }
}

#[cfg(test)]
mod tests {
    use super::{Gear, LEAST, LONGEST, MOST};
    use futures_util::FutureExt;
    use std::time::Duration;

    const PAGE: Duration = Duration::from_millis(40);

    #[test]
    fn nobody_is_waited_for_while_nobody_reads() {
        let gear = Gear::default();
        for _ in 0..5 {
            assert_eq!(gear.shift(PAGE, 0.001), Duration::ZERO);
        }
        assert_eq!(gear.most(), MOST);
    }

    #[tokio::test]
    async fn one_thing_is_done_at_a_time_while_somebody_reads() {
        let gear = Gear::default();
        let held = gear.turn().await;
        assert!(held.is_some() && gear.turn().now_or_never().is_none());
        drop(held);
        for _ in 0..5 {
            gear.shift(PAGE, 0.0);
        }
        assert!(gear.turn().now_or_never().is_some_and(|n| n.is_none()));
    }

    #[test]
    fn the_more_is_read_the_longer_it_pauses_and_the_smaller_its_pages_are() {
        let gear = Gear::default();
        let pauses = [0.1, 0.5, 1.0, 8.0].map(|reads| gear.shift(PAGE, reads).as_millis());
        assert_eq!(pauses, [16, 80, 160, 160]);
        assert_eq!(gear.most(), LEAST);
        assert_eq!(gear.shift(Duration::from_secs(10), 1.0), LONGEST);
        gear.shift(PAGE, 0.0);
        assert_eq!(gear.most(), 2 * LEAST);
    }
}
