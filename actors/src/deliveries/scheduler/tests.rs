//! Which receivers get how many places.

use super::{ClaimPlan, ReceiverScheduler, receiver_state::COMMIT_MARGIN};
use domain::shared::{DeliveryId, ReceiverId, delivery::CircuitBreaker};
use jiff::Timestamp;
use storage::shared::deliveries::DueReceiver;

const NOW: Timestamp = Timestamp::UNIX_EPOCH;

fn healthy() -> CircuitBreaker {
    let mut breaker = CircuitBreaker::default();
    breaker.succeeded(NOW);
    breaker
}

fn failed(mut breaker: CircuitBreaker, times: usize) -> CircuitBreaker {
    for _ in 0..times {
        breaker.failed(NOW);
    }
    breaker
}

fn open() -> CircuitBreaker {
    failed(CircuitBreaker::default(), 10)
}

fn id(number: i64) -> DeliveryId {
    DeliveryId(uuid::Uuid::from_u128(number.unsigned_abs().into()))
}

/// Receivers with something due, numbered from 1. Ten each have the same owner.
fn scheduler(breakers: impl IntoIterator<Item = CircuitBreaker>) -> ReceiverScheduler {
    let mut scheduler = ReceiverScheduler::default();
    let found = |(number, breaker): (i64, CircuitBreaker)| DueReceiver {
        receiver: ReceiverId(number),
        owner: format!("webhook {}", number / 10).into(),
        breaker: breaker.stored(),
        due_at: Some(NOW),
    };
    scheduler.refresh((1..).zip(breakers).map(found).collect(), NOW);
    scheduler
}

fn sent(plan: &ClaimPlan) -> Vec<(i64, i64)> {
    plan.send.iter().map(|(receiver, quota)| (receiver.0, *quota)).collect()
}

/// Begins what was planned; each attempt soon waits for its receiver. Attempts are numbered like their
/// receivers.
fn begin(scheduler: &mut ReceiverScheduler) -> Vec<i64> {
    let plan = scheduler.plan(NOW);
    let receivers: Vec<_> = plan.send.iter().map(|(receiver, _)| *receiver).chain(plan.probe).collect();
    for receiver in &receivers {
        scheduler.attempt_started(*receiver, id(receiver.0));
        scheduler.attempt_is_slow(*receiver, id(receiver.0));
    }
    receivers.iter().map(|receiver| receiver.0).collect()
}

/// Begins attempts until there are places for no more. Returns how many there are.
fn begin_all(scheduler: &mut ReceiverScheduler) -> usize {
    while !begin(scheduler).is_empty() {}
    scheduler.running()
}

#[test]
fn a_receiver_gets_four_at_a_time_if_it_answered_the_last_time_and_else_one() {
    let mut scheduler =
        scheduler([healthy(), CircuitBreaker::default(), failed(healthy(), 1), failed(CircuitBreaker::default(), 9), open()]);
    let plan = scheduler.plan(NOW);
    assert_eq!((sent(&plan), plan.probe.len()), (vec![(1, 4), (2, 1), (3, 1), (4, 1)], 0));
    for receiver in 1..=4 {
        scheduler.attempt_started(ReceiverId(receiver), id(receiver));
    }
    assert_eq!(sent(&scheduler.plan(NOW)), [(1, 3)]);
    for receiver in 1..=4 {
        scheduler.attempt_ended(ReceiverId(receiver), id(receiver));
    }
    assert_eq!(sent(&scheduler.plan(NOW)), [(1, 4), (2, 1), (3, 1), (4, 1)]);
}

#[test]
fn what_is_not_due_is_not_claimed() {
    let mut scheduler = scheduler([healthy(), healthy()]);
    scheduler.receiver(ReceiverId(1)).due_at = None;
    scheduler.receiver(ReceiverId(2)).due_at = Some(Timestamp::MAX);
    assert_eq!(scheduler.plan(NOW), ClaimPlan::default());
    assert_eq!(scheduler.next_due(NOW), Some(Timestamp::MAX));
}

