//! The circuit breaker of a receiver: how its last attempts went, and what may be sent to it.
//!
//! A healthy receiver gets several deliveries at a time. One that is new, or failed the last time, gets one at a time, so that silent
//! receivers hold few attempts. When many attempts failed the circuit opens: a probe goes out now and then, and what is due meanwhile fails
//! without being sent, so that it dies on schedule.

use jiff::{SignedDuration, Timestamp};

/// How often a probe goes to a receiver whose circuit is open.
pub const PROBE_EVERY: SignedDuration = SignedDuration::from_secs(30);
/// How long a probe may be under way: what is due waits for its outcome.
const PROBE_TIMEOUT: SignedDuration = SignedDuration::from_secs(12);
/// How far the clock may be adjusted between two readings.
const CLOCK_TOLERANCE: SignedDuration = SignedDuration::from_secs(1);
/// How many failures in a row open the circuit.
const MAX_FAILURES_IN_A_ROW: u32 = 10;
/// The circuit opens as well when at least this share of the attempts of a window failed, in per cent.
const MAX_FAILED_PERCENT: u32 = 70;
/// A window with fewer attempts decides nothing.
const MIN_ATTEMPTS: u32 = 10;
/// How long a window lasts.
const WINDOW: SignedDuration = SignedDuration::from_mins(5);
/// So many failures in a row may be one short fault: the attempts that were under way at the same time fail together.
const FEW_FAILURES: u32 = 4;

/// How the last attempts went.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Health {
    /// Never tried.
    #[default]
    New,
    /// The last attempt arrived.
    Healthy,
    /// The last attempt failed.
    Failing,
}

impl Health {
    /// The name in rows and on the wire.
    pub fn name(self) -> &'static str {
        match self {
            Self::New => "new",
            Self::Healthy => "well",
            Self::Failing => "failing",
        }
    }

    /// The health with a name.
    pub fn of(name: &str) -> Option<Self> {
        [Self::New, Self::Healthy, Self::Failing].into_iter().find(|value| value.name() == name)
    }
}

/// How a receiver's deliveries are sent.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SendMode {
    /// Several are sent at a time.
    Concurrent,
    /// One is sent at a time.
    Single,
    /// One is sent, as a probe.
    Probe,
    /// They wait for a probe that is under way.
    Wait,
    /// They fail without being sent.
    FailFast,
}

/// What the history of a receiver lets expect of it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Standing {
    /// It answered the last time.
    Proven,
    /// It has answered before, and failed a few times since.
    Faltering,
    /// Nothing was ever sent to it.
    New,
    /// It has failed, and has never answered or not for a while.
    Failing,
}

/// The circuit of one receiver.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Circuit {
    /// How the last attempt went.
    pub health: Health,
    /// Failures since the last success.
    pub failures: u32,
    /// When the next probe may go out; `None` while the circuit is closed.
    pub probe_at: Option<Timestamp>,
    /// Whether it has ever answered at its URL.
    pub has_answered: bool,
    window: Window,
}

/// The attempts of the last minutes. It is not stored: each process counts its own.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
struct Window {
    since: Option<Timestamp>,
    attempts: u32,
    failures: u32,
}

impl Circuit {
    /// A circuit as it was stored. The window begins anew.
    pub fn restored(health: Health, failures: u32, probe_at: Option<Timestamp>, has_answered: bool) -> Self {
        Self { health, failures, probe_at, has_answered, window: Window::default() }
    }

    /// What is to be expected of the receiver.
    pub fn standing(&self) -> Standing {
        match self.health {
            Health::Healthy => Standing::Proven,
            Health::New => Standing::New,
            Health::Failing if self.has_answered && self.failures <= FEW_FAILURES && self.probe_at.is_none() => Standing::Faltering,
            Health::Failing => Standing::Failing,
        }
    }

