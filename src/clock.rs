//! The only reader of the wall clock.

use domain::shared::Clock;
use jiff::{Timestamp, Unit};

/// The machine's clock, to the microsecond: PostgreSQL keeps no more, and an answer must show the times that
/// its rows have.
#[derive(Debug, Clone, Copy, Default)]
pub struct SystemClock;

impl Clock for SystemClock {
    #[expect(clippy::disallowed_methods, reason = "the one place that reads the wall clock; everything else is handed it")]
    fn now(&self) -> Timestamp {
        let now = Timestamp::now();
        now.round(Unit::Microsecond).unwrap_or(now)
    }
}
