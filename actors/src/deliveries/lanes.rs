//! Whose turn it is: one lane for each receiver with something open, picked in turn, so that nobody's backlog or silence holds up others.
//!
//! Of the permits for attempts some are only for receivers that answered the last time. An attempt that has waited a while gives its permit
//! back: waiting costs little, and silence must not use up what others need. Its lane then counts as one of those that did not answer.
//!
//! What follows an unfinished delivery of its key can be due and still not be had. So a claim that brought less than was asked for is
//! remembered: until something finishes there, only what became due since is looked at.

use domain::shared::{
    DeliveryId, ReceiverId,
    delivery::{Circuit, Turn},
};
use jiff::{SignedDuration, Timestamp};
use std::collections::{BTreeMap, BTreeSet};
use storage::shared::{
    deliveries::{Lane as Found, Quota, Searched},
    receivers::Learned,
};

/// How many deliveries of one receiver are under way at a time.
pub(super) const LANE: usize = 4;
/// How many are counted as failed in one go, where a circuit is open.
const COUNTED: i64 = 256;
/// And how many of all receivers: each is in memory for a moment.
const COUNTED_IN_ALL: i64 = 1024;
/// How many attempts may be under way in all, those that wait included: as many as can fall silent in eight seconds.
const RUNNING: usize = 512;
/// How many of these may be of receivers that are new or failing.
const RUNNING_UNWELL: usize = 192;
/// More lanes than this are not kept when there is nothing to do on them.
const KEPT: usize = 4096;
/// What became due that short a while ago may not have been committed yet when it was looked for.
const MARGIN: SignedDuration = SignedDuration::from_secs(2);

/// A receiver's lane.
#[derive(Debug, Default)]
pub(super) struct Lane {
    /// What is known of the receiver.
    pub(super) circuit: Circuit,
    /// What the row says of it.
    pub(super) stored: Circuit,
    /// Attempts under way.
    pub(super) running: usize,
    /// Those of them that have waited for a while.
    slow: Vec<DeliveryId>,
    /// When something is due there, as far as is known.
    pub(super) due_at: Option<Timestamp>,
    /// Up to which due time everything was had that can be.
    searched: Option<Timestamp>,
}

impl Lane {
    /// Whether it gets one at a time: it is new or failing, or does not answer just now.
    pub(super) fn is_unwell(&self) -> bool {
        !self.has_answered() || !self.slow.is_empty()
    }

    fn has_answered(&self) -> bool {
        self.circuit.turn(Timestamp::MIN) == Turn::Lane
    }

    /// Attempts under way that leave less room for those of others that are unwell.
    fn unwell(&self) -> usize {
        if self.has_answered() { self.slow.len() } else { self.running }
    }

    /// Whether it may have one more where it gets one at a time. Who has answered may be slow at one thing and not at the next.
    fn has_room_for_one(&self) -> bool {
        let waiting = if self.has_answered() { self.slow.len() } else { 0 };
        self.is_unwell() && self.running == waiting && self.running < LANE
    }

    /// An attempt has waited for a while.
    pub(super) fn slow(&mut self, id: DeliveryId) {
        self.slow.push(id);
    }

    /// An attempt ended.
    pub(super) fn ended(&mut self, id: DeliveryId) {
        self.running = self.running.saturating_sub(1);
        self.slow.retain(|slow| *slow != id);
    }

    /// When the next probe may go out is in its row already.
    pub(super) fn probe_at(&mut self, at: Timestamp) {
        (self.circuit.probe_at, self.stored.probe_at) = (Some(at), Some(at));
    }

    /// Something is due at a time.
    pub(super) fn due(&mut self, at: Timestamp) {
        self.due_at = Some(self.due_at.map_or(at, |due_at| due_at.min(at)));
    }

    /// A delivery is finished: what comes after it in its line can be had now.
    pub(super) fn made_way(&mut self, now: Timestamp) {
        self.searched = None;
        self.due(now);
    }

