//! When a delivery that failed is due again.

use super::ATTEMPTS;
use crate::shared::backoff::spread;
use std::{str::FromStr, time::Duration};

/// How far a wait is spread, in per cent to either side.
const JITTER: u32 = 20;
/// The longest that a receiver's `Retry-After` is honoured.
const LONGEST_HINT: Duration = Duration::from_hours(1);
/// The longest wait that may be configured.
const LONGEST_STEP: Duration = Duration::from_hours(24);

/// The waits after the first, second, third and fourth failure. There is none after the fifth.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RetrySchedule {
    steps: [Duration; ATTEMPTS as usize - 1],
}

impl Default for RetrySchedule {
    fn default() -> Self {
        Self { steps: [Duration::from_secs(10), Duration::from_mins(1), Duration::from_mins(5), Duration::from_mins(30)] }
    }
}

impl RetrySchedule {
    /// The wait after this number of failures: the step, spread by jitter, or longer if the receiver asks for
    /// it. `None`: no further attempt.
    pub fn after(&self, failures: u32, hint: Option<Duration>, roll: u32) -> Option<Duration> {
        let step = self.steps.get(usize::try_from(failures.checked_sub(1)?).ok()?)?;
        let wait = spread(*step, JITTER, roll);
        Some(hint.map_or(wait, |hint| wait.max(hint.min(LONGEST_HINT))))
    }

    /// No delivery waits longer for its next attempt.
    pub fn longest_wait(&self) -> Duration {
        let step = self.steps.into_iter().max().unwrap_or_default();
        spread(step, JITTER, u32::MAX).max(LONGEST_HINT)
    }
}

impl FromStr for RetrySchedule {
    type Err = String;

    /// Reads `10s,1m,5m,30m`: four waits, in `ms`, `s`, `m` or `h`. The error says what the text is not.
    fn from_str(text: &str) -> Result<Self, String> {
        let wrong = || "is no list of four waits such as 10s,1m,5m,30m".to_owned();
        let steps = text.split(',').map(|part| duration(part.trim()).ok_or_else(wrong)).collect::<Result<Vec<_>, _>>()?;
        Ok(Self { steps: steps.try_into().map_err(|_| wrong())? })
    }
}

fn duration(text: &str) -> Option<Duration> {
    let (number, unit) = text.split_at_checked(text.find(|c: char| !c.is_ascii_digit())?)?;
    let number: u64 = number.parse().ok()?;
    let millis = match unit {
        "ms" => 1,
        "s" => 1_000,
        "m" => 60_000,
        "h" => 3_600_000,
        _ => return None,
    };
    let wait = Duration::from_millis(number.checked_mul(millis)?);
    (!wait.is_zero() && wait <= LONGEST_STEP).then_some(wait)
}

#[cfg(test)]
mod tests {
    use super::RetrySchedule;
    use std::time::Duration;

    const MIDDLE: u32 = u32::MAX / 2 + 1;

    #[test]
    fn there_are_four_waits_and_a_receiver_can_ask_for_longer_ones() {
        let schedule = RetrySchedule::default();
        for (failures, hint, seconds) in [
            (0, None, None),
            (1, None, Some(10)),
            (2, None, Some(60)),
            (3, None, Some(300)),
            (4, None, Some(1800)),
            (5, None, None),
            (1, Some(5), Some(10)),
            (1, Some(30), Some(30)),
            (1, Some(100_000), Some(3600)),
            (5, Some(1), None),
            (u32::MAX, None, None),
        ] {
            let wait = schedule.after(failures, hint.map(Duration::from_secs), MIDDLE);
            assert_eq!(wait.map(|wait| wait.as_secs()), seconds, "after {failures} failures, {hint:?} asked");
        }
    }

    #[test]
    fn a_wait_is_spread_by_a_fifth() {
        let at = |roll| RetrySchedule::default().after(1, None, roll).unwrap().as_millis();
        assert_eq!((at(0), at(u32::MAX)), (8_000, 12_000));
    }

    #[test]
    fn the_longest_wait_is_the_longest_step_or_hint() {
        assert_eq!(RetrySchedule::default().longest_wait(), Duration::from_hours(1));
        let slow: RetrySchedule = "10s,10h,5m,30m".parse().unwrap();
        assert_eq!(slow.longest_wait(), Duration::from_hours(12));
    }

    #[test]
    fn schedules_are_read_strictly() {
        assert_eq!("10s,1m,5m,30m".parse(), Ok(RetrySchedule::default()));
        assert_eq!(" 10000ms , 60s,5m,30m".parse(), Ok(RetrySchedule::default()));
        for text in [
            "",
            "10s",
            "10s,1m,5m",
            "10s,1m,5m,30m,1h",
            "10,1m,5m,30m",
            "0s,1m,5m,30m",
            "1d,1m,5m,30m",
            "25h,1m,5m,30m",
            "-1s,1m,5m,30m",
        ] {
            assert!(text.parse::<RetrySchedule>().is_err(), "{text}");
        }
    }
}