/// Each class keeps its places, however many of the others there are.
#[test]
fn silent_receivers_of_one_class_take_nothing_from_another() {
    let kinds = [CircuitBreaker::default(), failed(CircuitBreaker::default(), 1), failed(healthy(), 1)];
    for silent in kinds {
        let mut scheduler = scheduler(std::iter::repeat_n(silent, 2000).chain([healthy()]).chain(kinds));
        // Only the silent ones are due.
        let good: Vec<_> = [healthy()]
            .iter()
            .chain(&kinds)
            .zip(2001..)
            .filter(|(circuit, _)| **circuit != silent)
            .map(|(_, number)| number)
            .collect();
        for receiver in 2001..=2004 {
            scheduler.receiver(ReceiverId(receiver)).due_at = None;
        }
        assert!(begin_all(&mut scheduler) >= 200);
        for receiver in &good {
            scheduler.receiver(ReceiverId(*receiver)).due_at = Some(NOW);
        }
        assert_eq!(begin(&mut scheduler), good);
    }
}

/// The first attempts of a thousand new receivers are under way at once, and each has one of these only once.
#[test]
fn a_thousand_new_receivers_are_tried_at_once() {
    let mut scheduler = scheduler(std::iter::repeat_n(CircuitBreaker::default(), 1000));
    assert_eq!(begin_all(&mut scheduler), 1000);
    for receiver in 1..=1000 {
        scheduler.attempt_ended(ReceiverId(receiver), id(receiver));
        scheduler.receiver(ReceiverId(receiver)).breaker.failed(NOW);
    }
    assert!((200..300).contains(&begin_all(&mut scheduler)), "they have become those that fail");
}

#[test]
fn those_with_fewer_failures_are_tried_first() {
    let circuits = (0..299).map(|number| failed(CircuitBreaker::default(), 1 + number % 9));
    let mut scheduler = scheduler(circuits);
    let first: Vec<_> = begin(&mut scheduler).iter().map(|receiver| (receiver - 1) % 9).collect();
    assert_eq!((first.len(), first.iter().max()), (30, Some(&0)), "{first:?}");
}

/// A healthy receiver that falls silent leaves room for the healthy ones, and gets one attempt beside those
/// that wait.
#[test]
fn a_receiver_that_falls_silent_counts_as_one_that_failed() {
    let mut scheduler = scheduler([healthy(), healthy()]);
    scheduler.attempt_started(ReceiverId(1), id(1));
    scheduler.attempt_started(ReceiverId(1), id(2));
    scheduler.attempt_is_slow(ReceiverId(1), id(1));
    assert_eq!(sent(&scheduler.plan(NOW)), [(2, 4)], "one of two is still in its first second");
    scheduler.attempt_is_slow(ReceiverId(1), id(2));
    assert_eq!(sent(&scheduler.plan(NOW)), [(1, 1), (2, 4)]);
    scheduler.attempt_ended(ReceiverId(1), id(1));
    scheduler.attempt_ended(ReceiverId(1), id(2));
    assert_eq!(sent(&scheduler.plan(NOW)), [(1, 4), (2, 4)]);
}

/// Also when the receiver is in another class by then.
#[test]
fn a_place_is_given_back_where_it_was_taken() {
    let mut scheduler = scheduler(std::iter::repeat_n(CircuitBreaker::default(), 2000));
    let all = begin_all(&mut scheduler);
    for receiver in 1..=2000 {
        scheduler.receiver(ReceiverId(receiver)).breaker = failed(CircuitBreaker::default(), 2);
        scheduler.attempt_is_slow(ReceiverId(receiver), id(receiver));
        scheduler.attempt_ended(ReceiverId(receiver), id(receiver));
        scheduler.attempt_ended(ReceiverId(receiver), id(receiver));
        scheduler.receiver(ReceiverId(receiver)).breaker = CircuitBreaker::default();
    }
    assert_eq!((scheduler.running(), begin_all(&mut scheduler)), (0, all));
}

