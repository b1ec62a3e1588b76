//! Fair scheduling by receiver: those with something due are served in turn, so that no receiver's backlog or
//! silence holds up the others.
//!
//! Each attempt takes a place among those of its class of receivers, which the owners of these share
//! ([`places`]). One that has waited for a while is not active any more: waiting costs little, and silent
//! receivers must not use up what the others need.
//!
//! A delivery that follows an unfinished one of its key may be due and still cannot be claimed. So a claim
//! that brought less than was asked for is remembered: until a delivery of that receiver finishes, only what
//! became due since then is looked at.

mod places;
mod receiver_state;
#[cfg(test)]
mod tests;

use domain::shared::{
    DeliveryId, ReceiverId,
    delivery::{ReceiverHealth, SendMode},
};
use jiff::Timestamp;
use places::{Candidate, Classes, Owner};
pub(super) use receiver_state::ReceiverState;
use std::collections::{BTreeMap, BTreeSet};
use storage::shared::{
    deliveries::{DueReceiver, Quota, ScanMark},
    receivers::BreakerUpdate,
};

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
}

/// What to claim in a round.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct ClaimPlan {
    /// To be sent: how many of each receiver.
    pub(super) send: Vec<(ReceiverId, i64)>,
    /// To be sent, one of each receiver, as a probe.
    pub(super) probe: Vec<ReceiverId>,
}

impl ReceiverScheduler {
    /// Takes over what the database says is open.
    pub(super) fn refresh(&mut self, due: Vec<DueReceiver>, now: Timestamp) {
        let open: BTreeSet<_> = due.iter().map(|found| found.receiver).collect();
        for (receiver, state) in &mut self.receivers {
            state.due_at = None;
            if !open.contains(receiver) {
                // A receiver that is paused or has nothing open begins anew. An update of its breaker that is
                // not saved yet is dropped.
                state.scanned_until = None;
                state.stored = state.breaker.stored();
            }
        }
        for found in due {
            let state = self.receivers.entry(found.receiver).or_default();
            // What this process knows is newer, unless another process has written the row since.
            if state.stored != found.breaker {
                state.take_over(found.breaker, now);
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

    /// When the next delivery or probe is due after now, as far as is known.
    pub(super) fn next_due(&self, now: Timestamp) -> Option<Timestamp> {
        self.receivers.values().filter_map(ReceiverState::next_due).filter(|at| *at > now).min()
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

    /// A claim of at most `count` deliveries of a receiver.
    pub(super) fn quota(&mut self, receiver: ReceiverId, count: i64) -> Quota {
        Quota { receiver, count, scanned_until: self.receiver(receiver).scanned_until }
    }

    /// Circuit breakers that differ from what their rows are known to hold.
    pub(super) fn dirty_breakers(&self) -> Vec<BreakerUpdate> {
        let dirty = self.receivers.iter().filter(|(_, state)| state.is_dirty());
        dirty
            .map(|(receiver, state)| BreakerUpdate { receiver: *receiver, from: state.stored, to: state.breaker.stored() })
            .collect()
    }

    /// A circuit breaker was written to its row.
    pub(super) fn breaker_saved(&mut self, update: &BreakerUpdate) {
        self.receiver(update.receiver).stored = update.to;
    }

    /// Divides free places among the receivers with something due.
    pub(super) fn plan(&mut self, now: Timestamp) -> ClaimPlan {
        let mut plan = ClaimPlan::default();
        let mut quotas: BTreeMap<ReceiverId, i64> = BTreeMap::new();
        // What is planned takes places in a copy. An attempt takes its place when it begins: a claim may
        // bring less.
        let mut classes = self.classes.clone();
        for (class, candidates) in self.candidates(now) {
            for receiver in classes.of(class).hand_out(candidates) {
                self.turns += 1;
                let turn = self.turns;
                let state = self.receiver(receiver);
                state.last_turn = turn;
                if state.breaker.send_mode(now) == SendMode::Probe {
                    plan.probe.push(receiver);
                } else {
                    *quotas.entry(receiver).or_default() += 1;
                }
            }
        }
        plan.send.extend(quotas);
        plan
    }

    /// The receivers with something due that may be sent, by class.
    fn candidates(&self, now: Timestamp) -> BTreeMap<ReceiverHealth, Vec<Candidate>> {
        let mut owners_last_turns: BTreeMap<&Owner, u64> = BTreeMap::new();
        for state in self.receivers.values() {
            let last_turn = owners_last_turns.entry(&state.owner).or_default();
            *last_turn = state.last_turn.max(*last_turn);
        }
        let mut by_class: BTreeMap<ReceiverHealth, Vec<Candidate>> = BTreeMap::new();
        for (receiver, state) in &self.receivers {
            let owners_last_turn = owners_last_turns.get(&state.owner).copied().unwrap_or_default();
            if let Some(candidate) = state.candidate(*receiver, owners_last_turn, now) {
                by_class.entry(state.class()).or_default().push(candidate);
            }
        }
        by_class
    }

    /// An attempt begins. Returns the class in which it counts.
    pub(super) fn attempt_started(&mut self, receiver: ReceiverId, id: DeliveryId) -> ReceiverHealth {
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
            self.classes.of(attempt.class).release(&attempt.owner, !attempt.is_slow);
        }
    }
}
