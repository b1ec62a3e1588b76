//! Deliveries: what is owed to a receiver outside, until it has arrived or is dead.
//!
//! ```text
//!            2xx
//!  pending ───────▶ delivered
//!    │  ▲              │
//!    │  └─ due again ──┤ redelivered on request, with five new attempts
//!    │                 │
//!    ├─ fifth failure, ┴▶ dead
//!    │  refused for good, or too old
//!    └─ its owner was deleted ─▶ cancelled, until it is redelivered on request
//! ```
//!
//! An attempt is a request that was made. While the [`Circuit`] of its receiver is open a pending delivery
//! waits, at no cost of attempts, until it is too old.

mod breaker;
mod circuit;
mod id;
mod schedule;

pub use breaker::{CircuitBreaker, Health, ReceiverHealth, SendMode};
pub use circuit::{Circuit, Outage};
pub use id::DeliveryId;
pub use schedule::RetrySchedule;

use std::time::Duration;
use strum::{EnumString, IntoStaticStr, VariantNames};

/// How many attempts a delivery has before it is dead.
pub const ATTEMPTS: u32 = 5;

/// How much of a response's body is kept, in bytes.
pub const MAX_ANSWER_BYTES: usize = 4096;

/// How an attempt ended. Its name is in rows, on the wire and in metrics.
#[derive(Debug, Clone, Copy, PartialEq, Eq, IntoStaticStr, VariantNames)]
#[strum(const_into_str, serialize_all = "lowercase")]
pub enum AttemptOutcome {
    /// 2xx.
    Delivered,
    /// Another status, redirects included; the receiver may have said when to come back.
    Rejected {
        /// `Retry-After`.
        retry_after: Option<Duration>,
    },
    /// 410 Gone: the receiver wants nothing more.
    Gone,
    /// The receiver is there and will never take this delivery.
    Refused,
    /// No response in time.
    #[strum(serialize = "timeout")]
    TimedOut,
    /// The name does not resolve, the connection is refused, or it broke.
    Unreachable,
    /// The guard against requests to internal targets refused this one.
    Blocked,
    /// Cut off, because the delivery was cancelled meanwhile. It may have arrived.
    Cancelled,
}

/// What follows an attempt.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Next {
    /// The delivery has arrived.
    Delivered,
    /// It is due again after a time, unless it was cancelled.
    Again(Duration),
    Dead(DeadReason),
}

/// Why a delivery is dead. Its name is in rows, audit logs and lines of the log.
#[derive(Debug, Clone, Copy, PartialEq, Eq, IntoStaticStr)]
#[strum(const_into_str, serialize_all = "lowercase")]
pub enum DeadReason {
    /// All of its attempts failed.
    Attempts,
    /// Its receiver is gone.
    Gone,
    /// Its receiver will never take it.
    Refused,
    /// It has waited for too long.
    Age,
}

/// Whether a delivery is dead because of its age. Time in which nothing was sent on purpose does not count.
pub fn is_too_old(age: Duration, max_age: Duration) -> bool {
    age >= max_age
}

/// Decides what follows an attempt. `failures` counts the earlier failed attempts since the delivery was
/// queued; `jitter_seed` decides where in its spread the wait falls.
pub fn next_attempt(outcome: AttemptOutcome, failures: u32, schedule: &RetrySchedule, jitter_seed: u32) -> Next {
    let hint = match outcome {
        AttemptOutcome::Delivered => return Next::Delivered,
        AttemptOutcome::Gone => return Next::Dead(DeadReason::Gone),
        AttemptOutcome::Refused => return Next::Dead(DeadReason::Refused),
        AttemptOutcome::Cancelled => return Next::Again(Duration::ZERO),
        AttemptOutcome::Rejected { retry_after } => retry_after,
        _ => None,
    };
    match schedule.after(failures.saturating_add(1), hint, jitter_seed) {
        Some(wait) => Next::Again(wait),
        None => Next::Dead(DeadReason::Attempts),
    }
}

/// The state of a delivery, as lists show and filter it. Its name is on the wire.
#[derive(Debug, Clone, Copy, PartialEq, Eq, EnumString, IntoStaticStr)]
#[strum(const_into_str, serialize_all = "lowercase")]
pub enum State {
    /// An attempt is under way, or due at some time.
    Pending,
    Delivered,
    /// No further attempt is made: see [`DeadReason`].
    Dead,
    /// No further attempt is made, because its owner was deleted.
    Cancelled,
}

