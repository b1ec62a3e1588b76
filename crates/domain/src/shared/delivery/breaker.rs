//! The circuit breaker of a receiver: how its last attempts went, and what may be sent to it.
//!
//! A healthy receiver gets several deliveries at a time. One that is new, or failed the last time, gets one
//! at a time, so that silent receivers hold few attempts. When many attempts failed its [`Circuit`] opens,
//! until one has arrived.

use strum::{EnumString, IntoStaticStr};

#[cfg(test)]
mod model;
#[cfg(test)]
mod tests;

use super::Circuit;
use jiff::{SignedDuration, Timestamp};

/// How many failures in a row open the circuit.
const MAX_FAILURES_IN_A_ROW: u32 = 10;
/// The circuit opens as well when at least this share of the attempts of a window failed, in per cent.
const MAX_FAILED_PERCENT: u32 = 70;
/// A window with fewer attempts decides nothing.
const MIN_ATTEMPTS: u32 = 10;
/// How long a window lasts.
const WINDOW: SignedDuration = SignedDuration::from_mins(5);
/// So many failures in a row may be one short fault: the attempts that were under way at the same time fail
/// together.
const FEW_FAILURES: u32 = 4;

/// How the last attempts went. Its name is in rows and on the wire.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, EnumString, IntoStaticStr)]
#[strum(const_into_str, serialize_all = "lowercase")]
pub enum Health {
    #[default]
    New,
    /// The last attempt arrived.
    #[strum(serialize = "well")]
    Healthy,
    /// The last attempt failed.
    Failing,
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
    /// They wait: for the time of the next probe, or for the outcome of one.
    Wait,
}

/// What the history of a receiver lets expect of it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum ReceiverHealth {
    /// It answered the last time.
    Proven,
    /// It has answered before, and failed a few times since.
    Faltering,
    /// Nothing was ever sent to it.
    New,
    /// It has failed, and has never answered or not for a while.
    Failing,
}

/// The circuit breaker of one receiver.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct CircuitBreaker {
    /// How the last attempt went.
    pub health: Health,
    /// Failures since the last success.
    pub failures: u32,
    /// Whether the receiver has ever answered at its URL.
    pub has_answered: bool,
    /// Whether deliveries are sent or wait.
    pub circuit: Circuit,
    window: Window,
}

/// The attempts of the last minutes. It is not stored: each process counts its own.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
struct Window {
    since: Option<Timestamp>,
    attempts: u32,
    failures: u32,
}

impl CircuitBreaker {
    /// A breaker as it was stored. The window begins anew.
    pub fn restored(health: Health, failures: u32, has_answered: bool, circuit: Circuit) -> Self {
        Self { health, failures, has_answered, circuit, window: Window::default() }
    }

    /// What of it is stored.
    #[must_use]
    pub fn stored(&self) -> Self {
        Self { window: Window::default(), ..*self }
    }

    /// What is to be expected of the receiver.
    pub fn standing(&self) -> ReceiverHealth {
        match self.health {
            Health::Healthy => ReceiverHealth::Proven,
            Health::New => ReceiverHealth::New,
            Health::Failing if self.has_answered && self.failures <= FEW_FAILURES && self.circuit.is_closed() => {
                ReceiverHealth::Faltering
            }
            Health::Failing => ReceiverHealth::Failing,
        }
    }

    /// How deliveries are sent now.
    pub fn send_mode(&self, now: Timestamp) -> SendMode {
        match self.circuit {
            Circuit::Closed if self.health == Health::Healthy => SendMode::Concurrent,
            Circuit::Closed => SendMode::Single,
            circuit if circuit.is_probe_due(now) => SendMode::Probe,
            Circuit::Open { .. } | Circuit::Probing { .. } => SendMode::Wait,
        }
    }

    /// This breaker once its row holds what another process has found out, instead of what it held. What
    /// ended here and is in no row counts all the same: an attempt that arrived, and failures while the
    /// circuit is closed.
    #[must_use]
    pub fn rebased(&self, held: &Self, found: &Self, now: Timestamp) -> Self {
        let mut breaker = *found;
        let has_arrived = self.failures < held.failures || (self.health == Health::Healthy && self.stored() != *held);
        if has_arrived {
            breaker.succeeded(now);
        }
        if breaker.circuit.is_closed() {
            let counted = if has_arrived { 0 } else { held.failures };
            (counted..self.failures).for_each(|_| breaker.failed(now));
        }
        // Its own window has these attempts already.
        breaker.window = if breaker.circuit.is_closed() { self.window } else { Window::default() };
        breaker
    }

    /// The same breaker once a probe was sent whose outcome is known by a time.
    #[must_use]
    pub fn probed(self, until: Timestamp) -> Self {
        Self { circuit: self.circuit.probed(until), ..self }
    }

    /// An attempt succeeded: the circuit closes.
    pub fn succeeded(&mut self, now: Timestamp) {
        self.window.count(now, false);
        if !self.circuit.is_closed() {
            self.window = Window::default();
        }
        (self.health, self.failures, self.has_answered, self.circuit) = (Health::Healthy, 0, true, Circuit::Closed);
    }

    /// An attempt failed.
    pub fn failed(&mut self, now: Timestamp) {
        self.window.count(now, true);
        self.health = Health::Failing;
        self.failures = self.failures.saturating_add(1);
        let opens = self.circuit.is_closed() && (self.failures >= MAX_FAILURES_IN_A_ROW || self.window.is_bad());
        self.circuit = if opens { Circuit::opened(now) } else { self.circuit.failed(now) };
    }
}

impl Window {
    fn count(&mut self, now: Timestamp, failed: bool) {
        if self.since.is_none_or(|since| since.checked_add(WINDOW).is_ok_and(|end| now >= end)) {
            *self = Self { since: Some(now), ..Self::default() };
        }
        self.attempts = self.attempts.saturating_add(1);
        self.failures = self.failures.saturating_add(u32::from(failed));
    }

    fn is_bad(self) -> bool {
        self.attempts >= MIN_ATTEMPTS && u64::from(self.failures) * 100 >= u64::from(MAX_FAILED_PERCENT) * u64::from(self.attempts)
    }
}
