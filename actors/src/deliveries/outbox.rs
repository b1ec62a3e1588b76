//! Where attempts leave their outcomes for the dispatcher, who writes them down many at a time. What is lost with the process was not
//! counted, and is tried again.

use crate::runtime::Bell;
use domain::shared::{ReceiverId, delivery::Outcome};
use jiff::Timestamp;
use std::sync::{Mutex, PoisonError};
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
    pub(super) id: domain::shared::DeliveryId,
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

/// The outcomes that are not written yet.
pub(super) struct Outbox {
    done: Mutex<Vec<Done>>,
    bell: Bell,
}

impl Outbox {
    pub(super) fn new(bell: Bell) -> Self {
        Self { done: Mutex::default(), bell }
    }

    /// Leaves an outcome. The dispatcher hears of the first one and of a full batch, not of each.
    pub(super) fn push(&self, done: Done) {
        let waiting = {
            let mut all = self.done.lock().unwrap_or_else(PoisonError::into_inner);
            all.push(done);
            all.len()
        };
        if waiting == 1 || waiting == BATCH {
            self.bell.ring();
        }
    }

    /// Puts outcomes back that could not be written.
    pub(super) fn put_back(&self, done: Vec<Done>) {
        self.done.lock().unwrap_or_else(PoisonError::into_inner).extend(done);
    }

    /// Takes all.
    pub(super) fn take(&self) -> Vec<Done> {
        std::mem::take(&mut *self.done.lock().unwrap_or_else(PoisonError::into_inner))
    }

    /// How many there are.
    pub(super) fn waiting(&self) -> usize {
        self.done.lock().unwrap_or_else(PoisonError::into_inner).len()
    }
}
