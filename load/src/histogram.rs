//! A histogram of latencies: `hdrhistogram` with three significant digits, in microseconds, and durations at
//! its edge.

use std::time::Duration;

/// Longer latencies are counted as this: an hour.
const LONGEST: u64 = 3_600_000_000;
/// Significant digits of a latency.
const DIGITS: u8 = 3;

/// A histogram of latencies. It grows with the longest of them, to half a megabyte at most.
#[derive(Debug, Clone)]
pub(crate) struct Histogram(hdrhistogram::Histogram<u64>);

impl Default for Histogram {
    #[expect(clippy::expect_used, reason = "up to five digits are allowed")]
    fn default() -> Self {
        Self(hdrhistogram::Histogram::new(DIGITS).expect("three digits are allowed"))
    }
}

impl Histogram {
    /// Counts a latency.
    pub(crate) fn record(&mut self, took: Duration) {
        let micros = u64::try_from(took.as_micros()).unwrap_or(LONGEST).min(LONGEST);
        // The range grows with the value, up to the longest.
        let _ = self.0.record(micros);
    }

    /// Adds the counts of another histogram.
    pub(crate) fn merge(&mut self, other: &Self) {
        // Both grow by themselves, so that each value of the one has a place in the other.
        let _ = self.0.add(&other.0);
    }

    /// The number of latencies.
    pub(crate) fn count(&self) -> u64 {
        self.0.len()
    }

    /// The longest latency.
    pub(crate) fn max(&self) -> Duration {
        Duration::from_micros(self.0.max())
    }

    /// The latency that this many in a hundred do not exceed. Zero when the histogram is empty.
    pub(crate) fn percentile(&self, percent: f64) -> Duration {
        Duration::from_micros(self.0.value_at_quantile(percent / 100.0).min(self.0.max()))
    }
}

#[cfg(test)]
mod tests {
    use super::{Histogram, LONGEST};
    use std::time::Duration;

    fn of(micros: impl IntoIterator<Item = u64>) -> Histogram {
        let mut histogram = Histogram::default();
        micros.into_iter().for_each(|micro| histogram.record(Duration::from_micros(micro)));
        histogram
    }

    #[test]
    fn quantiles_of_a_thousand_different_values_are_near_their_ranks() {
        let histogram = of((1..=1_000).map(|value| value * 10));
        for (percent, exact) in [(50.0, 5_000), (90.0, 9_000), (99.0, 9_900), (100.0, 10_000)] {
            let found = u64::try_from(histogram.percentile(percent).as_micros()).unwrap();
            assert!((exact..=exact + exact / 500).contains(&found), "{percent}: {found}");
        }
        assert!(histogram.max().as_micros().abs_diff(10_000) <= 10);
    }

    #[test]
    fn small_sets_answer_with_their_own_values() {
        assert_eq!(of([]).percentile(50.0), Duration::ZERO);
        assert_eq!(of([7]).percentile(99.0), Duration::from_micros(7));
        assert_eq!(of([1, 2, 3, 50]).percentile(50.0), Duration::from_micros(2));
        assert_eq!(of([1, 2, 3, 50]).percentile(99.0), Duration::from_micros(50));
    }

    #[test]
    fn merging_counts_both_also_where_one_has_seen_longer_ones() {
        let mut both = of([1, 2]);
        both.merge(&of([3, 60]));
        assert_eq!((both.count(), both.max()), (4, Duration::from_micros(60)));
        assert_eq!(both.percentile(75.0), Duration::from_micros(3));
        both.merge(&of([1_000_000]));
        assert_eq!(both.count(), 5);
        assert!(both.max() >= Duration::from_secs(1));
    }

    #[test]
    fn what_takes_for_ever_is_counted_as_an_hour() {
        let longest = of([u64::MAX]).max();
        assert!(longest.as_micros().abs_diff(LONGEST.into()) < 4_000_000, "{longest:?}");
    }
}
