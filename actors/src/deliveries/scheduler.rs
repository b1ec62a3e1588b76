//! Fair scheduling by receiver: those with something due are served in turn, so that no receiver's backlog or silence holds up the others.
//!
//! Each attempt takes a place among those of its class of receivers, which the owners of these share ([`places`]). One that has waited for
//! a while is not active any more: waiting costs little, and silent receivers must not use up what the others need.
//!
//! A delivery that follows an unfinished one of its key may be due and still cannot be claimed. So a claim that brought less than was asked
//! for is remembered: until a delivery of that receiver finishes, only what became due since then is looked at.

mod places;
mod receiver_state;
#[cfg(test)]
mod tests;

use domain::shared::{
    DeliveryId, ReceiverId,
    delivery::{Circuit, Health, SendMode, Standing},
};
use jiff::Timestamp;
use places::{Candidate, Classes, Owner};
pub(super) use receiver_state::ReceiverState;
use std::collections::{BTreeMap, BTreeSet};
use storage::shared::{
    deliveries::{DueReceiver, Quota, ScanMark},
    receivers::CircuitUpdate,
};

/// How many deliveries of one receiver whose circuit is open are failed in one round.
const MAX_FAIL_FAST: i64 = 256;
/// And how many of all such receivers: each is in memory for a moment.
const MAX_FAIL_FAST_IN_ALL: i64 = 1024;
/// When more receivers than this are known, those with nothing to do are forgotten.
const MAX_KEPT: usize = 4096;

/// All receivers with something open.
#[derive(Debug, Default)]
pub(super) struct ReceiverScheduler {
    receivers: BTreeMap<ReceiverId, ReceiverState>,
    /// The places that attempts have.
    classes: Classes,
    /// How many turns there were.
    turns: u64,
    /// The receiver behind an open circuit that was served last: the next one comes first.
    last_failed_fast: Option<ReceiverId>,
}

/// What to claim in a round.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct ClaimPlan {
    /// To be sent: so many of each receiver.
    pub(super) send: Vec<(ReceiverId, i64)>,
    /// To be sent, one of each receiver, once its probe is acquired.
    pub(super) probe: Vec<ReceiverId>,
    /// To be failed without being sent: so many of each receiver.
    pub(super) fail_fast: Vec<(ReceiverId, i64)>,
}

impl ReceiverScheduler {
    /// Takes over what the database says is open.
    pub(super) fn refresh(&mut self, due: Vec<DueReceiver>) {
        let open: BTreeSet<_> = due.iter().map(|found| found.receiver).collect();
        for (receiver, state) in &mut self.receivers {
            state.due_at = None;
            if !open.contains(receiver) {
                // A receiver that is paused or has nothing open begins anew. An update of its circuit that is not saved yet is dropped.
                state.scanned_until = None;
                state.stored = state.circuit;
            }
        }
        for found in due {
            let state = self.receivers.entry(found.receiver).or_default();
            // What this process knows is newer, unless another process has written the row since.
            if row_values(&state.stored) != row_values(&found.circuit) {
                (state.circuit, state.stored) = (found.circuit, found.circuit);
            }
            (state.owner, state.due_at) = (found.owner, found.due_at);
        }
        if self.receivers.len() > MAX_KEPT {
            self.receivers.retain(|_, state| state.running() > 0 || state.due_at.is_some());
        }
    }

    /// The state of a receiver.
    pub(super) fn receiver(&mut self, receiver: ReceiverId) -> &mut ReceiverState {
        self.receivers.entry(receiver).or_default()
    }

    /// How many attempts are under way.
    pub(super) fn running(&self) -> usize {
        self.receivers.values().map(ReceiverState::running).sum()
    }

    /// When the next delivery is due after now, as far as is known.
    pub(super) fn next_due(&self, now: Timestamp) -> Option<Timestamp> {
        self.receivers.values().filter_map(|state| state.due_at).filter(|at| *at > now).min()
    }

    /// Up to which due time receivers were scanned.
    pub(super) fn scan_marks(&self) -> Vec<ScanMark> {
        self.receivers.iter().filter_map(|(receiver, state)| Some((*receiver, state.scanned_until?))).collect()
    }

    /// Forgets the scans: another process may have finished a delivery, or have ended while it held one.
    pub(super) fn reset_scans(&mut self) {
        for state in self.receivers.values_mut() {
            state.scanned_until = None;
        }
    }

    /// A claim of at most so many deliveries of a receiver.
    pub(super) fn quota(&mut self, receiver: ReceiverId, count: i64) -> Quota {
        Quota { receiver, count, scanned_until: self.receiver(receiver).scanned_until }
    }

