//! Time is passed in, so that a test can hold it still.

use jiff::Timestamp;
use std::sync::Arc;

/// The wall clock. The real one is `SystemClock` in the root package; tests hold one of their own.
pub trait Clock: Send + Sync {
    /// The time now, UTC.
    fn now(&self) -> Timestamp;
}

/// A clock that many share.
pub type SharedClock = Arc<dyn Clock>;
