//! Saying the same less and less often: when a warning whose cause lasts is logged again.

use std::time::Duration;

/// The time from the first line to the second one. It doubles with each line.
const FIRST_WAIT: Duration = Duration::from_mins(1);
/// The longest time between two lines.
const LONGEST_WAIT: Duration = Duration::from_hours(1);
/// A cause that did not occur for this time is a new one when it occurs again.
const FORGOTTEN_AFTER: Duration = Duration::from_mins(10);

/// A cause that occurs again and again. Times are those of a monotonic clock, counted from any moment.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Repetition {
    last_line: Option<Line>,
    occurred_at: Duration,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Line {
    at: Duration,
    /// How long none follows it.
    wait: Duration,
}

impl Repetition {
    /// The cause occurs. Returns whether it is logged this time.
    pub fn occurs(&mut self, now: Duration) -> bool {
        let is_forgotten = now.saturating_sub(self.occurred_at) >= FORGOTTEN_AFTER;
        self.occurred_at = now;
        let wait = match self.last_line.filter(|_| !is_forgotten) {
            None => FIRST_WAIT,
            Some(last) if now.saturating_sub(last.at) < last.wait => return false,
            Some(last) => last.wait.saturating_mul(2).min(LONGEST_WAIT),
        };
        self.last_line = Some(Line { at: now, wait });
        true
    }

    /// When it occurred last.
    pub fn occurred_at(&self) -> Duration {
        self.occurred_at
    }
}

#[cfg(test)]
mod tests {
    use super::Repetition;
    use std::time::Duration;

    /// The seconds at which a cause is logged that occurs in each of these seconds.
    fn logged(repetition: &mut Repetition, seconds: std::ops::Range<u64>) -> Vec<u64> {
        seconds.filter(|second| repetition.occurs(Duration::from_secs(*second))).collect()
    }

    #[test]
    fn a_lasting_cause_is_logged_once_and_then_less_and_less_often() {
        let lines = logged(&mut Repetition::default(), 5..20_000);
        assert_eq!(lines, [5, 65, 185, 425, 905, 1865, 3785, 7385, 10_985, 14_585, 18_185]);
    }

    #[test]
    fn a_cause_that_was_away_for_long_is_a_new_one() {
        let mut repetition = Repetition::default();
        assert_eq!(logged(&mut repetition, 0..300), [0, 60, 180]);
        assert_eq!(logged(&mut repetition, 1500..1600), [1500, 1560]);
    }

    #[test]
    fn it_is_known_when_a_cause_occurred_last_whether_it_was_logged_or_not() {
        let mut repetition = Repetition::default();
        for second in [7, 8] {
            repetition.occurs(Duration::from_secs(second));
            assert_eq!(repetition.occurred_at(), Duration::from_secs(second));
        }
    }
}
