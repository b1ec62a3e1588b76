//! Where attempts leave their outcomes for the dispatcher, which records many in one statement. What is lost
//! with the process was not recorded, and is attempted again.

use super::request::AttemptResult;
use crate::runtime::WakeSender;
use domain::shared::{DeliveryId, ReceiverId};
use jiff::Timestamp;
use std::{
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    time::Duration,
};
use storage::shared::deliveries::LeasedDelivery;
use tokio::time::Instant;

/// How many outcomes are recorded without waiting for further ones.
pub(super) const BATCH: usize = 48;

/// An attempt that has ended. Cheap to clone but for the answer.
#[derive(Debug, Clone)]
pub(super) struct Completed {
    pub(super) delivery: Arc<LeasedDelivery>,
    /// Whether it still counts as running at its receiver.
    pub(super) is_running: bool,
    pub(super) result: AttemptResult,
    pub(super) started_at: Timestamp,
    /// How long it took, by the monotonic clock.
    pub(super) took: Duration,
    /// When it ended, by the same.
    pub(super) ended: Instant,
}

/// What the dispatcher has not handled yet.
#[derive(Debug, Default)]
pub(super) struct Completions {
    /// Attempts that have waited for their receiver for a while.
    pub(super) slow: Vec<(ReceiverId, DeliveryId)>,
    /// Attempts that ended and are not recorded yet.
    pub(super) ended: Vec<Completed>,
    /// Receivers whose dead letters were written: later deliveries of the same key can be claimed now.
    pub(super) marked_dead: Vec<ReceiverId>,
}

/// Collects them, and wakes the dispatcher.
pub(crate) struct CompletionQueue {
    waiting: Mutex<Completions>,
    dispatcher: WakeSender,
}

impl CompletionQueue {
    pub(crate) fn new(dispatcher: WakeSender) -> Self {
        Self { waiting: Mutex::default(), dispatcher }
    }

    /// Adds an outcome. The dispatcher is woken by the first one and by a full batch, not by each.
    pub(super) fn push(&self, completed: Completed) {
        let waiting = {
            let mut waiting = self.lock();
            waiting.ended.push(completed);
            waiting.ended.len()
        };
        if waiting == 1 || waiting == BATCH {
            self.dispatcher.wake();
        }
    }

    /// An attempt has waited for its receiver for a while.
    pub(super) fn push_slow(&self, receiver: ReceiverId, id: DeliveryId) {
        self.lock().slow.push((receiver, id));
        self.dispatcher.wake();
    }

    /// Dead letters were written.
    pub(super) fn push_marked_dead(&self, receivers: impl IntoIterator<Item = ReceiverId>) {
        self.lock().marked_dead.extend(receivers);
        self.dispatcher.wake();
    }

    /// Puts outcomes back that could not be recorded. The dispatcher does that itself and polls again in any
    /// case.
    pub(super) fn put_back(&self, completed: impl IntoIterator<Item = Completed>) {
        self.lock().ended.extend(completed);
    }

    /// Empties the queue and returns what was in it.
    pub(super) fn take(&self) -> Completions {
        std::mem::take(&mut *self.lock())
    }

    /// How many outcomes are not recorded yet.
    pub(super) fn len(&self) -> usize {
        self.lock().ended.len()
    }

    fn lock(&self) -> MutexGuard<'_, Completions> {
        self.waiting.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
