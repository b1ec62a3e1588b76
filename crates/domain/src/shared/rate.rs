//! Rate limits by the generic cell rate algorithm (ITU-T I.371). All that is kept of a caller is one number:
//! the time at which its bucket is full again.

use std::{str::FromStr, time::Duration};

/// How many requests are allowed in a period; as many may come at once.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Rate {
    count: u32,
    interval: u64,
}

impl Rate {
    /// `count` (at least 1) in each `period`.
    pub fn new(count: u32, period: Duration) -> Self {
        let count = count.max(1);
        Self { count, interval: u64::try_from(period.as_nanos()).unwrap_or(u64::MAX) / u64::from(count) }
    }

    /// How many may come at once.
    pub fn count(self) -> u32 {
        self.count
    }

    /// The time in which one more is allowed.
    pub fn interval(self) -> Duration {
        Duration::from_nanos(self.interval)
    }

    /// Takes one request at `now` from a bucket that is full again at `full_at`; times are nanoseconds of one
    /// clock.
    ///
    /// Returns the new `full_at`, or how long to wait.
    pub fn take(self, full_at: Option<i64>, now: i64) -> Result<i64, Duration> {
        let capacity = i64::try_from(self.interval.saturating_mul(self.count.into())).unwrap_or(i64::MAX);
        let interval = i64::try_from(self.interval).unwrap_or(i64::MAX);
        // No bucket takes longer than a whole period to be full: what is ahead of that is from before the
        // clock was set back. By more than another period it counts for nothing, so that no caller is locked
        // out for as long as a clock was ahead; by less it is an empty bucket, so that no small adjustment of
        // the clock fills one.
        let latest = now.saturating_add(capacity);
        let full_at = full_at.filter(|at| *at <= latest.saturating_add(capacity)).unwrap_or(now).clamp(now, latest);
        let next = full_at.saturating_add(interval);
        let over = next.saturating_sub(now).saturating_sub(capacity);
        if over > 0 { Err(Duration::from_nanos(over.unsigned_abs())) } else { Ok(next) }
    }
}

impl FromStr for Rate {
    type Err = String;

    /// Reads `20/min`, `10/h`, `100/d`, `5/s`, `1000/15min`. The error says what the text is not.
    fn from_str(text: &str) -> Result<Self, String> {
        let wrong = || "is no rate such as 20/min, 10/h or 1000/15min".to_owned();
        let (count, period) = text.trim().split_once('/').ok_or_else(wrong)?;
        let unit_at = period.find(|c: char| !c.is_ascii_digit()).ok_or_else(wrong)?;
        let (number, unit) = period.split_at_checked(unit_at).ok_or_else(wrong)?;
        let number: u32 = if number.is_empty() { 1 } else { number.parse().map_err(|_| wrong())? };
        let unit = match unit {
            "s" => Duration::from_secs(1),
            "min" => Duration::from_mins(1),
            "h" => Duration::from_hours(1),
            "d" => Duration::from_hours(24),
            _ => return Err(wrong()),
        };
        let count: u32 = count.parse().map_err(|_| wrong())?;
        if count == 0 || number == 0 {
            return Err(wrong());
        }
        Ok(Self::new(count, unit.saturating_mul(number)))
    }
}

#[cfg(test)]
mod tests {
    use super::Rate;
    use proptest::prelude::*;
    use std::time::Duration;

    #[test]
    fn a_burst_is_allowed_and_then_one_each_interval() {
        let rate: Rate = "3/min".parse().unwrap();
        let mut full_at = None;
        for _ in 0..3 {
            full_at = Some(rate.take(full_at, 0).unwrap());
        }
        assert_eq!(rate.take(full_at, 0), Err(Duration::from_secs(20)));
        assert!(rate.take(full_at, 19_999_999_999).is_err());
        assert!(rate.take(full_at, 20_000_000_000).is_ok());
    }

    #[test]
    fn a_clock_that_was_set_back_costs_a_period_at_most_and_fills_no_bucket_when_it_was_adjusted_a_little() {
        let rate = Rate::new(2, Duration::from_mins(1));
        let interval = 30_000_000_000;
        assert_eq!(rate.take(Some(2 * interval), 0), Err(Duration::from_secs(30)), "an empty bucket");
        assert_eq!(rate.take(Some(2 * interval + 1), 0), Err(Duration::from_secs(30)), "the clock was adjusted a little");
        assert_eq!(rate.take(Some(4 * interval), 0), Err(Duration::from_secs(30)));
        assert_eq!(rate.take(Some(4 * interval + 1), 0), Ok(interval), "a period ahead of an empty bucket");
        assert_eq!(rate.take(Some(i64::MAX), 0), Ok(interval));
    }

    #[test]
    fn rates_are_read_strictly() {
        assert_eq!("20/min".parse(), Ok(Rate::new(20, Duration::from_mins(1))));
        assert_eq!(" 1000/15min".parse(), Ok(Rate::new(1000, Duration::from_mins(15))));
        for text in
            ["", "20", "20/", "/min", "0/min", "20/0min", "-1/min", "20/week", "20/15", "x/min", "20/min/h", "99999999999/s"]
        {
            assert!(text.parse::<Rate>().is_err(), "{text}");
        }
    }

    proptest! {
        /// For any pattern of arrivals.
        #[test]
        fn never_more_than_the_burst_and_one_each_interval(
            count in 1_u32..50,
            seconds in 1_u64..100,
            gaps in prop::collection::vec(0_i64..3_000_000_000, 1..200),
        ) {
            let rate = Rate::new(count, Duration::from_secs(seconds));
            let interval = i64::try_from(seconds * 1_000_000_000 / u64::from(count)).unwrap();
            let (mut now, mut full_at, mut passed) = (0_i64, None, 0_i64);
            for gap in gaps {
                now += gap;
                match rate.take(full_at, now) {
                    Ok(next) => {
                        full_at = Some(next);
                        passed += 1;
                        prop_assert!(passed <= i64::from(count) + now / interval);
                    }
                    Err(wait) => {
                        // The wait is exact: not refused after it, refused just before it.
                        let at = now + i64::try_from(wait.as_nanos()).unwrap();
                        prop_assert!(rate.take(full_at, at).is_ok() && rate.take(full_at, at - 1).is_err());
                    }
                }
            }
        }
    }

    #[test]
    fn a_rate_is_a_count_for_a_period() {
        for (text, count, interval) in [
            ("5/s", 5, Duration::from_millis(200)),
            ("20/min", 20, Duration::from_secs(3)),
            ("10/h", 10, Duration::from_mins(6)),
            ("24/d", 24, Duration::from_hours(1)),
            ("30/15min", 30, Duration::from_secs(30)),
        ] {
            let rate: Rate = text.parse().unwrap();
            assert_eq!((rate.count(), rate.interval()), (count, interval), "{text}");
        }
    }
}
