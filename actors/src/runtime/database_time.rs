//! The database's clock, as an actor knows it between two statements.

use jiff::{SignedDuration, Timestamp};
use tokio::time::Instant;

/// How far the clock may go back unnoticed: it is adjusted all the time.
const TOLERANCE: SignedDuration = SignedDuration::from_secs(1);

/// The time of the last reading, carried on by the monotonic clock: what happens to the clock of this machine
/// changes nothing.
#[derive(Debug, Clone, Copy)]
pub struct DatabaseTime {
    read: Timestamp,
    at: Instant,
}

impl DatabaseTime {
    /// The clock has just shown this time.
    pub fn new(read: Timestamp) -> Self {
        Self { read, at: Instant::now() }
    }

    /// The time now.
    pub fn now(&self) -> Timestamp {
        self.read.checked_add(self.at.elapsed()).unwrap_or(Timestamp::MAX)
    }

    /// The clock has just shown this time. Returns whether it went back since the last reading.
    pub fn update(&mut self, read: Timestamp) -> bool {
        let went_back = self.now().duration_since(read) > TOLERANCE;
        *self = Self::new(read);
        went_back
    }
}

#[cfg(test)]
mod tests {
    use super::DatabaseTime;
    use jiff::{SignedDuration, Timestamp};
    use std::time::Duration;

    #[tokio::test(start_paused = true)]
    async fn the_time_goes_on_between_two_readings_and_a_step_back_is_noticed() {
        let noon: Timestamp = "2026-03-01T12:00:00Z".parse().unwrap();
        let mut time = DatabaseTime::new(noon);
        tokio::time::advance(Duration::from_secs(5)).await;
        let later = noon + SignedDuration::from_secs(5);
        assert_eq!(time.now(), later);
        assert!(!time.update(later - SignedDuration::from_millis(500)), "a slow clock");
        assert!(!time.update(later + SignedDuration::from_hours(24)), "a step forward");
        assert!(time.update(later));
        assert_eq!(time.now(), later);
    }
}
