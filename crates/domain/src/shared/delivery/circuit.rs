//! The circuit of a receiver: closed while its deliveries are sent, open after many of them failed. Then they
//! wait, at no cost of attempts, and a probe goes out now and then: one delivery, whose outcome decides.
//!
//! ```text
//!            many attempts failed            the wait is over
//!   Closed ───────────────────────▶ Open ─────────────────────▶ Probing
//!     ▲                              ▲ ▲                          │ │ │
//!     │                              │ └─ failed: a longer wait ──┘ │ │ no outcome in time: the next probe
//!     └──────────── any attempt arrived ────────────────────────────┘ └─▶ Probing
//! ```

use jiff::{SignedDuration, Timestamp};
use strum::IntoStaticStr;

/// How long the first probe waits after the circuit opened.
const FIRST_WAIT: SignedDuration = SignedDuration::from_secs(30);
/// Each further wait is twice as long as the one before, up to this.
const LONGEST_WAIT: SignedDuration = SignedDuration::from_mins(10);
/// How far the clock may be adjusted between two readings.
const CLOCK_TOLERANCE: SignedDuration = SignedDuration::from_secs(1);

/// A time in which a receiver takes nothing.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Outage {
    /// When the circuit opened.
    pub since: Timestamp,
    /// How many probes have failed since.
    pub failed_probes: u32,
}

/// The circuit of a receiver. The name of its state is in rows.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, IntoStaticStr)]
#[strum(const_into_str, serialize_all = "lowercase")]
pub enum Circuit {
    #[default]
    Closed,
    /// Deliveries wait for a probe.
    Open {
        /// Since when, and what was tried.
        outage: Outage,
        /// When the next probe may go out.
        next_probe: Timestamp,
    },
    /// A probe is under way, and the other deliveries wait for its outcome.
    Probing {
        /// Since when, and what was tried before.
        outage: Outage,
        /// When the probe counts as lost, with the process that sent it.
        until: Timestamp,
    },
}

impl Circuit {
    /// A circuit that opens now.
    pub fn opened(now: Timestamp) -> Self {
        Self::Open { outage: Outage { since: later(now, SignedDuration::ZERO), failed_probes: 0 }, next_probe: later(now, wait(0)) }
    }

    /// The same circuit once a probe was sent whose outcome is known by a time. A closed circuit needs none.
    #[must_use]
    pub fn probed(self, until: Timestamp) -> Self {
        match self.outage() {
            Some(outage) => Self::Probing { outage, until: later(until, SignedDuration::ZERO) },
            None => Self::Closed,
        }
    }

    /// The same circuit after an attempt failed. That changes it while a probe is under way: attempts that
    /// began before the circuit opened end before the first probe goes out.
    #[must_use]
    pub fn failed(self, now: Timestamp) -> Self {
        match self {
            Self::Closed | Self::Open { .. } => self,
            Self::Probing { outage, .. } => {
                let failed_probes = outage.failed_probes.saturating_add(1);
                Self::Open { outage: Outage { failed_probes, ..outage }, next_probe: later(now, wait(failed_probes)) }
            }
        }
    }

    /// Whether a probe may go out.
    pub fn is_probe_due(&self, now: Timestamp) -> bool {
        // Later than any time that was planned: the clock was set back since, and the probe is due.
        let is_over = |at: Timestamp, planned: SignedDuration| at <= now || at > later(now, planned + CLOCK_TOLERANCE);
        match *self {
            Self::Closed => false,
            Self::Open { outage, next_probe } => is_over(next_probe, wait(outage.failed_probes)),
            Self::Probing { until, .. } => is_over(until, LONGEST_WAIT),
        }
    }

    /// Whether deliveries are sent as usual.
    pub fn is_closed(&self) -> bool {
        matches!(self, Self::Closed)
    }

    /// Since when it is not closed, and what was tried; `None` while it is closed.
    pub fn outage(&self) -> Option<Outage> {
        match *self {
            Self::Closed => None,
            Self::Open { outage, .. } | Self::Probing { outage, .. } => Some(outage),
        }
    }

    /// When the next probe may go out; `None` while it is closed, and while a probe is under way.
    pub fn next_probe(&self) -> Option<Timestamp> {
        if let Self::Open { next_probe, .. } = *self { Some(next_probe) } else { None }
    }

    /// Since when a delivery has waited for this circuit that was due at a time; `None` when it is sent as
    /// usual, or is not due yet.
    pub fn waiting_since(&self, due_at: Timestamp, now: Timestamp) -> Option<Timestamp> {
        self.outage().filter(|_| due_at <= now).map(|outage| outage.since.max(due_at))
    }

