//! What opens a circuit, what closes it, and what a receiver gets.

use super::{Circuit, CircuitBreaker, Health, ReceiverHealth, SendMode};
use jiff::{SignedDuration, Timestamp};

fn at(second: i64) -> Timestamp {
    Timestamp::UNIX_EPOCH + SignedDuration::from_secs(second)
}

fn after(outcomes: &[bool]) -> CircuitBreaker {
    let mut breaker = CircuitBreaker::default();
    for succeeded in outcomes {
        if *succeeded { breaker.succeeded(at(0)) } else { breaker.failed(at(0)) }
    }
    breaker
}

#[test]
fn several_at_a_time_are_for_receivers_that_answered() {
    assert_eq!(after(&[]).send_mode(at(0)), SendMode::Single);
    assert_eq!(after(&[true]).send_mode(at(0)), SendMode::Concurrent);
    assert_eq!(after(&[true, false]).send_mode(at(0)), SendMode::Single);
    assert_eq!(after(&[false, true]).send_mode(at(0)), SendMode::Concurrent);
}

#[test]
fn a_few_failures_are_forgiven_to_those_who_have_answered() {
    assert_eq!(after(&[]).standing(), ReceiverHealth::New);
    assert_eq!(after(&[false]).standing(), ReceiverHealth::Failing);
    assert_eq!(after(&[false, true]).standing(), ReceiverHealth::Proven);
    assert_eq!(after(&[true, false]).standing(), ReceiverHealth::Faltering);
    assert_eq!(after(&[true, false, false, false, false]).standing(), ReceiverHealth::Faltering);
    assert_eq!(after(&[true, false, false, false, false, false]).standing(), ReceiverHealth::Failing);
    assert_eq!(after(&[true, false, true, false]).standing(), ReceiverHealth::Faltering);
    let often = [false, false, false, false, false, false, false, false, true, false];
    assert_eq!(after(&often).standing(), ReceiverHealth::Failing, "an open circuit is not forgiven");
}

#[test]
fn ten_failures_in_a_row_open_the_circuit_and_a_success_closes_it() {
    assert!(after(&[false; 9]).circuit.is_closed());
    let mut breaker = after(&[false; 10]);
    for (second, mode) in [(-1, SendMode::Wait), (0, SendMode::Wait), (29, SendMode::Wait), (30, SendMode::Probe)] {
        assert_eq!(breaker.send_mode(at(second)), mode, "after {second} s");
    }
    breaker = breaker.probed(at(50));
    assert_eq!(breaker.send_mode(at(30)), SendMode::Wait);
    breaker.succeeded(at(31));
    assert_eq!((breaker.send_mode(at(31)), breaker.failures, breaker.health), (SendMode::Concurrent, 0, Health::Healthy));
}

#[test]
fn seventy_per_cent_of_the_attempts_of_five_minutes_open_it_too() {
    let mixed = [true, false, false, false, true, false, false, true, false];
    assert!(after(&mixed).circuit.is_closed());
    assert_eq!(after(&[&mixed[..], &[false]].concat()).circuit, Circuit::opened(at(0)));
    let mut breaker = after(&mixed);
    breaker.failed(at(300));
    assert!(breaker.circuit.is_closed(), "earlier failures do not count");
}

#[test]
fn less_than_seventy_per_cent_leave_it_closed() {
    // Six failures in ten attempts, and 69 in a hundred, never many in a row.
    let six = [false, true, false, true, false, true, false, true, false, false];
    assert!(after(&six).circuit.is_closed());
    let failures_of = |attempts: u32| attempts * 69 / 100;
    let hundred: Vec<bool> = (1..=100).map(|attempt| failures_of(attempt) == failures_of(attempt - 1)).collect();
    assert!(after(&hundred).circuit.is_closed());
}

#[test]
fn a_window_of_fewer_than_ten_attempts_decides_nothing() {
    assert!(after(&[true, false, false, false, false, false, false, false, false]).circuit.is_closed());
}

#[test]
fn a_breaker_is_restored_as_it_was_stored_and_its_window_begins_anew() {
    let breaker = after(&[true, true, true, false, false, false, false, false, false]);
    let mut restored = CircuitBreaker::restored(breaker.health, breaker.failures, breaker.has_answered, breaker.circuit);
    assert_eq!(restored, breaker.stored());
    restored.failed(at(1));
    assert!(restored.circuit.is_closed(), "the tenth attempt, and the first of the new window");
}

/// Two processes send to one receiver. What either finds out counts, in whatever order they write.
#[test]
fn what_another_process_has_written_is_joined_with_what_ended_here() {
    let held = after(&[false; 4]).stored();
    let here = |outcomes: &[bool]| {
        let mut breaker = held;
        for succeeded in outcomes {
            if *succeeded { breaker.succeeded(at(0)) } else { breaker.failed(at(0)) }
        }
        breaker
    };
    let rebased = |breaker: CircuitBreaker, found: &[bool]| breaker.rebased(&held, &here(found).stored(), at(0));
    assert_eq!(rebased(here(&[]), &[false]).stored(), here(&[false]).stored(), "nothing has ended here");
    assert_eq!(rebased(here(&[false; 2]), &[false; 3]).failures, 9);
    assert_eq!(rebased(here(&[false; 3]), &[false; 3]).circuit, Circuit::opened(at(0)));
    assert_eq!(rebased(here(&[true]), &[false; 6]).stored(), here(&[true]).stored(), "it closes a circuit that is open");
    assert_eq!(rebased(here(&[true, false]), &[false]).failures, 1);
    // A failure that began before the circuit opened is no failed probe.
    let probing = here(&[false; 6]).probed(at(50));
    assert_eq!(here(&[false]).rebased(&held, &probing.stored(), at(1)).circuit, probing.circuit);
}

#[test]
fn a_window_goes_on_when_another_process_has_written() {
    let mixed = after(&[true, false, false, false, true, false, false, true, false]);
    let mut breaker = mixed.rebased(&mixed.stored(), &after(&[true]).stored(), at(0));
    breaker.failed(at(0));
    assert!(!breaker.circuit.is_closed(), "seven of ten");
}

#[test]
fn the_health_is_stored_by_name() {
    for (health, name) in [(Health::New, "new"), (Health::Healthy, "well"), (Health::Failing, "failing")] {
        assert_eq!((health.into_str(), name.parse()), (name, Ok(health)));
    }
    assert!("healthy".parse::<Health>().is_err());
}
