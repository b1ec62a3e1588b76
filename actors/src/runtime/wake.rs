//! Wake-ups: hints that there may be work. Any number of them that come before the actor handles the first
//! one are one message.

use super::Handle;
use ractor::Message;
use std::sync::{
    Arc,
    atomic::{AtomicBool, Ordering},
};

/// Wakes an actor. Cheap to clone; clones share the pending wake-up.
#[derive(Clone)]
pub struct WakeSender {
    wake: Arc<dyn Fn() + Send + Sync>,
}

impl WakeSender {
    /// Wakes the actor behind a handle by a message that carries the [`WakeToken`].
    pub fn new<M: Message>(handle: Handle<M>, make: fn(WakeToken) -> M) -> Self {
        let pending = Arc::new(AtomicBool::new(false));
        let wake = move || {
            if !pending.swap(true, Ordering::AcqRel) {
                // When no actor is running the message is dropped here, and its token with it. A new actor
                // polls when it starts.
                let _ = handle.send(make(WakeToken { pending: pending.clone() }));
            }
        };
        Self { wake: Arc::new(wake) }
    }

    /// The same, which first notes what it wakes the actor for.
    #[must_use]
    pub fn noting(self, note: impl Fn() + Send + Sync + 'static) -> Self {
        let wake = move || {
            note();
            self.wake();
        };
        Self { wake: Arc::new(wake) }
    }

    /// Wakes the actor. Does nothing while an earlier wake-up has not been handled.
    pub fn wake(&self) {
        (self.wake)();
    }
}

/// A wake-up on its way. The actor drops it before it looks for work, so that no later wake-up is lost.
pub struct WakeToken {
    pending: Arc<AtomicBool>,
}

impl Drop for WakeToken {
    fn drop(&mut self) {
        self.pending.store(false, Ordering::Release);
    }
}
