//! Backoff: longer waits after each failure, spread so that processes do not retry at the same moment.

use std::time::Duration;

/// The wait before the next try: `first`, then twice as long each time, up to `cap`; each wait is spread by
/// `jitter` per cent.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Backoff {
    /// The wait after the first failure.
    pub first: Duration,
    /// The longest wait, before the spread.
    pub cap: Duration,
    /// How far a wait is spread, in per cent to either side, at most 100.
    pub jitter: u32,
}

impl Backoff {
    /// The wait after this number of failures in a row. The seed decides where in the spread it falls: 0 is
    /// the short end, the largest number the long one.
    pub fn after(&self, failures: u32, jitter_seed: u32) -> Duration {
        let doublings = failures.saturating_sub(1).min(31);
        let wait = self.first.saturating_mul(1 << doublings).min(self.cap);
        spread(wait, self.jitter, jitter_seed)
    }
}

/// A duration spread by `percent` to either side. Periodic work uses it, so that processes that were started
/// together drift apart.
pub fn spread(base: Duration, percent: u32, jitter_seed: u32) -> Duration {
    let percent = u128::from(percent.min(100));
    let nanos = base.as_nanos();
    let lowest = nanos * (100 - percent) / 100;
    let width = nanos * 2 * percent / 100;
    let nanos = lowest + width * u128::from(jitter_seed) / u128::from(u32::MAX);
    Duration::from_nanos(u64::try_from(nanos).unwrap_or(u64::MAX))
}

#[cfg(test)]
mod tests {
    use super::{Backoff, spread};
    use proptest::prelude::*;
    use std::time::Duration;

    const SECOND: Duration = Duration::from_secs(1);
    const MIDDLE: u32 = u32::MAX / 2;

    #[test]
    fn waits_double_up_to_the_cap() {
        let backoff = Backoff { first: SECOND, cap: 60 * SECOND, jitter: 0 };
        for (failures, seconds) in
            [(0, 1), (1, 1), (2, 2), (3, 4), (4, 8), (5, 16), (6, 32), (7, 60), (8, 60), (33, 60), (u32::MAX, 60)]
        {
            assert_eq!(backoff.after(failures, MIDDLE), seconds * SECOND, "after {failures} failures");
        }
    }

    #[test]
    fn the_seed_decides_where_in_the_spread_a_wait_falls() {
        let backoff = Backoff { first: 10 * SECOND, cap: 60 * SECOND, jitter: 20 };
        for (seed, millis) in [(0, 8_000), (MIDDLE, 9_999), (u32::MAX, 12_000)] {
            assert_eq!(backoff.after(1, seed).as_millis(), millis, "seed {seed}");
        }
    }

    proptest! {
        #[test]
        fn a_spread_stays_within_its_bounds(millis in 0_u64..10_000_000, percent in 0_u32..=200, seed: u32) {
            let base = Duration::from_millis(millis);
            let wait = spread(base, percent, seed);
            let off = base * percent.min(100) / 100;
            prop_assert!(wait + Duration::from_micros(1) >= base.saturating_sub(off));
            prop_assert!(wait <= base + off + Duration::from_micros(1));
        }
    }
}
