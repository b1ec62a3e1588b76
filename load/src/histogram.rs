//! A histogram of latencies in bounded memory: the width of a bucket is at most 1/64 of its values.

use std::time::Duration;

/// The number of buckets for each power of two, as bits.
const BITS: u32 = 6;
/// The first bucket that is wider than a microsecond.
const LINEAR: u64 = 1 << BITS;
/// Longer latencies are counted as this: 2^36 microseconds are 19 hours.
const LONGEST: u64 = (1 << 36) - 1;

/// A histogram of latencies.
#[derive(Debug, Clone)]
pub(crate) struct Histogram {
    buckets: Vec<u64>,
    count: u64,
    longest: u64,
}

impl Default for Histogram {
    fn default() -> Self {
        Self { buckets: vec![0; index(LONGEST) + 1], count: 0, longest: 0 }
    }
}

impl Histogram {
    /// Counts a latency.
    pub(crate) fn record(&mut self, took: Duration) {
        let micros = u64::try_from(took.as_micros()).unwrap_or(LONGEST).min(LONGEST);
        if let Some(bucket) = self.buckets.get_mut(index(micros)) {
            *bucket += 1;
        }
        self.count += 1;
        self.longest = self.longest.max(micros);
    }

    /// Adds the counts of another histogram.
    pub(crate) fn merge(&mut self, other: &Self) {
        for (mine, theirs) in self.buckets.iter_mut().zip(&other.buckets) {
            *mine += theirs;
        }
        self.count += other.count;
        self.longest = self.longest.max(other.longest);
    }

    /// The number of latencies.
    pub(crate) fn count(&self) -> u64 {
        self.count
    }

    /// The longest latency.
    pub(crate) fn max(&self) -> Duration {
        Duration::from_micros(self.longest)
    }

    /// The latency that this many in a thousand do not exceed (the upper edge of its bucket). Zero when the histogram is empty.
    pub(crate) fn quantile(&self, permille: u64) -> Duration {
        let rank = u128::from(self.count) * u128::from(permille);
        let rank = rank.div_ceil(1_000).max(1);
        let mut seen = 0_u128;
        for (index, count) in self.buckets.iter().enumerate() {
            seen += u128::from(*count);
            if seen >= rank {
                return Duration::from_micros(upper_edge(index).min(self.longest));
            }
        }
        self.max()
    }
}

/// The bucket of a value: the value itself up to [`LINEAR`], above it 64 buckets for each power of two.
fn index(micros: u64) -> usize {
    let shift = micros.checked_ilog2().unwrap_or_default().saturating_sub(BITS);
    let index = u64::from(shift) * LINEAR + (micros >> shift);
    usize::try_from(index).unwrap_or(usize::MAX)
}

/// The largest value of a bucket.
fn upper_edge(index: usize) -> u64 {
    let index = u64::try_from(index).unwrap_or(u64::MAX);
    if index < LINEAR {
        return index;
    }
    let shift = index / LINEAR - 1;
    let mantissa = index - shift * LINEAR;
    ((mantissa + 1) << shift) - 1
}

#[cfg(test)]
mod tests {
    use super::{Histogram, LONGEST, index, upper_edge};
    use std::time::Duration;

    fn of(micros: impl IntoIterator<Item = u64>) -> Histogram {
        let mut histogram = Histogram::default();
        micros.into_iter().for_each(|micro| histogram.record(Duration::from_micros(micro)));
        histogram
    }

    #[test]
    fn buckets_follow_one_another_without_a_gap() {
        for value in (0..10_000).chain([1 << 20, (1 << 20) + 12_345, LONGEST]) {
            let bucket = index(value);
            assert!(value <= upper_edge(bucket), "{value}");
            assert!(bucket == 0 || value > upper_edge(bucket - 1), "{value}");
            assert!(upper_edge(bucket) - value <= value / 64, "{value}");
        }
    }

    #[test]
    fn quantiles_of_a_thousand_different_values_are_near_their_ranks() {
        let histogram = of((1..=1_000).map(|value| value * 10));
        for (permille, exact) in [(500, 5_000), (900, 9_000), (990, 9_900), (1_000, 10_000)] {
            let found = u64::try_from(histogram.quantile(permille).as_micros()).unwrap();
            assert!((exact..=exact + exact / 64 + 1).contains(&found), "{permille}: {found}");
        }
        assert_eq!(histogram.max(), Duration::from_millis(10));
    }

    #[test]
    fn small_sets_answer_with_their_own_values() {
        assert_eq!(of([]).quantile(500), Duration::ZERO);
        assert_eq!(of([7]).quantile(990), Duration::from_micros(7));
        assert_eq!(of([1, 2, 3, 50]).quantile(500), Duration::from_micros(2));
        assert_eq!(of([1, 2, 3, 50]).quantile(990), Duration::from_micros(50));
    }

    #[test]
    fn merging_counts_both() {
        let mut both = of([1, 2]);
        both.merge(&of([3, 60]));
        assert_eq!((both.count(), both.max()), (4, Duration::from_micros(60)));
        assert_eq!(both.quantile(750), Duration::from_micros(3));
    }

    #[test]
    fn what_takes_for_ever_is_counted_as_very_long() {
        assert_eq!(of([u64::MAX]).max(), Duration::from_micros(LONGEST));
    }
}
