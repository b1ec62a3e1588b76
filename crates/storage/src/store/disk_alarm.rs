//! Whether PostgreSQL has said lately that its disk is full.

use crate::Error;
use std::{
    sync::{Arc, Mutex, PoisonError},
    time::Duration,
};
use tokio::time::Instant;

/// For how long one refusal counts. While the disk is full, there is a new one with almost every write.
const LASTS: Duration = Duration::from_mins(1);

/// The last time at which a statement failed for want of room on the disk. Cheap to clone; clones are one
/// alarm.
#[derive(Clone, Default)]
pub(super) struct DiskAlarm(Arc<Mutex<Option<Instant>>>);

impl DiskAlarm {
    /// Takes note of how a statement ended.
    pub(super) fn observe<T>(&self, outcome: &Result<T, Error>) {
        if let Err(Error::DiskFull(_)) = outcome {
            *self.0.lock().unwrap_or_else(PoisonError::into_inner) = Some(Instant::now());
        }
    }

    pub(super) fn is_raised(&self) -> bool {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).is_some_and(|at| at.elapsed() < LASTS)
    }
}

#[cfg(test)]
mod tests {
    use super::{DiskAlarm, LASTS};
    use crate::Error;

    #[tokio::test(start_paused = true)]
    async fn it_is_raised_by_a_full_disk_alone_and_for_a_while() {
        let alarm = DiskAlarm::default();
        alarm.observe::<()>(&Err(Error::TimedOut));
        assert!(!alarm.is_raised());
        alarm.clone().observe::<()>(&Err(Error::DiskFull("53100".to_owned())));
        alarm.observe(&Ok(()));
        assert!(alarm.is_raised());
        tokio::time::advance(LASTS).await;
        assert!(!alarm.is_raised());
    }
}
