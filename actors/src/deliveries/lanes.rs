//! Whose turn it is: one lane for each receiver with something open, picked in turn, so that nobody's backlog or silence holds up others.
//!
//! Of the permits for attempts some are only for receivers that answered the last time. An attempt that has waited a while gives its permit
//! back: waiting costs little, and silence must not use up what others need.

use domain::shared::{
    ReceiverId,
    delivery::{Circuit, Turn},
};
use jiff::Timestamp;
use std::collections::BTreeMap;
use storage::shared::deliveries::Lane as Found;

/// How many deliveries of one receiver are under way at a time.
pub(super) const LANE: usize = 4;
/// How many are counted as failed in one go, where a circuit is open.
const COUNTED: i64 = 256;
/// And how many of all receivers: each is in memory for a moment.
const COUNTED_IN_ALL: i64 = 1024;
/// How many attempts may be under way in all, those that wait included.
const RUNNING: usize = 256;
/// How many of these may be of receivers that are new or failing.
const RUNNING_UNWELL: usize = 192;
/// More lanes than this are not kept when there is nothing to do on them.
const KEPT: usize = 4096;

/// A receiver's lane.
#[derive(Debug, Default)]
pub(super) struct Lane {
    /// What is known of the receiver.
    pub(super) circuit: Circuit,
    /// What the row says of it.
    pub(super) stored: Circuit,
    /// Attempts under way.
    pub(super) running: usize,
    /// When something is due there, as far as is known.
    pub(super) due_at: Option<Timestamp>,
}

impl Lane {
    fn is_unwell(&self) -> bool {
        self.circuit.turn(Timestamp::MIN) != Turn::Lane
    }
}

/// All lanes.
#[derive(Debug, Default)]
pub(super) struct Lanes {
    all: BTreeMap<ReceiverId, Lane>,
    /// Who was served last, of each sort: the next one is first.
    last_well: Option<ReceiverId>,
    last_unwell: Option<ReceiverId>,
}

/// What to claim.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Plan {
    /// To be sent: so many of each.
    pub(super) send: Vec<(ReceiverId, i64)>,
    /// To be sent one each, once the right to a probe is had.
    pub(super) probe: Vec<ReceiverId>,
    /// To be counted as failed without being sent.
    pub(super) count: Vec<(ReceiverId, i64)>,
}

impl Lanes {
    /// Takes over what the database says is open.
    pub(super) fn found(&mut self, all: Vec<Found>) {
        for lane in self.all.values_mut() {
            lane.due_at = None;
        }
        for found in all {
            let lane = self.all.entry(found.receiver).or_default();
            let is_news = lane.stored.probe_at != found.circuit.probe_at || lane.stored.failures != found.circuit.failures;
            // What this process knows is newer, unless another one has written since.
            if is_news || lane.stored.health != found.circuit.health {
                (lane.circuit, lane.stored) = (found.circuit, found.circuit);
            }
            lane.due_at = found.due_at;
        }
        if self.all.len() > KEPT {
            self.all.retain(|_, lane| lane.running > 0 || lane.due_at.is_some());
        }
    }

    /// The lane of a receiver.
    pub(super) fn lane(&mut self, receiver: ReceiverId) -> &mut Lane {
        self.all.entry(receiver).or_default()
    }

    /// How many attempts are under way.
    pub(super) fn running(&self) -> usize {
        self.all.values().map(|it| it.running).sum()
    }

    /// When the first thing is due after now, as far as is known.
    pub(super) fn next_due(&self, now: Timestamp) -> Option<Timestamp> {
        self.all.values().filter_map(|it| it.due_at).filter(|it| *it > now).min()
    }

    /// Circuits that differ from their rows. From now on they count as written.
    pub(super) fn unsaved(&mut self) -> Vec<(ReceiverId, Circuit)> {
        let differs = |it: &Lane| {
            let key = |it: &Circuit| (it.health, it.failures, it.probe_at);
            key(&it.circuit) != key(&it.stored)
        };
        self.all
            .iter_mut()
            .filter(|(_, lane)| differs(lane))
            .map(|(receiver, lane)| {
                lane.stored = lane.circuit;
                (*receiver, lane.circuit)
            })
            .collect()
    }

    /// Divides permits among the lanes in which something is due: `free` for all, of which `unwell` may go to receivers that are new or
    /// failing.
    pub(super) fn plan(&mut self, now: Timestamp, free: usize, unwell: usize) -> Plan {
        let mut plan = Plan::default();
        let mut free = free.min(RUNNING.saturating_sub(self.running()));
        let running_unwell: usize = self.all.values().filter(|it| it.is_unwell()).map(|it| it.running).sum();
        let mut unwell = unwell.min(RUNNING_UNWELL.saturating_sub(running_unwell));
        let mut countable = COUNTED_IN_ALL;
        for receiver in self.due_in_turn(now, self.last_unwell) {
            let lane = self.lane(receiver);
            let turn = lane.circuit.turn(now);
            match turn {
                Turn::Count if countable > 0 => {
                    plan.count.push((receiver, COUNTED.min(countable)));
                    countable -= COUNTED;
                }
                Turn::Single | Turn::Probe if lane.running == 0 && free > 0 && unwell > 0 => {
                    (free, unwell) = (free - 1, unwell - 1);
                    if turn == Turn::Probe {
                        plan.probe.push(receiver);
                    } else {
                        plan.send.push((receiver, 1));
                    }
                    self.last_unwell = Some(receiver);
                }
                Turn::Single | Turn::Probe | Turn::Count | Turn::Wait | Turn::Lane => {}
            }
        }
        let wide: Vec<_> = self.due_in_turn(now, self.last_well);
        let mut quotas: BTreeMap<ReceiverId, i64> = BTreeMap::new();
        // One each, then a second one each: the long backlog does not go before the short one.
        for round in 0..LANE {
            for receiver in &wide {
                let lane = self.lane(*receiver);
                if free > 0 && lane.circuit.turn(now) == Turn::Lane && lane.running + round < LANE {
                    free -= 1;
                    *quotas.entry(*receiver).or_default() += 1;
                    self.last_well = Some(*receiver);
                }
            }
        }
        plan.send.extend(quotas);
        plan
    }

