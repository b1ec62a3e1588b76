//! When a supervisor starts a child again, and when it gives up.

use domain::shared::Backoff;
use std::{collections::VecDeque, time::Duration};
use tokio::time::Instant;

/// How a supervisor treats children that fail.
#[derive(Debug, Clone, Copy)]
pub struct Policy {
    /// The wait before a restart, by the child's failures in a row.
    pub backoff: Backoff,
    /// When a child has run for this time, its earlier failures no longer count.
    pub reset_after: Duration,
    /// A child that does not answer `Observe` for this time counts as frozen: it is killed, which is a
    /// failure like any other. It must be longer than any one message may take.
    pub frozen_after: Duration,
    /// How many restarts the supervisor makes before it fails itself. `None`: it never fails, which is right
    /// where the children are tenants and one tenant's failures must not end the others.
    pub budget: Option<Budget>,
}

/// How many restarts are allowed within a window.
#[derive(Debug, Clone, Copy)]
pub struct Budget {
    /// The number of restarts.
    pub restarts: usize,
    /// The time within which they are counted.
    pub within: Duration,
}

impl Budget {
    /// Enters a restart into the record, and returns whether the budget allows it.
    pub fn allows(&self, record: &mut VecDeque<Instant>, now: Instant) -> bool {
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
        for (second, allowed) in [(0, true), (1, true), (2, false), (11, false), (12, false), (30, true), (31, true)] {
            assert_eq!(budget.allows(&mut record, start + Duration::from_secs(second)), allowed, "at {second} s");
        }
        assert!(record.len() <= 3, "the record stays as small as the window");
    }
}
