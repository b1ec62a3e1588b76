//! Where attempts leave their outcomes for the dispatcher, which records many in one statement.
//!
//! It outlives the dispatcher, and an outcome stays in it until it is recorded: there is no way to take one
//! out before. What a dispatcher that dies was recording, the next one records; an outcome whose row was
//! written already finds its lease over. (Mails are kept in the same way.) What is lost with the process was
//! not recorded, and is attempted again.

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

/// An attempt that has ended.
#[derive(Debug)]
pub(super) struct Completed {
    pub(super) delivery: Arc<LeasedDelivery>,
    pub(super) result: AttemptResult,
    pub(super) started_at: Timestamp,
    /// How long it took, by the monotonic clock.
    pub(super) took: Duration,
    /// When it ended, by the same.
    pub(super) ended: Instant,
}

/// What the dispatcher's scheduler is to know. A scheduler that begins anew does not need it.
#[derive(Debug, Default)]
pub(super) struct Hints {
    /// Attempts that have waited for their receiver for a while.
    pub(super) slow: Vec<(ReceiverId, DeliveryId)>,
    /// Receivers whose dead letters were written: later deliveries of the same key can be claimed now.
    pub(super) marked_dead: Vec<ReceiverId>,
}

#[derive(Debug, Default)]
struct Waiting {
    /// Attempts that ended and are not recorded yet, in this order.
    ended: Vec<Arc<Completed>>,
    /// How many of them the dispatcher has seen.
    seen: usize,
    hints: Hints,
}

/// Collects them, and wakes the dispatcher.
pub(crate) struct CompletionQueue {
    waiting: Mutex<Waiting>,
    dispatcher: WakeSender,
}

impl CompletionQueue {
    pub(crate) fn new(dispatcher: WakeSender) -> Self {
        Self { waiting: Mutex::default(), dispatcher }
    }

    /// Adds an outcome. The dispatcher is woken by the first one that it has not seen and by a full batch of
    /// them, not by each.
    pub(super) fn push(&self, completed: Completed) {
        let unseen = {
            let mut waiting = self.lock();
            waiting.ended.push(Arc::new(completed));
            waiting.ended.len().saturating_sub(waiting.seen)
        };
        if unseen == 1 || unseen == BATCH {
            self.dispatcher.wake();
        }
    }

    /// An attempt has waited for its receiver for a while.
    pub(super) fn push_slow(&self, receiver: ReceiverId, id: DeliveryId) {
        self.lock().hints.slow.push((receiver, id));
        self.dispatcher.wake();
    }

    /// Dead letters were written.
    pub(super) fn push_marked_dead(&self, receivers: impl IntoIterator<Item = ReceiverId>) {
        self.lock().hints.marked_dead.extend(receivers);
        self.dispatcher.wake();
    }

    /// The outcomes that are not recorded yet.
    pub(super) fn unrecorded(&self) -> Vec<Arc<Completed>> {
        let mut waiting = self.lock();
        waiting.seen = waiting.ended.len();
        waiting.ended.clone()
    }

    /// The first `count` of these are in their rows, or on their way to the owners of their receivers.
    pub(super) fn recorded(&self, count: usize) {
        let mut waiting = self.lock();
        let count = count.min(waiting.ended.len());
        waiting.ended.drain(..count);
        waiting.seen = waiting.seen.saturating_sub(count);
    }

    /// Takes what the scheduler is to know.
    pub(super) fn take_hints(&self) -> Hints {
        std::mem::take(&mut self.lock().hints)
    }

    /// How many outcomes are not recorded yet.
    pub(super) fn len(&self) -> usize {
        self.lock().ended.len()
    }

    fn lock(&self) -> MutexGuard<'_, Waiting> {
        self.waiting.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
