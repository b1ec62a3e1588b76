//! The least pace at which a client has to take responses. Only time in which bytes wait for the client
//! counts: a response that the server makes slowly, such as a stream of events, may last as long as it likes.

use crate::accept::Limits;
use std::time::Duration;
use tokio::time::Instant;

/// How much longer a client may be slower than the least pace. Each byte that it takes gives it time, up to a
/// bound.
#[derive(Debug, Clone, Copy)]
pub(super) struct TransferBudget {
    left: Duration,
}

impl TransferBudget {
    pub(super) fn new(limits: &Limits) -> Self {
        Self { left: limits.slack }
    }

    /// How long the client may go on without taking a byte.
    pub(super) fn left(self) -> Duration {
        self.left
    }

    /// Notes that the client took bytes after it let them wait.
    pub(super) fn took(&mut self, bytes: usize, waited: Duration, limits: &Limits) {
        let micros = u64::try_from(bytes).unwrap_or(u64::MAX).saturating_mul(1_000_000) / u64::from(limits.pace.max(1));
        self.left = (self.left.saturating_sub(waited) + Duration::from_micros(micros)).min(limits.slack);
    }
}

/// The time of a connection in which it was not blocked: while its client reads nothing at all, that is no
/// fault of one stream.
#[derive(Debug)]
pub(super) struct UnblockedTime {
    /// When the connection began, moved on by the time that it was blocked.
    began: Instant,
}

impl UnblockedTime {
    pub(super) fn new(began: Instant) -> Self {
        Self { began }
    }

    /// The time that has passed; it stands still since the connection was blocked.
    pub(super) fn at(&self, now: Instant, blocked_since: Option<Instant>) -> Duration {
        blocked_since.unwrap_or(now).saturating_duration_since(self.began)
    }

    /// When a time is reached, if the connection is not blocked before.
    pub(super) fn instant(&self, time: Duration) -> Instant {
        self.began + time
    }

    /// Leaves out a time in which the connection was blocked.
    pub(super) fn add_blocked(&mut self, blocked: Duration) {
        self.began += blocked;
    }
}

#[cfg(test)]
mod tests {
    use super::{Limits, TransferBudget};
    use std::time::Duration;

    const SECOND: Duration = Duration::from_secs(1);

    #[test]
    fn bytes_give_time_up_to_a_bound() {
        let limits = Limits::default();
        let a_second = usize::try_from(limits.pace).unwrap();
        let mut pace = TransferBudget::new(&limits);
        pace.took(100 * a_second, Duration::ZERO, &limits);
        assert_eq!(pace.left(), limits.slack);
        pace.took(a_second, 10 * SECOND, &limits);
        assert_eq!(Some(pace.left()), limits.slack.checked_sub(9 * SECOND));
        for _ in 0..100 {
            pace.took(a_second, SECOND, &limits);
        }
        assert_eq!(Some(pace.left()), limits.slack.checked_sub(9 * SECOND), "the least pace suffices for as long as it takes");
        pace.took(0, limits.slack, &limits);
        assert_eq!(pace.left(), Duration::ZERO);
    }
}
