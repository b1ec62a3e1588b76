//! Wakes: hints that there may be work. Any number of them before the actor looks are one.

use super::Handle;
use ractor::Message;
use std::sync::{
    Arc,
    atomic::{AtomicBool, Ordering},
};

/// Rings at an actor's door. Cheap to clone.
#[derive(Clone)]
pub struct Bell {
    ring: Arc<dyn Fn() + Send + Sync>,
}

impl Bell {
    /// A bell at an actor whose message carries the [`Wake`].
    pub fn new<M: Message>(handle: Handle<M>, make: fn(Wake) -> M) -> Self {
        let pending = Arc::new(AtomicBool::new(false));
        let ring = move || {
            if !pending.swap(true, Ordering::AcqRel) {
                // With nobody at home the message is dropped here, and the wake in it with it.
                let _ = handle.send(make(Wake { pending: pending.clone() }));
            }
        };
        Self { ring: Arc::new(ring) }
    }

    /// Rings. Does nothing while an earlier ring has not been heard.
    pub fn ring(&self) {
        (self.ring)();
    }
}

/// A ring on its way. The actor drops it before it looks for work, so that no later ring is lost.
pub struct Wake {
    pending: Arc<AtomicBool>,
}

impl Drop for Wake {
    fn drop(&mut self) {
        self.pending.store(false, Ordering::Release);
    }
}
