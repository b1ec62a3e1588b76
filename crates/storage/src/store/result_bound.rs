//! The bound in bytes of what a connection reads.

use crate::{Error, Result};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering::Relaxed};

/// How many bytes of rows a connection may still read.
pub(super) struct ResultBound {
    max: usize,
    left: AtomicUsize,
    is_exceeded: AtomicBool,
}

impl ResultBound {
    pub(super) fn new(max: usize) -> Self {
        Self { max, left: AtomicUsize::new(max), is_exceeded: AtomicBool::new(false) }
    }

    /// Notes bytes that were read; an error when they are too many.
    pub(super) fn add(&self, bytes: usize) -> Result<()> {
        if self.left.fetch_update(Relaxed, Relaxed, |left| left.checked_sub(bytes)).is_ok() {
            return Ok(());
        }
        self.is_exceeded.store(true, Relaxed);
        Err(Error::TooLarge { max: self.max })
    }

    /// Whether they were too many.
    pub(super) fn is_exceeded(&self) -> bool {
        self.is_exceeded.load(Relaxed)
    }
}
