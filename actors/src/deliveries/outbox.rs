//! Where attempts leave their outcomes for the dispatcher, who writes them down many at a time. What is lost with the process was not
//! counted, and is tried again.

use crate::runtime::Bell;
use domain::shared::{DeliveryId, ReceiverId, delivery::Outcome};
use jiff::Timestamp;
use std::sync::{Mutex, MutexGuard, PoisonError};
use storage::shared::deliveries::Token;

/// So many outcomes are worth a statement of their own.
pub(super) const BATCH: usize = 48;

/// How an attempt ended.
#[derive(Debug, Clone)]
pub(super) struct Done {
    pub(super) token: Token,
    pub(super) receiver: ReceiverId,
    /// Whether the attempt was sent by a task, and not only counted.
    pub(super) was_sent: bool,
    pub(super) kind: String,
    pub(super) key: String,
    pub(super) event: String,
    pub(super) id: DeliveryId,
    pub(super) url: String,
    pub(super) outcome: Outcome,
    pub(super) status: Option<u16>,
    pub(super) answer: Option<String>,
    pub(super) failures: u32,
    pub(super) attempts: i32,
    pub(super) replayed: bool,
    pub(super) due_at: Timestamp,
    pub(super) started_at: Timestamp,
    pub(super) ended_at: Timestamp,
}

/// What the dispatcher has not heard of yet.
#[derive(Debug, Default)]
pub(super) struct News {
    /// Attempts that have waited for a while.
    pub(super) slow: Vec<(ReceiverId, DeliveryId)>,
    /// Attempts that ended, and are not written yet.
    pub(super) done: Vec<Done>,
    /// Whose dead letters were written: what comes after them can be had now.
    pub(super) buried: Vec<ReceiverId>,
}

/// Where it is left.
pub(super) struct Outbox {
    news: Mutex<News>,
    bell: Bell,
}

impl Outbox {
    pub(super) fn new(bell: Bell) -> Self {
        Self { news: Mutex::default(), bell }
    }

    /// Leaves an outcome. The dispatcher hears of the first one and of a full batch, not of each.
    pub(super) fn push(&self, done: Done) {
        let waiting = {
            let mut news = self.lock();
            news.done.push(done);
            news.done.len()
        };
        if waiting == 1 || waiting == BATCH {
            self.bell.ring();
        }
    }

    /// An attempt has waited for a while.
    pub(super) fn slow(&self, receiver: ReceiverId, id: DeliveryId) {
        self.lock().slow.push((receiver, id));
        self.bell.ring();
    }

    /// Dead letters were written.
    pub(super) fn buried(&self, receivers: impl IntoIterator<Item = ReceiverId>) {
        self.lock().buried.extend(receivers);
        self.bell.ring();
    }

    /// Puts outcomes back that could not be written.
    pub(super) fn put_back(&self, done: impl IntoIterator<Item = Done>) {
        self.lock().done.extend(done);
    }

    /// Takes all.
    pub(super) fn take(&self) -> News {
        std::mem::take(&mut *self.lock())
    }

    /// How many outcomes there are.
    pub(super) fn waiting(&self) -> usize {
        self.lock().done.len()
    }

    fn lock(&self) -> MutexGuard<'_, News> {
        self.news.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