    /// The time that belongs to the state, in rows: of the next probe, or until when one is under way.
    pub fn until(&self) -> Option<Timestamp> {
        match *self {
            Self::Closed => None,
            Self::Open { next_probe: at, .. } | Self::Probing { until: at, .. } => Some(at),
        }
    }

    /// The circuit of a row: the name of its state, the time that belongs to it, and the outage. `None` for
    /// what no circuit writes.
    pub fn of(name: &str, until: Option<Timestamp>, outage: Option<Outage>) -> Option<Self> {
        match (name, until, outage) {
            ("closed", None, None) => Some(Self::Closed),
            ("open", Some(next_probe), Some(outage)) => Some(Self::Open { outage, next_probe }),
            ("probing", Some(until), Some(outage)) => Some(Self::Probing { outage, until }),
            _ => None,
        }
    }
}

/// How long the next probe waits after this number of failed ones.
fn wait(failed_probes: u32) -> SignedDuration {
    let doubled = 2_i32.checked_pow(failed_probes).and_then(|factor| FIRST_WAIT.checked_mul(factor));
    doubled.map_or(LONGEST_WAIT, |wait| wait.min(LONGEST_WAIT))
}

/// A later time in whole microseconds, which is what PostgreSQL stores: a circuit that is read back equals
/// the one that was written.
fn later(at: Timestamp, by: SignedDuration) -> Timestamp {
    let at = at.checked_add(by).unwrap_or(Timestamp::MAX);
    Timestamp::from_microsecond(at.as_microsecond()).unwrap_or(at)
}

#[cfg(test)]
mod tests {
    use super::{Circuit, Outage};
    use jiff::{SignedDuration, Timestamp};

    fn at(second: i64) -> Timestamp {
        Timestamp::UNIX_EPOCH + SignedDuration::from_secs(second)
    }

    #[test]
    fn probes_wait_for_half_a_minute_and_then_twice_as_long_each_time_up_to_ten_minutes() {
        let mut circuit = Circuit::opened(at(0));
        for (sent, wait) in [(30, 60), (100, 120), (300, 240), (600, 480), (2_000, 600), (3_000, 600), (9_000, 600)] {
            assert!(circuit.is_probe_due(at(sent)));
            circuit = circuit.probed(at(sent + 20)).failed(at(sent + 1));
            assert_eq!(circuit.next_probe(), Some(at(sent + 1 + wait)));
            assert!(!circuit.is_probe_due(at(sent + wait)) && circuit.is_probe_due(at(sent + 1 + wait)));
        }
        assert_eq!(circuit.outage(), Some(Outage { since: at(0), failed_probes: 7 }));
    }

    #[test]
    fn a_probe_that_did_not_report_in_its_time_holds_nothing_up_and_is_no_failed_one() {
        let circuit = Circuit::opened(at(0)).probed(at(50));
        assert!(!circuit.is_probe_due(at(49)) && circuit.is_probe_due(at(50)));
        assert_eq!(circuit.probed(at(70)), Circuit::Probing { outage: Outage { since: at(0), failed_probes: 0 }, until: at(70) });
    }

    #[test]
    fn an_attempt_that_began_before_it_opened_puts_off_no_probe() {
        let open = Circuit::opened(at(0));
        assert_eq!(open.failed(at(10)), open);
    }

    #[test]
    fn a_clock_that_is_set_back_delays_no_probe() {
        for circuit in [Circuit::opened(at(7_200)), Circuit::opened(at(7_200)).probed(at(7_250))] {
            assert!(circuit.is_probe_due(at(0)));
        }
        assert!(!Circuit::opened(at(1)).is_probe_due(at(0)), "a clock that is a second behind");
    }

    #[test]
    fn what_is_due_waits_from_then_on_or_from_the_moment_that_it_opened() {
        let circuit = Circuit::opened(at(100));
        for (due, now, since) in [(50, 200, Some(100)), (150, 200, Some(150)), (201, 200, None)] {
            assert_eq!(circuit.waiting_since(at(due), at(now)), since.map(at), "due at {due}");
        }
        assert_eq!(Circuit::Closed.waiting_since(at(50), at(200)), None);
    }

    #[test]
    fn a_row_holds_all_of_it_and_nothing_else() {
        let moment = Timestamp::new(7, 123_456_789).unwrap();
        for circuit in [Circuit::Closed, Circuit::opened(moment), Circuit::opened(moment).probed(moment)] {
            assert_eq!(Circuit::of(circuit.into_str(), circuit.until(), circuit.outage()), Some(circuit));
            assert!(circuit.until().is_none_or(|at| at.subsec_nanosecond() % 1_000 == 0), "the precision of a row");
        }
        assert_eq!(Circuit::of("open", None, None), None);
        assert_eq!(Circuit::of("closed", Some(at(1)), None), None);
        assert_eq!(Circuit::of("ajar", None, None), None);
    }
}
