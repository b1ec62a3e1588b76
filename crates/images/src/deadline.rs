//! Until when the work on an image may go on.

use super::Error;
use std::{
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering::Relaxed},
    },
    time::{Duration, Instant},
};

/// Of the time for an animation, one part in this number is kept for its first frame, in case that the
/// animation takes too long.
const KEPT: u32 = 4;

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

    /// The end of the time that an animation has. What ends this one ends it as well.
    pub(crate) fn for_animation(&self) -> Self {
        let until = self.until.checked_sub(self.left() / KEPT).unwrap_or(self.until);
        Self { until, cancelled: self.cancelled.clone() }
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
