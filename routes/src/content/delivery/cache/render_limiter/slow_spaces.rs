//! Spaces whose queries took long of late, whatever they were estimated at: content may be larger, and an
//! index may find more, than an estimate can know.

use domain::shared::SpaceId;
use std::{
    collections::HashMap,
    sync::{Mutex, MutexGuard, PoisonError},
    time::Duration,
};
use tokio::time::Instant;

/// A query that takes longer than this makes its space slow.
const SLOW: Duration = Duration::from_millis(100);
/// How long a space is slow after such a query.
const AFTERWARDS: Duration = Duration::from_secs(5);

/// Until when each space is slow.
#[derive(Default)]
pub(super) struct SlowSpaces {
    until: Mutex<HashMap<SpaceId, Instant>>,
}

impl SlowSpaces {
    /// Whether a query of the space took long of late.
    pub(super) fn contains(&self, space: SpaceId) -> bool {
        self.lock().get(&space).is_some_and(|until| *until > Instant::now())
    }

    /// Remembers how long a query of the space took.
    pub(super) fn report(&self, space: SpaceId, took: Duration) {
        if took > SLOW {
            let now = Instant::now();
            let mut slow = self.lock();
            slow.retain(|_, until| *until > now);
            slow.insert(space, now + AFTERWARDS);
        }
    }

    fn lock(&self) -> MutexGuard<'_, HashMap<SpaceId, Instant>> {
        self.until.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use super::{AFTERWARDS, SLOW, SlowSpaces};
    use domain::shared::SpaceId;
    use std::time::Duration;

    #[tokio::test(start_paused = true)]
    async fn a_space_is_slow_for_a_while_after_a_slow_query() {
        let spaces = SlowSpaces::default();
        spaces.report(SpaceId(1), SLOW);
        assert!(!spaces.contains(SpaceId(1)));
        spaces.report(SpaceId(1), SLOW + Duration::from_millis(1));
        assert!(spaces.contains(SpaceId(1)) && !spaces.contains(SpaceId(2)));
        tokio::time::advance(AFTERWARDS).await;
        assert!(!spaces.contains(SpaceId(1)));
        spaces.report(SpaceId(2), SLOW * 2);
        assert_eq!(spaces.lock().len(), 1, "what is over is forgotten");
    }
}