    /// Everything was had that is due and can be.
    pub(super) fn exhausted(&mut self, now: Timestamp) {
        self.due_at = None;
        self.searched = now.checked_sub(MARGIN).ok();
    }
}

/// All lanes.
#[derive(Debug, Default)]
pub(super) struct Lanes {
    all: BTreeMap<ReceiverId, Lane>,
    /// Who was served last, of each sort: the next one is first.
    last_well: Option<ReceiverId>,
    last_unwell: Option<ReceiverId>,
    last_counted: Option<ReceiverId>,
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
        let open: BTreeSet<_> = all.iter().map(|value| value.receiver).collect();
        for (receiver, lane) in &mut self.all {
            lane.due_at = None;
            if !open.contains(receiver) {
                // Who is paused, or has nothing open, begins anew; if there was anything to be saved, there is no row that takes it.
                lane.searched = None;
                lane.stored = lane.circuit;
            }
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
        self.all.values().map(|value| value.running).sum()
    }

    /// When the first thing is due after now, as far as is known.
    pub(super) fn next_due(&self, now: Timestamp) -> Option<Timestamp> {
        self.all.values().filter_map(|value| value.due_at).filter(|value| *value > now).min()
    }

    /// Up to where lanes were looked through.
    pub(super) fn searched(&self) -> Vec<Searched> {
        self.all.iter().filter_map(|(receiver, lane)| Some((*receiver, lane.searched?))).collect()
    }

    /// What was looked through is looked through again: others may have finished something there, or ended over it.
    pub(super) fn search_again(&mut self) {
        for lane in self.all.values_mut() {
            lane.searched = None;
        }
    }

    /// So many of a receiver.
    pub(super) fn quota(&mut self, receiver: ReceiverId, count: i64) -> Quota {
        Quota { receiver, count, searched: self.lane(receiver).searched }
    }

    /// Circuits that differ from what their rows are known to say.
    pub(super) fn unsaved(&self) -> Vec<Learned> {
        let key = |value: &Circuit| (value.health, value.failures, value.probe_at);
        let differs = |lane: &Lane| key(&lane.circuit) != key(&lane.stored);
        let learned = |(receiver, lane): (&ReceiverId, &Lane)| Learned { receiver: *receiver, from: lane.stored, to: lane.circuit };
        self.all.iter().filter(|(_, lane)| differs(lane)).map(learned).collect()
    }

    /// What was learned is in its row.
    pub(super) fn saved(&mut self, it: &Learned) {
        self.lane(it.receiver).stored = it.to;
    }