#[cfg(test)]
mod tests {
    use super::{ATTEMPTS, AttemptOutcome, DeadReason, Next, RetrySchedule, State, next_attempt};
    use proptest::prelude::*;
    use std::time::Duration;
    use strum::VariantNames;

    fn failures() -> impl Strategy<Value = AttemptOutcome> {
        prop_oneof![
            prop::option::of(0_u64..10_000)
                .prop_map(|o| AttemptOutcome::Rejected { retry_after: o.map(std::time::Duration::from_secs) }),
            Just(AttemptOutcome::TimedOut),
            Just(AttemptOutcome::Unreachable),
            Just(AttemptOutcome::Blocked),
        ]
    }

    proptest! {
        /// Whatever fails: due again later after four failures, and dead after the fifth.
        #[test]
        fn a_delivery_dies_of_its_fifth_failure(outcomes in prop::collection::vec(failures(), 5), roll: u32) {
            let schedule = RetrySchedule::default();
            for (failed, outcome) in (0..).zip(outcomes) {
                match next_attempt(outcome, failed, &schedule, roll) {
                    Next::Again(wait) => {
                        prop_assert!(failed + 1 < ATTEMPTS);
                        prop_assert!(wait > Duration::ZERO && wait <= schedule.longest_wait());
                    }
                    Next::Dead(reason) => prop_assert_eq!((reason, failed + 1), (DeadReason::Attempts, ATTEMPTS)),
                    Next::Delivered => prop_assert!(false, "a failure delivers nothing"),
                }
            }
        }

        #[test]
        fn a_receiver_that_is_gone_or_refuses_gets_nothing_more(failed in 0_u32..10, roll: u32) {
            let schedule = RetrySchedule::default();
            prop_assert_eq!(next_attempt(AttemptOutcome::Gone, failed, &schedule, roll), Next::Dead(DeadReason::Gone));
            prop_assert_eq!(next_attempt(AttemptOutcome::Refused, failed, &schedule, roll), Next::Dead(DeadReason::Refused));
        }

        #[test]
        fn an_attempt_that_was_cut_off_decides_nothing(failed in 0_u32..10, roll: u32) {
            prop_assert_eq!(next_attempt(AttemptOutcome::Cancelled, failed, &RetrySchedule::default(), roll), Next::Again(Duration::ZERO));
        }

        #[test]
        fn success_is_the_end_at_any_attempt(failed in 0_u32..10, roll: u32) {
            let schedule = RetrySchedule::default();
            prop_assert_eq!(next_attempt(AttemptOutcome::Delivered, failed, &schedule, roll), Next::Delivered);
        }
    }

    #[test]
    fn a_receiver_that_asks_for_more_time_gets_it() {
        let schedule = RetrySchedule::default();
        let wait = Duration::from_mins(30);
        assert_eq!(next_attempt(AttemptOutcome::Rejected { retry_after: Some(wait) }, 0, &schedule, 0), Next::Again(wait));
        assert!(
            matches!(next_attempt(AttemptOutcome::Rejected { retry_after: None }, 0, &schedule, 0), Next::Again(short) if short < wait)
        );
    }

    #[test]
    fn every_outcome_has_its_name() {
        let outcomes = [
            AttemptOutcome::Delivered,
            AttemptOutcome::Rejected { retry_after: None },
            AttemptOutcome::Gone,
            AttemptOutcome::Refused,
            AttemptOutcome::TimedOut,
            AttemptOutcome::Unreachable,
            AttemptOutcome::Blocked,
            AttemptOutcome::Cancelled,
        ];
        assert_eq!(outcomes.map(<&str>::from), AttemptOutcome::VARIANTS);
    }

    #[test]
    fn states_are_read_by_the_names_that_lists_show() {
        for (name, state) in
            [("pending", State::Pending), ("delivered", State::Delivered), ("dead", State::Dead), ("cancelled", State::Cancelled)]
        {
            assert_eq!((state.into_str(), name.parse()), (name, Ok(state)));
        }
        assert!("gone".parse::<State>().is_err());
    }
}
