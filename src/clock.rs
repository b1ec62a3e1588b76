//! The only reader of the wall clock.

use domain::shared::Clock;
use jiff::Timestamp;

/// The machine's clock.
#[derive(Debug, Clone, Copy, Default)]
pub struct SystemClock;

impl Clock for SystemClock {
    #[expect(clippy::disallowed_methods, reason = "the one place that reads the wall clock; everything else is handed it")]
    fn now(&self) -> Timestamp {
        Timestamp::now()
    }
}
