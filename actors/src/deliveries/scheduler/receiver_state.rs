//! What the dispatcher knows of one receiver. It is a cache of rows, but for the attempts that are running here.

use domain::shared::{
    DeliveryId,
    delivery::{Circuit, SendMode},
};
use jiff::{SignedDuration, Timestamp};

/// How many deliveries of one receiver are under way at a time.
pub(in super::super) const MAX_CONCURRENT: usize = 4;
/// A delivery may become visible so long after it became due: its transaction was not committed yet when the receiver was scanned.
pub(super) const COMMIT_MARGIN: SignedDuration = SignedDuration::from_secs(2);

/// One receiver with something open.
#[derive(Debug, Default)]
pub(in super::super) struct ReceiverState {
    /// The circuit as this process knows it.
    pub(in super::super) circuit: Circuit,
    /// The circuit as the row is known to hold it.
    pub(super) stored: Circuit,
    /// How many attempts are in flight.
    pub(in super::super) running: usize,
    /// Those of them that have waited for the receiver for a while.
    slow: Vec<DeliveryId>,
    /// When the next delivery is due, as far as is known.
    pub(in super::super) due_at: Option<Timestamp>,
    /// Up to which due time everything was claimed that can be: what is still open there waits for an earlier delivery of its key.
    pub(super) scanned_until: Option<Timestamp>,
}

impl ReceiverState {
    /// Whether it gets one delivery at a time: it is new or failing, or does not answer just now.
    pub(in super::super) fn is_degraded(&self) -> bool {
        !self.has_answered() || !self.slow.is_empty()
    }

    fn has_answered(&self) -> bool {
        self.circuit.send_mode(Timestamp::MIN) == SendMode::Concurrent
    }

    /// Attempts under way that count against the bound of all degraded receivers.
    pub(super) fn degraded_running(&self) -> usize {
        if self.has_answered() { self.slow.len() } else { self.running }
    }

    /// Whether a degraded receiver may have one attempt more. One that answered the last time may be slow for one delivery and quick for the
    /// next, so it gets one beside those that wait.
    pub(super) fn may_send_one(&self) -> bool {
        let waiting = if self.has_answered() { self.slow.len() } else { 0 };
        self.is_degraded() && self.running == waiting && self.running < MAX_CONCURRENT
    }

    /// An attempt has waited for the receiver for a while.
    pub(in super::super) fn attempt_is_slow(&mut self, id: DeliveryId) {
        self.slow.push(id);
    }

    /// An attempt ended.
    pub(in super::super) fn attempt_ended(&mut self, id: DeliveryId) {
        self.running = self.running.saturating_sub(1);
        self.slow.retain(|slow| *slow != id);
    }

    /// The row was changed: the next probe may go out at that time.
    pub(in super::super) fn set_stored_probe_at(&mut self, at: Timestamp) {
        (self.circuit.probe_at, self.stored.probe_at) = (Some(at), Some(at));
    }

    /// Something is due at a time.
    pub(in super::super) fn add_due(&mut self, at: Timestamp) {
        self.due_at = Some(self.due_at.map_or(at, |due_at| due_at.min(at)));
    }

    /// A delivery is finished: the next one of its key can be claimed now.
    pub(in super::super) fn unblock(&mut self, now: Timestamp) {
        self.scanned_until = None;
        self.add_due(now);
    }

    /// Everything was claimed that is due and can be.
    pub(in super::super) fn set_exhausted(&mut self, now: Timestamp) {
        self.due_at = None;
        self.scanned_until = now.checked_sub(COMMIT_MARGIN).ok();
    }
}