    /// How deliveries are sent now.
    pub fn send_mode(&self, now: Timestamp) -> SendMode {
        match self.probe_at {
            // Later than any probe that this clock would plan: the clock was set back, and the probe is due.
            Some(at) if at <= now || at > later(now, PROBE_EVERY + PROBE_EVERY) => SendMode::Probe,
            // The last probe was sent so recently that its outcome is still open.
            Some(at) if at > later(now, PROBE_EVERY - PROBE_TIMEOUT) => SendMode::Wait,
            Some(_) => SendMode::FailFast,
            None if self.health == Health::Healthy => SendMode::Concurrent,
            None => SendMode::Single,
        }
    }

    /// A probe was sent.
    pub fn probe_sent(&mut self, now: Timestamp) {
        self.probe_at = Some(later(now, PROBE_EVERY));
    }

    /// An attempt succeeded: the circuit closes.
    pub fn succeeded(&mut self, now: Timestamp) {
        self.window.count(now, false);
        if self.probe_at.is_some() {
            self.window = Window::default();
        }
        (self.health, self.failures, self.probe_at, self.has_answered) = (Health::Healthy, 0, None, true);
    }

    /// An attempt that was sent failed.
    pub fn failed(&mut self, now: Timestamp) {
        self.window.count(now, true);
        self.health = Health::Failing;
        self.failures = self.failures.saturating_add(1);
        if self.probe_at.is_none() && (self.failures >= MAX_FAILURES_IN_A_ROW || self.window.is_bad()) {
            // So soon that it does not look like a probe under way, to a clock that is a little behind either.
            self.probe_at = Some(later(now, PROBE_EVERY - PROBE_TIMEOUT - CLOCK_TOLERANCE));
        }
    }
}

impl Window {
    fn count(&mut self, now: Timestamp, failed: bool) {
        if self.since.is_none_or(|since| now >= later(since, WINDOW)) {
            *self = Self { since: Some(now), ..Self::default() };
        }
        self.attempts = self.attempts.saturating_add(1);
        self.failures = self.failures.saturating_add(u32::from(failed));
    }

    fn is_bad(self) -> bool {
        self.attempts >= MIN_ATTEMPTS && u64::from(self.failures) * 100 >= u64::from(MAX_FAILED_PERCENT) * u64::from(self.attempts)
    }
}

/// A later time in whole microseconds, which is what PostgreSQL stores: a circuit that is read back equals the one that was written.
fn later(at: Timestamp, by: SignedDuration) -> Timestamp {
    let at = at.checked_add(by).unwrap_or(Timestamp::MAX);
    Timestamp::from_microsecond(at.as_microsecond()).unwrap_or(at)
}

#[cfg(test)]
mod tests {
    use super::{Circuit, Health, SendMode, Standing};
    use jiff::{SignedDuration, Timestamp};

    fn at(second: i64) -> Timestamp {
        Timestamp::UNIX_EPOCH + SignedDuration::from_secs(second)
    }

    fn after(outcomes: &[bool]) -> Circuit {
        let mut circuit = Circuit::default();
        for succeeded in outcomes {
            if *succeeded { circuit.succeeded(at(0)) } else { circuit.failed(at(0)) }
        }
        circuit
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
        assert_eq!(after(&[]).standing(), Standing::New);
        assert_eq!(after(&[false]).standing(), Standing::Failing);
        assert_eq!(after(&[false, true]).standing(), Standing::Proven);
        assert_eq!(after(&[true, false]).standing(), Standing::Faltering);
        assert_eq!(after(&[true, false, false, false, false]).standing(), Standing::Faltering);
        assert_eq!(after(&[true, false, false, false, false, false]).standing(), Standing::Failing);
        assert_eq!(after(&[true, false, true, false]).standing(), Standing::Faltering);
        let often = [false, false, false, false, false, false, false, false, true, false];
        assert_eq!(after(&often).standing(), Standing::Failing, "an open circuit is not forgiven");
    }

