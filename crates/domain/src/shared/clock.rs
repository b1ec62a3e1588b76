//! The clock is passed in, so that a test can hold the time still.

use jiff::Timestamp;
use std::sync::Arc;

/// The wall clock. The real one is `SystemClock` in the root package; tests hold one of their own.
pub trait Clock: Send + Sync {
    /// The current time.
    fn now(&self) -> Timestamp;
}

/// A shared clock.
pub type SharedClock = Arc<dyn Clock>;
