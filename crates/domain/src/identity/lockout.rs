//! How long a target is locked after attempts at its password or code that failed.

mod counter;

pub use counter::{ABANDONED_AFTER, Admission, Counter, DAY};

use std::time::Duration;

/// The rules. The first failures cost nothing; then every further one costs a wait, and each wait is twice as
/// long as the one before.
///
/// As many attempts may be checked at once as may still fail before the next wait; after a first wait, one at
/// a time.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Rules {
    /// How many failures within the window lead to the first wait; at least 2.
    pub failures: u32,
    pub window: Duration,
    /// The first wait.
    pub wait: Duration,
    pub max_wait: Duration,
    /// How long after the last failure everything is forgotten.
    pub forget_after: Duration,
    /// How many failures a day there may be, whatever the waits.
    pub per_day: u32,
}

impl Rules {
    /// How long an address or account is locked by one more failure, after so many `waits` before: each is
    /// twice as long as the one before it.
    pub fn lock_duration(&self, waits: u32) -> Duration {
        self.wait.saturating_mul(2_u32.saturating_pow(waits)).min(self.max_wait)
    }

    /// The same by the hour: that many failures within an hour are followed by an hour without a guess, and
    /// then by as many again. Those of the day still count.
    #[must_use]
    pub fn by_the_hour(self) -> Self {
        let hour = Duration::from_hours(1);
        Self { window: hour, wait: hour, max_wait: hour, forget_after: hour, ..self }
    }
}

impl Default for Rules {
    fn default() -> Self {
        Self {
            failures: 5,
            window: Duration::from_mins(15),
            wait: Duration::from_mins(1),
            max_wait: Duration::from_mins(15),
            forget_after: Duration::from_hours(12),
            per_day: 100,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Rules;
    use std::time::Duration;

    #[test]
    fn rules_by_the_hour_wait_and_forget_after_an_hour_and_keep_the_numbers() {
        let rules = Rules { failures: 7, per_day: 40, ..Rules::default() }.by_the_hour();
        let hour = Duration::from_hours(1);
        assert_eq!(rules, Rules { failures: 7, window: hour, wait: hour, max_wait: hour, forget_after: hour, per_day: 40 });
    }
}
