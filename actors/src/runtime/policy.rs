//! When a supervisor starts a child again, and when it gives up.

use domain::shared::Backoff;
use std::{collections::VecDeque, time::Duration};
use tokio::time::Instant;

/// How a supervisor treats children that end unasked.
#[derive(Debug, Clone, Copy)]
pub struct Policy {
    /// The wait before a restart, by the child's failures in a row.
    pub backoff: Backoff,
    /// A child that ran for so long starts with a clean sheet.
    pub forgiven_after: Duration,
    /// How many restarts the supervisor stands before it fails itself. `None`: it never does, which is right where the children
    /// are tenants, and one tenant's poison must not end the others.
    pub budget: Option<Budget>,
}

/// So many restarts within a window.
#[derive(Debug, Clone, Copy)]
pub struct Budget {
    /// How many.
    pub restarts: usize,
    /// Within which time.
    pub within: Duration,
}

impl Budget {
    /// Enters a restart at a time into the record, and says whether the budget still covers it.
    pub fn covers(&self, record: &mut VecDeque<Instant>, now: Instant) -> bool {
        record.push_back(now);
        while record.front().is_some_and(|at| now.duration_since(*at) > self.within) {
            record.pop_front();
        }
        record.len() <= self.restarts
    }
}

#[cfg(test)]
mod tests {
    use super::Budget;
    use std::{collections::VecDeque, time::Duration};
    use tokio::time::Instant;

    #[test]
    fn only_restarts_within_the_window_count() {
        let budget = Budget { restarts: 2, within: Duration::from_secs(10) };
        let start = Instant::now();
        let mut record = VecDeque::new();
        for (second, covered) in [(0, true), (1, true), (2, false), (11, false), (12, false), (30, true), (31, true)] {
            assert_eq!(budget.covers(&mut record, start + Duration::from_secs(second)), covered, "at {second} s");
        }
        assert!(record.len() <= 3, "the record stays as small as the window");
    }
}