    /// The lanes in which something is due, beginning behind the one that was served last.
    fn due_in_turn(&self, now: Timestamp, last: Option<ReceiverId>) -> Vec<ReceiverId> {
        let is_due = |(_, lane): &(&ReceiverId, &Lane)| lane.due_at.is_some_and(|it| it <= now);
        let mut due: Vec<_> = self.all.iter().filter(is_due).map(|(receiver, _)| *receiver).collect();
        let split = due.partition_point(|it| last.is_some_and(|last| *it <= last));
        due.rotate_left(split);
        due
    }
}

#[cfg(test)]
mod tests {
    use super::{LANE, Lanes, Plan, RUNNING_UNWELL};
    use domain::shared::{ReceiverId, delivery::Circuit};
    use jiff::Timestamp;
    use storage::shared::deliveries::Lane as Found;

    const NOW: Timestamp = Timestamp::UNIX_EPOCH;

    fn well() -> Circuit {
        let mut circuit = Circuit::default();
        circuit.succeeded(NOW);
        circuit
    }

    fn open() -> Circuit {
        let mut circuit = Circuit::default();
        for _ in 0..10 {
            circuit.failed(NOW);
        }
        circuit
    }

    fn lanes(circuits: impl IntoIterator<Item = Circuit>) -> Lanes {
        let mut lanes = Lanes::default();
        let found = |(number, circuit)| Found { receiver: ReceiverId(number), circuit, due_at: Some(NOW) };
        lanes.found((1..).zip(circuits).map(found).collect());
        lanes
    }

    fn sent(plan: &Plan) -> Vec<(i64, i64)> {
        plan.send.iter().map(|(receiver, quota)| (receiver.0, *quota)).collect()
    }

    #[test]
    fn permits_go_round_and_nobody_gets_more_than_a_lane() {
        let mut lanes = lanes([well(), well(), well()]);
        assert_eq!(sent(&lanes.plan(NOW, 64, 64)), [(1, 4), (2, 4), (3, 4)]);
        assert_eq!(sent(&lanes.plan(NOW, 4, 64)), [(1, 2), (2, 1), (3, 1)]);
        // The first was served last, so the others come first.
        assert_eq!(sent(&lanes.plan(NOW, 2, 64)), [(2, 1), (3, 1)]);
        lanes.lane(ReceiverId(1)).running = LANE;
        lanes.lane(ReceiverId(2)).running = 1;
        assert_eq!(sent(&lanes.plan(NOW, 64, 64)), [(2, 3), (3, 4)]);
    }

    #[test]
    fn what_is_not_due_is_not_claimed() {
        let mut lanes = lanes([well(), well()]);
        lanes.lane(ReceiverId(1)).due_at = None;
        lanes.lane(ReceiverId(2)).due_at = Some(Timestamp::MAX);
        assert_eq!(lanes.plan(NOW, 64, 64), Plan::default());
        assert_eq!(lanes.next_due(NOW), Some(Timestamp::MAX));
    }

    #[test]
    fn the_new_and_the_failing_get_one_at_a_time_and_leave_room_for_the_well() {
        let mut lanes = lanes(std::iter::repeat_n(Circuit::default(), 100).chain([well()]));
        let plan = lanes.plan(NOW, 64, 48);
        assert_eq!(sent(&plan), (1..=48).map(|number| (number, 1)).chain([(101, 4)]).collect::<Vec<_>>());
        assert_eq!(sent(&lanes.plan(NOW, 64, 48))[0], (49, 1), "who was served waits until the others were");
        for number in 1..=100 {
            lanes.lane(ReceiverId(number)).running = 1;
        }
        assert_eq!(sent(&lanes.plan(NOW, 64, 48)), [(101, 4)], "a second one only after the first");
    }

    #[test]
    fn the_silent_cannot_use_up_everything_by_waiting() {
        let mut lanes = lanes(std::iter::repeat_n(Circuit::default(), 1000).chain([well()]));
        for number in 1..=i64::try_from(RUNNING_UNWELL).unwrap() {
            lanes.lane(ReceiverId(number)).running = 1;
        }
        assert_eq!(sent(&lanes.plan(NOW, 64, 48)), [(1001, 4)]);
    }

    #[test]
    fn memory_is_bounded_however_many_circuits_are_open() {
        let mut lanes = lanes(std::iter::repeat_n(open(), 1000));
        assert_eq!(lanes.plan(NOW, 64, 48).count.iter().map(|(_, quota)| quota).sum::<i64>(), 1024);
    }

    #[test]
    fn behind_an_open_circuit_deliveries_are_counted_and_probes_go_out_one_at_a_time() {
        let mut lanes = lanes([open(), well()]);
        let plan = lanes.plan(NOW, 64, 48);
        assert_eq!((plan.count.len(), plan.probe.len()), (1, 0));
        let later = NOW + jiff::SignedDuration::from_secs(30);
        assert_eq!(lanes.plan(later, 64, 48).probe, [ReceiverId(1)]);
        lanes.lane(ReceiverId(1)).running = 1;
        assert_eq!(lanes.plan(later, 64, 48).probe, []);
    }
}
