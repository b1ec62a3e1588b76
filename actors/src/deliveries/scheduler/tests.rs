//! Which receivers get how many permits.

use super::{ClaimPlan, MAX_CONCURRENT, MAX_RUNNING_DEGRADED, ReceiverScheduler, receiver_state::COMMIT_MARGIN};
use domain::shared::{DeliveryId, ReceiverId, delivery::Circuit};
use jiff::Timestamp;
use storage::shared::deliveries::DueReceiver;

const NOW: Timestamp = Timestamp::UNIX_EPOCH;

fn healthy() -> Circuit {
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

fn scheduler(circuits: impl IntoIterator<Item = Circuit>) -> ReceiverScheduler {
    let mut scheduler = ReceiverScheduler::default();
    let found = |(number, circuit)| DueReceiver { receiver: ReceiverId(number), circuit, due_at: Some(NOW) };
    scheduler.refresh((1..).zip(circuits).map(found).collect());
    scheduler
}

fn sent(plan: &ClaimPlan) -> Vec<(i64, i64)> {
    plan.send.iter().map(|(receiver, quota)| (receiver.0, *quota)).collect()
}

#[test]
fn permits_go_round_and_no_receiver_gets_more_than_its_bound() {
    let mut scheduler = scheduler([healthy(), healthy(), healthy()]);
    assert_eq!(sent(&scheduler.plan(NOW, 64, 64)), [(1, 4), (2, 4), (3, 4)]);
    assert_eq!(sent(&scheduler.plan(NOW, 4, 64)), [(1, 2), (2, 1), (3, 1)]);
    // The first was served last, so the others come first.
    assert_eq!(sent(&scheduler.plan(NOW, 2, 64)), [(2, 1), (3, 1)]);
    scheduler.receiver(ReceiverId(1)).running = MAX_CONCURRENT;
    scheduler.receiver(ReceiverId(2)).running = 1;
    assert_eq!(sent(&scheduler.plan(NOW, 64, 64)), [(2, 3), (3, 4)]);
}

#[test]
fn what_is_not_due_is_not_claimed() {
    let mut scheduler = scheduler([healthy(), healthy()]);
    scheduler.receiver(ReceiverId(1)).due_at = None;
    scheduler.receiver(ReceiverId(2)).due_at = Some(Timestamp::MAX);
    assert_eq!(scheduler.plan(NOW, 64, 64), ClaimPlan::default());
    assert_eq!(scheduler.next_due(NOW), Some(Timestamp::MAX));
}

#[test]
fn the_new_and_the_failing_get_one_at_a_time_and_leave_room_for_the_healthy() {
    let mut scheduler = scheduler(std::iter::repeat_n(Circuit::default(), 100).chain([healthy()]));
    let plan = scheduler.plan(NOW, 64, 48);
    assert_eq!(sent(&plan), (1..=48).map(|number| (number, 1)).chain([(101, 4)]).collect::<Vec<_>>());
    assert_eq!(sent(&scheduler.plan(NOW, 64, 48))[0], (49, 1), "a receiver that was served waits until the others were");
    for number in 1..=100 {
        scheduler.receiver(ReceiverId(number)).running = 1;
    }
    assert_eq!(sent(&scheduler.plan(NOW, 64, 48)), [(101, 4)], "a second one only after the first");
}

#[test]
fn silent_receivers_cannot_use_up_everything_by_waiting() {
    let mut scheduler = scheduler(std::iter::repeat_n(Circuit::default(), 1000).chain([healthy()]));
    for number in 1..=i64::try_from(MAX_RUNNING_DEGRADED).unwrap() {
        scheduler.receiver(ReceiverId(number)).running = 1;
    }
    assert_eq!(sent(&scheduler.plan(NOW, 64, 48)), [(1001, 4)]);
}

/// A healthy receiver that falls silent leaves room for the healthy ones, and gets one attempt at a time.
#[test]
fn a_receiver_that_falls_silent_counts_as_one_that_did_not_answer() {
    let mut scheduler = scheduler([healthy(), healthy()]);
    let id = |number| DeliveryId(uuid::Uuid::from_u128(number));
    let silent = scheduler.receiver(ReceiverId(1));
    silent.running = 2;
    silent.attempt_is_slow(id(1));
    assert_eq!(sent(&scheduler.plan(NOW, 64, 48)), [(2, 4)], "one of two is still in its first second");
    scheduler.receiver(ReceiverId(1)).attempt_is_slow(id(2));
    assert_eq!(sent(&scheduler.plan(NOW, 64, 48)), [(1, 1), (2, 4)]);
    assert_eq!(sent(&scheduler.plan(NOW, 64, 0)), [(2, 4)], "it takes a permit of the degraded");
    scheduler.receiver(ReceiverId(1)).attempt_ended(id(1));
    scheduler.receiver(ReceiverId(1)).attempt_ended(id(2));
    assert_eq!(sent(&scheduler.plan(NOW, 64, 48)), [(1, 4), (2, 4)]);
}

#[test]
fn what_was_scanned_is_left_out_until_a_delivery_of_the_receiver_finishes() {
    let mut scheduler = scheduler([healthy(), healthy()]);
    let receiver = ReceiverId(1);
    let late = NOW + jiff::SignedDuration::from_mins(1);
    scheduler.receiver(receiver).set_exhausted(late);
    assert_eq!(scheduler.scan_marks(), [(receiver, late - COMMIT_MARGIN)]);
    let found = |number| DueReceiver { receiver: ReceiverId(number), circuit: healthy(), due_at: None };
    scheduler.refresh(vec![found(1)]);
    assert_eq!(scheduler.quota(receiver, 4).scanned_until, Some(late - COMMIT_MARGIN));
    scheduler.receiver(receiver).unblock(late);
    assert_eq!((scheduler.quota(receiver, 4).scanned_until, scheduler.receiver(receiver).due_at), (None, Some(late)));
    scheduler.receiver(receiver).set_exhausted(late);
    scheduler.refresh(vec![found(2)]);
    assert_eq!(scheduler.scan_marks(), [], "a receiver that was paused begins anew");
}

#[test]
fn a_changed_circuit_is_dirty_until_it_is_saved() {
    let mut scheduler = scheduler([healthy()]);
    scheduler.receiver(ReceiverId(1)).circuit.failed(NOW);
    let dirty = scheduler.dirty_circuits();
    assert_eq!((dirty.len(), dirty[0].from.failures, dirty[0].to.failures), (1, 0, 1));
    assert_eq!(scheduler.dirty_circuits().len(), 1, "a failure to write loses nothing");
    scheduler.circuit_saved(&dirty[0]);
    assert_eq!(scheduler.dirty_circuits().len(), 0);
}

#[test]
fn failing_fast_goes_round_too() {
    let mut scheduler = scheduler(std::iter::repeat_n(open(), 6));
    let failed = |scheduler: &mut ReceiverScheduler| {
        scheduler.plan(NOW, 64, 48).fail_fast.iter().map(|(receiver, _)| receiver.0).collect::<Vec<_>>()
    };
    assert_eq!((failed(&mut scheduler), failed(&mut scheduler)), (vec![1, 2, 3, 4], vec![5, 6, 1, 2]));
}

#[test]
fn memory_is_bounded_however_many_circuits_are_open() {
    let mut scheduler = scheduler(std::iter::repeat_n(open(), 1000));
    assert_eq!(scheduler.plan(NOW, 64, 48).fail_fast.iter().map(|(_, quota)| quota).sum::<i64>(), 1024);
}

#[test]
fn behind_an_open_circuit_deliveries_fail_fast_and_probes_go_out_one_at_a_time() {
    let mut scheduler = scheduler([open(), healthy()]);
    let plan = scheduler.plan(NOW, 64, 48);
    assert_eq!((plan.fail_fast.len(), plan.probe.len()), (1, 0));
    let later = NOW + jiff::SignedDuration::from_secs(30);
    assert_eq!(scheduler.plan(later, 64, 48).probe, [ReceiverId(1)]);
    scheduler.receiver(ReceiverId(1)).running = 1;
    assert_eq!(scheduler.plan(later, 64, 48).probe, []);
}