#[test]
fn what_was_scanned_is_left_out_until_a_delivery_of_the_receiver_finishes() {
    let mut scheduler = scheduler([healthy(), healthy()]);
    let receiver = ReceiverId(1);
    let late = NOW + jiff::SignedDuration::from_mins(1);
    scheduler.receiver(receiver).set_exhausted(late);
    assert_eq!(scheduler.scan_marks(), [(receiver, late - COMMIT_MARGIN)]);
    let found = |number| DueReceiver { receiver: ReceiverId(number), owner: "".into(), breaker: healthy(), due_at: None };
    scheduler.refresh(vec![found(1)], NOW);
    assert_eq!(scheduler.quota(receiver, 4).scanned_until, Some(late - COMMIT_MARGIN));
    scheduler.receiver(receiver).unblock(late);
    assert_eq!((scheduler.quota(receiver, 4).scanned_until, scheduler.receiver(receiver).due_at), (None, Some(late)));
    scheduler.receiver(receiver).set_exhausted(late);
    scheduler.refresh(vec![found(2)], NOW);
    assert_eq!(scheduler.scan_marks(), [], "a receiver that was paused begins anew");
}

#[test]
fn a_changed_breaker_is_dirty_until_it_is_saved() {
    let mut scheduler = scheduler([healthy()]);
    scheduler.receiver(ReceiverId(1)).breaker.failed(NOW);
    let dirty = scheduler.dirty_breakers();
    assert_eq!((dirty.len(), dirty[0].from.failures, dirty[0].to.failures), (1, 0, 1));
    assert_eq!(scheduler.dirty_breakers().len(), 1, "a failure to write loses nothing");
    scheduler.breaker_saved(&dirty[0]);
    assert_eq!(scheduler.dirty_breakers().len(), 0);
}

/// A success that could not be saved counts all the same; a failure changes no circuit that is open.
#[test]
fn what_arrived_here_outlives_the_row_of_another_process() {
    let mut scheduler = scheduler([failed(healthy(), 1), failed(healthy(), 1)]);
    scheduler.receiver(ReceiverId(1)).breaker.succeeded(NOW);
    scheduler.receiver(ReceiverId(2)).breaker.failed(NOW);
    let found =
        |number| DueReceiver { receiver: ReceiverId(number), owner: "".into(), breaker: open().stored(), due_at: Some(NOW) };
    scheduler.refresh(vec![found(1), found(2)], NOW);
    assert_eq!(sent(&scheduler.plan(NOW)), [(1, 4)]);
    assert_eq!(scheduler.dirty_breakers().iter().map(|update| update.from).collect::<Vec<_>>(), [open().stored()]);
}

#[test]
fn behind_an_open_circuit_deliveries_wait_and_probes_go_out_one_at_a_time() {
    let mut scheduler = scheduler([open(), healthy()]);
    let plan = scheduler.plan(NOW);
    assert_eq!((sent(&plan), plan.probe), (vec![(2, 4)], vec![]));
    let later = NOW + jiff::SignedDuration::from_secs(30);
    assert_eq!(scheduler.next_due(NOW), Some(later), "the dispatcher wakes for the probe");
    assert_eq!(scheduler.plan(later).probe, [ReceiverId(1)]);
    scheduler.attempt_started(ReceiverId(1), id(1));
    assert_eq!(scheduler.plan(later).probe, []);
}

/// However many circuits are open, what is due behind them takes no place from others.
#[test]
fn what_waits_takes_no_place() {
    let mut scheduler = scheduler(std::iter::repeat_n(open(), 2000).chain([failed(CircuitBreaker::default(), 5)]));
    assert_eq!(begin(&mut scheduler), [2001]);
}