    /// Divides permits among the lanes in which something is due: `free` for all, of which `unwell` may go to receivers that are new or
    /// failing.
    pub(super) fn plan(&mut self, now: Timestamp, free: usize, unwell: usize) -> Plan {
        let mut plan = Plan::default();
        let mut free = free.min(RUNNING.saturating_sub(self.running()));
        let running_unwell: usize = self.all.values().map(Lane::unwell).sum();
        let mut unwell = unwell.min(RUNNING_UNWELL.saturating_sub(running_unwell));
        for receiver in self.due_in_turn(now, self.last_unwell) {
            let lane = self.lane(receiver);
            let turn = lane.circuit.turn(now);
            let is_single = matches!(turn, Turn::Single | Turn::Probe | Turn::Lane) && lane.has_room_for_one();
            if is_single && free > 0 && unwell > 0 {
                (free, unwell) = (free - 1, unwell - 1);
                if turn == Turn::Probe {
                    plan.probe.push(receiver);
                } else {
                    plan.send.push((receiver, 1));
                }
                self.last_unwell = Some(receiver);
            }
        }
        let mut countable = COUNTED_IN_ALL;
        for receiver in self.due_in_turn(now, self.last_counted) {
            if countable > 0 && self.lane(receiver).circuit.turn(now) == Turn::Count {
                plan.count.push((receiver, COUNTED.min(countable)));
                countable -= COUNTED;
                self.last_counted = Some(receiver);
            }
        }
        let wide: Vec<_> = self.due_in_turn(now, self.last_well);
        let mut quotas: BTreeMap<ReceiverId, i64> = BTreeMap::new();
        // One each, then a second one each: the long backlog does not go before the short one.
        for round in 0..LANE {
            for receiver in &wide {
                let lane = self.lane(*receiver);
                if free > 0 && !lane.is_unwell() && lane.running + round < LANE {
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
        let is_due = |(_, lane): &(&ReceiverId, &Lane)| lane.due_at.is_some_and(|due_at| due_at <= now);
        let mut due: Vec<_> = self.all.iter().filter(is_due).map(|(receiver, _)| *receiver).collect();
        let split = due.partition_point(|due| last.is_some_and(|last| *due <= last));
        due.rotate_left(split);
        due
    }
}

#[cfg(test)]
mod tests {
    use super::{LANE, Lanes, MARGIN, Plan, RUNNING_UNWELL};
    use domain::shared::{DeliveryId, ReceiverId, delivery::Circuit};
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

    /// Who was well and falls silent leaves room for who is well, and is tried with one at a time.
    #[test]
    fn who_falls_silent_counts_as_one_that_did_not_answer() {
        let mut lanes = lanes([well(), well()]);
        let id = |number| DeliveryId(uuid::Uuid::from_u128(number));
        let silent = lanes.lane(ReceiverId(1));
        silent.running = 2;
        silent.slow(id(1));
        assert_eq!(sent(&lanes.plan(NOW, 64, 48)), [(2, 4)], "one of two is still in its first second");
        lanes.lane(ReceiverId(1)).slow(id(2));
        assert_eq!(sent(&lanes.plan(NOW, 64, 48)), [(1, 1), (2, 4)]);
        assert_eq!(sent(&lanes.plan(NOW, 64, 0)), [(2, 4)], "it takes what the unwell have");
        lanes.lane(ReceiverId(1)).ended(id(1));
        lanes.lane(ReceiverId(1)).ended(id(2));
        assert_eq!(sent(&lanes.plan(NOW, 64, 48)), [(1, 4), (2, 4)]);
    }

    #[test]
    fn what_was_looked_through_is_left_out_until_something_finishes_there() {
        let mut lanes = lanes([well(), well()]);
        let receiver = ReceiverId(1);
        let late = NOW + jiff::SignedDuration::from_mins(1);
        lanes.lane(receiver).exhausted(late);
        assert_eq!(lanes.searched(), [(receiver, late - MARGIN)]);
        let found = |number| Found { receiver: ReceiverId(number), circuit: well(), due_at: None };
        lanes.found(vec![found(1)]);
        assert_eq!(lanes.quota(receiver, 4).searched, Some(late - MARGIN));
        lanes.lane(receiver).made_way(late);
        assert_eq!((lanes.quota(receiver, 4).searched, lanes.lane(receiver).due_at), (None, Some(late)));
        lanes.lane(receiver).exhausted(late);
        lanes.found(vec![found(2)]);
        assert_eq!(lanes.searched(), [], "who was paused begins anew");
    }

    #[test]
    fn what_was_learned_is_to_be_saved_until_it_is() {
        let mut lanes = lanes([well()]);
        lanes.lane(ReceiverId(1)).circuit.failed(NOW);
        let unsaved = lanes.unsaved();
        assert_eq!((unsaved.len(), unsaved[0].from.failures, unsaved[0].to.failures), (1, 0, 1));
        assert_eq!(lanes.unsaved().len(), 1, "a failure to write loses nothing");
        lanes.saved(&unsaved[0]);
        assert_eq!(lanes.unsaved().len(), 0);
    }

    #[test]
    fn counting_goes_round_too() {
        let mut lanes = lanes(std::iter::repeat_n(open(), 6));
        let counted = |lanes: &mut Lanes| lanes.plan(NOW, 64, 48).count.iter().map(|c| c.0.0).collect::<Vec<_>>();
        assert_eq!((counted(&mut lanes), counted(&mut lanes)), (vec![1, 2, 3, 4], vec![5, 6, 1, 2]));
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
