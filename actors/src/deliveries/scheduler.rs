//! Fair scheduling by receiver: those with something due are served in turn, so that no receiver's backlog or silence holds up the others.
//!
//! Some of the permits for attempts are only for receivers that answered the last time; the degraded ones (new, failing or slow) share the
//! rest. An attempt that has waited for a while gives its permit back: waiting costs little, and silent receivers must not use up what the
//! others need. Its receiver then counts as degraded.
//!
//! A delivery that follows an unfinished one of its key may be due and still cannot be claimed. So a claim that brought less than was asked
//! for is remembered: until a delivery of that receiver finishes, only what became due since then is looked at.

mod receiver_state;
#[cfg(test)]
mod tests;

use domain::shared::{
    ReceiverId,
    delivery::{Circuit, SendMode},
};
use jiff::Timestamp;
use receiver_state::MAX_CONCURRENT;
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
/// How many attempts may be under way in all, those that wait for their receiver included.
const MAX_RUNNING: usize = 512;
/// How many of these may belong to degraded receivers.
const MAX_RUNNING_DEGRADED: usize = 192;
/// When more receivers than this are known, those with nothing to do are forgotten.
const MAX_KEPT: usize = 4096;

/// All receivers with something open.
#[derive(Debug, Default)]
pub(super) struct ReceiverScheduler {
    receivers: BTreeMap<ReceiverId, ReceiverState>,
    /// The receivers of each sort that were served last: the next one comes first.
    last_healthy: Option<ReceiverId>,
    last_degraded: Option<ReceiverId>,
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
            state.due_at = found.due_at;
        }
        if self.receivers.len() > MAX_KEPT {
            self.receivers.retain(|_, state| state.running > 0 || state.due_at.is_some());
        }
    }

    /// The state of a receiver.
    pub(super) fn receiver(&mut self, receiver: ReceiverId) -> &mut ReceiverState {
        self.receivers.entry(receiver).or_default()
    }

    /// How many attempts are under way.
    pub(super) fn running(&self) -> usize {
        self.receivers.values().map(|state| state.running).sum()
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

    /// Divides permits among the receivers with something due: `free` for all, of which `free_degraded` may go to degraded receivers.
    pub(super) fn plan(&mut self, now: Timestamp, free: usize, free_degraded: usize) -> ClaimPlan {
        let mut plan = ClaimPlan::default();
        let mut free = free.min(MAX_RUNNING.saturating_sub(self.running()));
        self.plan_degraded(&mut plan, now, &mut free, free_degraded);
        self.plan_fail_fast(&mut plan, now);
        self.plan_healthy(&mut plan, now, free);
        plan
    }

    /// One delivery for each degraded receiver.
    fn plan_degraded(&mut self, plan: &mut ClaimPlan, now: Timestamp, free: &mut usize, free_degraded: usize) {
        let running: usize = self.receivers.values().map(ReceiverState::degraded_running).sum();
        let mut free_degraded = free_degraded.min(MAX_RUNNING_DEGRADED.saturating_sub(running));
        for receiver in self.due_in_turn(now, self.last_degraded) {
            let state = self.receiver(receiver);
            let mode = state.circuit.send_mode(now);
            let may_send = matches!(mode, SendMode::Single | SendMode::Probe | SendMode::Concurrent) && state.may_send_one();
            if may_send && *free > 0 && free_degraded > 0 {
                *free -= 1;
                free_degraded -= 1;
                if mode == SendMode::Probe {
                    plan.probe.push(receiver);
                } else {
                    plan.send.push((receiver, 1));
                }
                self.last_degraded = Some(receiver);
            }
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

    /// What is left, for the healthy: one delivery each, then a second one each, so that a long backlog does not go before a short one.
    fn plan_healthy(&mut self, plan: &mut ClaimPlan, now: Timestamp, mut free: usize) {
        let due = self.due_in_turn(now, self.last_healthy);
        let mut quotas: BTreeMap<ReceiverId, i64> = BTreeMap::new();
        for round in 0..MAX_CONCURRENT {
            for receiver in &due {
                let state = self.receiver(*receiver);
                if free > 0 && !state.is_degraded() && state.running + round < MAX_CONCURRENT {
                    free -= 1;
                    *quotas.entry(*receiver).or_default() += 1;
                    self.last_healthy = Some(*receiver);
                }
            }
        }
        plan.send.extend(quotas);
    }

    /// The receivers with something due, beginning behind the one that was served last.
    fn due_in_turn(&self, now: Timestamp, last: Option<ReceiverId>) -> Vec<ReceiverId> {
        let is_due = |(_, state): &(&ReceiverId, &ReceiverState)| state.due_at.is_some_and(|at| at <= now);
        let mut due: Vec<_> = self.receivers.iter().filter(is_due).map(|(receiver, _)| *receiver).collect();
        let split = due.partition_point(|receiver| last.is_some_and(|last| *receiver <= last));
        due.rotate_left(split);
        due
    }
}

/// What of a circuit is in its row.
fn row_values(circuit: &Circuit) -> (domain::shared::delivery::Health, u32, Option<Timestamp>) {
    (circuit.health, circuit.failures, circuit.probe_at)
}