    /// Circuits that differ from what their rows are known to hold.
    pub(super) fn dirty_circuits(&self) -> Vec<CircuitUpdate> {
        let dirty = self.receivers.iter().filter(|(_, state)| row_values(&state.circuit) != row_values(&state.stored));
        dirty.map(|(receiver, state)| CircuitUpdate { receiver: *receiver, from: state.stored, to: state.circuit }).collect()
    }

    /// A circuit was written to its row.
    pub(super) fn circuit_saved(&mut self, update: &CircuitUpdate) {
        self.receiver(update.receiver).stored = update.to;
    }

    /// Divides free places among the receivers with something due.
    pub(super) fn plan(&mut self, now: Timestamp) -> ClaimPlan {
        let mut plan = ClaimPlan::default();
        let mut quotas: BTreeMap<ReceiverId, i64> = BTreeMap::new();
        // What is planned takes places in a copy. An attempt takes its place when it begins: a claim may bring less.
        let mut classes = self.classes.clone();
        for (class, candidates) in self.candidates(now) {
            for receiver in classes.of(class).hand_out(candidates) {
                self.turns += 1;
                let turn = self.turns;
                let state = self.receiver(receiver);
                state.last_turn = turn;
                if state.circuit.send_mode(now) == SendMode::Probe {
                    plan.probe.push(receiver);
                } else {
                    *quotas.entry(receiver).or_default() += 1;
                }
            }
        }
        plan.send.extend(quotas);
        self.plan_fail_fast(&mut plan, now);
        plan
    }

    /// The receivers with something due that may be sent, by class.
    fn candidates(&self, now: Timestamp) -> BTreeMap<Standing, Vec<Candidate>> {
        let mut owners_last_turns: BTreeMap<&Owner, u64> = BTreeMap::new();
        for state in self.receivers.values() {
            let last_turn = owners_last_turns.entry(&state.owner).or_default();
            *last_turn = state.last_turn.max(*last_turn);
        }
        let mut by_class: BTreeMap<Standing, Vec<Candidate>> = BTreeMap::new();
        for (receiver, state) in &self.receivers {
            let owners_last_turn = owners_last_turns.get(&state.owner).copied().unwrap_or_default();
            if let Some(candidate) = state.candidate(*receiver, owners_last_turn, now) {
                by_class.entry(state.class()).or_default().push(candidate);
            }
        }
        by_class
    }

    /// An attempt begins. Returns the class in which it counts.
    pub(super) fn attempt_started(&mut self, receiver: ReceiverId, id: DeliveryId) -> Standing {
        let state = self.receivers.entry(receiver).or_default();
        let class = state.attempt_started(id);
        self.classes.of(class).take(&state.owner);
        class
    }

    /// An attempt has waited for its receiver for a while.
    pub(super) fn attempt_is_slow(&mut self, receiver: ReceiverId, id: DeliveryId) {
        if let Some(attempt) = self.receivers.get_mut(&receiver).and_then(|state| state.attempt_is_slow(id)) {
            self.classes.of(attempt.class).wait(&attempt.owner);
        }
    }

    /// An attempt ended.
    pub(super) fn attempt_ended(&mut self, receiver: ReceiverId, id: DeliveryId) {
        if let Some(attempt) = self.receivers.get_mut(&receiver).and_then(|state| state.attempt_ended(id)) {
            self.classes.of(attempt.class).give_back(&attempt.owner, !attempt.is_slow);
        }
    }

    /// A portion of what is due behind open circuits.
    fn plan_fail_fast(&mut self, plan: &mut ClaimPlan, now: Timestamp) {
        let mut left = MAX_FAIL_FAST_IN_ALL;
        for receiver in self.due_in_turn(now, self.last_failed_fast) {
            if left > 0 && self.receiver(receiver).circuit.send_mode(now) == SendMode::FailFast {
                plan.fail_fast.push((receiver, MAX_FAIL_FAST.min(left)));
                left -= MAX_FAIL_FAST;
                self.last_failed_fast = Some(receiver);
            }
        }
    }

    /// The receivers with something due, beginning behind the one that was served last.
    fn due_in_turn(&self, now: Timestamp, last: Option<ReceiverId>) -> Vec<ReceiverId> {
        let is_due = |(_, state): &(&ReceiverId, &ReceiverState)| state.is_due(now);
        let mut due: Vec<_> = self.receivers.iter().filter(is_due).map(|(receiver, _)| *receiver).collect();
        let split = due.partition_point(|receiver| last.is_some_and(|last| *receiver <= last));
        due.rotate_left(split);
        due
    }
}

/// What of a circuit is in its row.
fn row_values(circuit: &Circuit) -> (Health, u32, Option<Timestamp>, bool) {
    (circuit.health, circuit.failures, circuit.probe_at, circuit.has_answered)
}