    #[test]
    fn ten_failures_in_a_row_open_the_circuit_and_a_success_closes_it() {
        assert_eq!(after(&[false; 9]).probe_at, None);
        let mut circuit = after(&[false; 10]);
        assert_eq!(circuit.send_mode(at(-1)), SendMode::FailFast, "also to a clock that is a second behind");
        assert_eq!(
            (circuit.send_mode(at(0)), circuit.send_mode(at(16)), circuit.send_mode(at(17))),
            (SendMode::FailFast, SendMode::FailFast, SendMode::Probe)
        );
        circuit.probe_sent(at(18));
        assert_eq!((circuit.send_mode(at(18)), circuit.send_mode(at(29))), (SendMode::Wait, SendMode::Wait));
        circuit.failed(at(20));
        assert_eq!(
            (circuit.send_mode(at(30)), circuit.send_mode(at(47)), circuit.send_mode(at(48))),
            (SendMode::FailFast, SendMode::FailFast, SendMode::Probe)
        );
        circuit.probe_sent(at(48));
        circuit.succeeded(at(49));
        assert_eq!((circuit.send_mode(at(49)), circuit.failures, circuit.health), (SendMode::Concurrent, 0, Health::Healthy));
    }

    #[test]
    fn a_clock_that_is_set_back_delays_no_probe() {
        let mut circuit = after(&[false; 10]);
        circuit.probe_sent(at(7200));
        assert_eq!((circuit.send_mode(at(0)), circuit.send_mode(at(7201))), (SendMode::Probe, SendMode::Wait));
    }

    #[test]
    fn probe_times_have_the_precision_of_a_row() {
        let mut circuit = Circuit::default();
        circuit.probe_sent(Timestamp::new(7, 123_456_789).unwrap());
        assert_eq!(circuit.probe_at.unwrap().subsec_nanosecond(), 123_456_000);
    }

    #[test]
    fn seventy_per_cent_of_the_attempts_of_five_minutes_open_it_too() {
        let mixed = [true, false, false, false, true, false, false, true, false];
        assert_eq!(after(&mixed).probe_at, None);
        assert!(after(&[&mixed[..], &[false]].concat()).probe_at.is_some());
        let mut circuit = after(&mixed);
        circuit.failed(at(300));
        assert_eq!(circuit.probe_at, None, "earlier failures do not count");
    }

    #[test]
    fn a_probe_that_did_not_report_in_its_time_holds_nothing_up() {
        let mut circuit = after(&[false; 10]);
        circuit.probe_sent(at(100));
        assert_eq!((circuit.send_mode(at(111)), circuit.send_mode(at(112))), (SendMode::Wait, SendMode::FailFast));
        assert_eq!((circuit.send_mode(at(129)), circuit.send_mode(at(130))), (SendMode::FailFast, SendMode::Probe));
    }

    #[test]
    fn less_than_seventy_per_cent_leave_it_closed() {
        // Six failures in ten attempts, and 69 in a hundred, never many in a row.
        let six = [false, true, false, true, false, true, false, true, false, false];
        assert_eq!(after(&six).probe_at, None);
        let failures_of = |attempts: u32| attempts * 69 / 100;
        let hundred: Vec<bool> = (1..=100).map(|attempt| failures_of(attempt) == failures_of(attempt - 1)).collect();
        assert_eq!(after(&hundred).probe_at, None);
    }

    #[test]
    fn a_window_of_fewer_than_ten_attempts_decides_nothing() {
        assert_eq!(after(&[true, false, false, false, false, false, false, false, false]).probe_at, None);
    }

    #[test]
    fn a_circuit_is_restored_as_it_was_stored_and_its_window_begins_anew() {
        let stored = after(&[true, true, true, false, false, false, false, false, false]);
        let mut restored = Circuit::restored(stored.health, stored.failures, stored.probe_at, stored.has_answered);
        assert_eq!((restored.health, restored.failures, restored.has_answered), (Health::Failing, 6, true));
        restored.failed(at(1));
        assert_eq!(restored.probe_at, None, "the tenth attempt, and the first of the new window");
        let open = after(&[false; 10]);
        assert_eq!(Circuit::restored(open.health, open.failures, open.probe_at, open.has_answered).probe_at, open.probe_at);
    }

    #[test]
    fn the_health_is_stored_by_name() {
        for (health, name) in [(Health::New, "new"), (Health::Healthy, "well"), (Health::Failing, "failing")] {
            assert_eq!((health.name(), Health::of(name)), (name, Some(health)));
        }
        assert_eq!(Health::of("healthy"), None);
    }
}
