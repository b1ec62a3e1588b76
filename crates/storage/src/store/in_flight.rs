//! The statements of a connection that wait for their answer.

use super::{DiskAlarm, RoundTrips};
use crate::{Error, Result, connect::LastAnswer};
use std::{
    future::Future,
    sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed},
    time::Duration,
};
use tokio::time::timeout;
use tracing::Instrument;

/// How long an answer may take. PostgreSQL ends a statement after 30 s by itself (`statement_timeout`), so
/// what takes longer than that has no PostgreSQL at the other end.
const DEADLINE: Duration = Duration::from_secs(33);

/// How many statements of one connection were sent and are not answered yet. Counts the round trips of the
/// connection, see [`Store::round_trips`](super::Store::round_trips).
pub(super) struct InFlight {
    count: AtomicU64,
    is_overdue: AtomicBool,
    is_read_only: AtomicBool,
    name: &'static str,
    round_trips: RoundTrips,
    disk_alarm: DiskAlarm,
    last_answer: LastAnswer,
}

impl InFlight {
    pub(super) fn new(name: &'static str, round_trips: RoundTrips, disk_alarm: DiskAlarm, last_answer: LastAnswer) -> Self {
        Self {
            count: AtomicU64::new(0),
            is_overdue: AtomicBool::default(),
            is_read_only: AtomicBool::default(),
            name,
            round_trips,
            disk_alarm,
            last_answer,
        }
    }

    /// Awaits the answer of a statement. A future that is dropped before leaves the statement in flight for
    /// good, and so does one that stops reading because there is too much.
    pub(super) async fn track<T>(&self, answer: impl Future<Output = Result<T>>) -> Result<T> {
        if self.count.fetch_add(1, Relaxed) == 0 {
            self.round_trips.add(self.name);
        }
        let span = tracing::debug_span!("db.statement", otel.name = self.name, otel.kind = "client", db.system.name = "postgresql");
        let Ok(answer) = timeout(DEADLINE, answer.instrument(span)).await else {
            self.is_overdue.store(true, Relaxed);
            return Err(Error::TimedOut);
        };
        self.disk_alarm.observe(&answer);
        if !matches!(answer, Err(Error::Unavailable(_) | Error::TimedOut)) {
            self.last_answer.note();
        }
        if matches!(answer, Err(Error::ReadOnly(_))) {
            self.is_read_only.store(true, Relaxed);
        }
        // The rest of a result that is too large is still on its way.
        if !matches!(answer, Err(Error::TooLarge { .. })) {
            self.count.fetch_sub(1, Relaxed);
        }
        answer
    }

    /// Whether an answer has not come in the time in which PostgreSQL would have given up.
    pub(super) fn is_overdue(&self) -> bool {
        self.is_overdue.load(Relaxed)
    }

    /// Whether a write was refused because the host can only be read.
    pub(super) fn is_read_only(&self) -> bool {
        self.is_read_only.load(Relaxed)
    }

    /// Whether any statement is in flight.
    pub(super) fn is_any(&self) -> bool {
        self.count.load(Relaxed) > 0
    }
}

#[cfg(test)]
mod tests {
    use super::{DEADLINE, DiskAlarm, InFlight, LastAnswer, RoundTrips};
    use crate::Error;
    use std::future::{pending, ready};
    use tokio::time::Instant;

    #[tokio::test(start_paused = true)]
    async fn an_answer_that_never_comes_is_given_up_after_postgresql_would_have_ended_the_statement() {
        let in_flight = InFlight::new("test", RoundTrips::default(), DiskAlarm::default(), LastAnswer::none());
        assert!(in_flight.track(ready(Ok(7))).await.is_ok());
        assert!(!in_flight.is_any() && !in_flight.is_overdue());
        let began = Instant::now();
        let outcome = in_flight.track::<()>(pending()).await;
        assert!(matches!(outcome, Err(Error::TimedOut)), "{outcome:?}");
        assert_eq!(began.elapsed().as_secs(), DEADLINE.as_secs());
        assert!(in_flight.is_any() && in_flight.is_overdue(), "the connection is closed and not used again");
    }
}
