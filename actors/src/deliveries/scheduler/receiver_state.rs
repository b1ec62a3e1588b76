//! What the dispatcher knows of one receiver. It is a cache of rows, but for the attempts that are running
//! here.

use super::places::{Candidate, Owner};
use domain::shared::{
    DeliveryId, ReceiverId,
    delivery::{CircuitBreaker, ReceiverHealth, SendMode},
};
use jiff::{SignedDuration, Timestamp};
use storage::shared::receivers::BreakerUpdate;

/// How many deliveries of one receiver are under way at a time.
pub(in super::super) const MAX_CONCURRENT: usize = 4;
/// How long after it became due a delivery may become visible: its transaction was not committed yet when the
/// receiver was scanned.
pub(super) const COMMIT_MARGIN: SignedDuration = SignedDuration::from_secs(2);
/// The number of failures in a row from which on all receivers are alike.
const MAX_FAILURES: u32 = 10;

/// One receiver with something open.
#[derive(Debug, Default)]
pub(in super::super) struct ReceiverState {
    pub(super) owner: Owner,
    /// The circuit breaker as this process knows it.
    pub(in super::super) breaker: CircuitBreaker,
    /// The circuit breaker as the row is known to hold it.
    pub(super) stored: CircuitBreaker,
    /// The attempts in flight.
    attempts: Vec<Attempt>,
    /// When the next delivery is due, as far as is known.
    pub(in super::super) due_at: Option<Timestamp>,
    /// Up to which due time everything was claimed that can be: what is still open there waits for an earlier
    /// delivery of its key.
    pub(super) scanned_until: Option<Timestamp>,
    /// A number that grows with each turn.
    pub(super) last_turn: u64,
}

/// An attempt in flight.
#[derive(Debug)]
pub(super) struct Attempt {
    id: DeliveryId,
    /// Whose place in which class it has.
    pub(super) owner: Owner,
    pub(super) class: ReceiverHealth,
    /// Whether it only waits for the receiver, and has done so for a while.
    pub(super) is_slow: bool,
}

impl ReceiverState {
    /// How many attempts are in flight.
    pub(super) fn running(&self) -> usize {
        self.attempts.len()
    }

    /// Whether something is due.
    pub(super) fn is_due(&self, now: Timestamp) -> bool {
        self.due_at.is_some_and(|at| at <= now)
    }

    /// The class in which its next attempt counts. A receiver that answered the last time and does not just
    /// now may have failed as well.
    pub(super) fn class(&self) -> ReceiverHealth {
        match self.breaker.standing() {
            ReceiverHealth::Proven if self.attempts.iter().any(|attempt| attempt.is_slow) => ReceiverHealth::Faltering,
            standing => standing,
        }
    }

    /// How many more attempts it may have now. One that answered the last time may be slow for one delivery
    /// and quick for the next, so it gets one beside those that wait.
    fn wants(&self, now: Timestamp) -> usize {
        match (self.breaker.send_mode(now), self.class()) {
            (SendMode::Wait, _) => 0,
            (SendMode::Concurrent, ReceiverHealth::Proven) => MAX_CONCURRENT.saturating_sub(self.running()),
            (SendMode::Concurrent, _) => {
                usize::from(self.running() < MAX_CONCURRENT && self.attempts.iter().all(|attempt| attempt.is_slow))
            }
            (SendMode::Single | SendMode::Probe, _) => usize::from(self.running() == 0),
        }
    }

    /// The receiver as a candidate for places, if something is due that may be sent.
    pub(super) fn candidate(&self, receiver: ReceiverId, owners_last_turn: u64, now: Timestamp) -> Option<Candidate> {
        let wants = if self.is_due(now) { self.wants(now) } else { 0 };
        let failures = self.breaker.failures.min(MAX_FAILURES);
        let (owner, last_turn) = (self.owner.clone(), self.last_turn);
        (wants > 0).then_some(Candidate { receiver, owner, wants, failures, last_turn, owners_last_turn })
    }

    /// An attempt begins. Returns the class in which it counts.
    pub(super) fn attempt_started(&mut self, id: DeliveryId) -> ReceiverHealth {
        let class = self.class();
        self.attempts.push(Attempt { id, owner: self.owner.clone(), class, is_slow: false });
        class
    }

    /// An attempt has waited for the receiver for a while. Returns it, unless that was known or it has ended.
    pub(super) fn attempt_is_slow(&mut self, id: DeliveryId) -> Option<&Attempt> {
        let attempt = self.attempts.iter_mut().find(|attempt| attempt.id == id && !attempt.is_slow)?;
        attempt.is_slow = true;
        Some(attempt)
    }

    /// An attempt ended.
    pub(super) fn attempt_ended(&mut self, id: DeliveryId) -> Option<Attempt> {
        let position = self.attempts.iter().position(|attempt| attempt.id == id)?;
        Some(self.attempts.swap_remove(position))
    }

    /// When something is due, or when the next probe is for which something waits.
    pub(super) fn next_due(&self) -> Option<Timestamp> {
        let due_at = self.due_at?;
        Some(self.breaker.circuit.until().map_or(due_at, |until| until.max(due_at)))
    }

    /// Whether the circuit breaker differs from what the row is known to hold.
    pub(super) fn is_dirty(&self) -> bool {
        self.breaker.stored() != self.stored
    }

    /// Another process has written the row.
    pub(super) fn take_over(&mut self, found: CircuitBreaker, now: Timestamp) {
        (self.breaker, self.stored) = (self.breaker.rebased(&self.stored, &found, now), found);
    }

    /// A probe whose outcome is known by a time, as a change of the row.
    pub(in super::super) fn probe(&self, receiver: ReceiverId, until: Timestamp) -> BreakerUpdate {
        BreakerUpdate { receiver, from: self.stored, to: self.stored.probed(until) }
    }

    /// The row was changed.
    pub(in super::super) fn set_breaker(&mut self, breaker: CircuitBreaker) {
        (self.breaker, self.stored) = (breaker, breaker);
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
