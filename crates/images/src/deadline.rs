//! Until when the work on an image may go on.

use super::Error;
use std::{
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering::Relaxed},
    },
    time::{Duration, Instant},
};

/// The end of the time for one image. Cheap to clone.
#[derive(Debug, Clone)]
pub struct Deadline {
    until: Instant,
    cancelled: Arc<AtomicBool>,
}

impl Deadline {
    /// A deadline so far from now.
    pub fn after(time: Duration) -> Self {
        let now = Instant::now();
        Self { until: now.checked_add(time).unwrap_or(now), cancelled: Arc::default() }
    }

    /// Ends it now: the request that wanted the image is gone.
    pub fn cancel(&self) {
        self.cancelled.store(true, Relaxed);
    }

    /// An error when it is over.
    pub(crate) fn check(&self) -> Result<(), Error> {
        if self.cancelled.load(Relaxed) || Instant::now() >= self.until { Err(Error::OutOfTime) } else { Ok(()) }
    }

    /// How much time is left.
    pub fn left(&self) -> Duration {
        self.until.saturating_duration_since(Instant::now())
    }
}
