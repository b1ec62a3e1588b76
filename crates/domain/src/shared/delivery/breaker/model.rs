//! Random histories of a breaker against a model that remembers everything and knows no states: it looks for
//! the answer in the whole history.

use super::{CircuitBreaker, SendMode};
use jiff::{SignedDuration, Timestamp};
use proptest::prelude::*;

/// A step of a history.
#[derive(Debug, Clone, Copy)]
enum Step {
    /// So many seconds go by.
    Pass(i64),
    /// An attempt is made, if one may be, and ends at once: whether it arrives.
    Attempt(bool),
    /// An attempt that began earlier ends: whether it arrived.
    Straggler(bool),
    /// A probe goes out, if one may, and its process is killed.
    LostProbe,
}

/// How long a probe may be under way.
const PROBE: i64 = 20;

/// What happened, each with its second.
#[derive(Debug, Default)]
struct Model {
    /// Attempts that ended, and whether they arrived.
    ended: Vec<(i64, bool)>,
    /// When the circuit opened, since the last attempt that arrived.
    opened: Option<i64>,
    /// Probes that failed since, and the last one that was lost.
    failed_probes: Vec<i64>,
    lost_at: Option<i64>,
}

impl Model {
    /// From the first second at which a probe may go out; `None` while nothing is held back.
    fn probe_at(&self) -> Option<i64> {
        let last = *self.failed_probes.last().or(self.opened.as_ref())?;
        let waits = [30, 60, 120, 240, 480, 600];
        let wait = waits.get(self.failed_probes.len()).copied().unwrap_or(600);
        Some(self.lost_at.map_or(last + wait, |lost| lost + PROBE))
    }

    fn mode(&self, now: i64) -> SendMode {
        match self.probe_at() {
            Some(at) if at <= now => SendMode::Probe,
            Some(_) => SendMode::Wait,
            None if self.ended.last().is_some_and(|(_, arrived)| *arrived) => SendMode::Concurrent,
            None => SendMode::Single,
        }
    }

    fn end(&mut self, now: i64, arrived: bool, is_probe: bool) {
        let was_open = self.opened.is_some();
        self.ended.push((now, arrived));
        if arrived {
            (self.opened, self.failed_probes, self.lost_at) = (None, Vec::new(), None);
            if was_open {
                // What came before the outage is forgotten.
                self.ended = vec![(i64::MIN, true)];
            }
        } else if was_open {
            if is_probe {
                self.failed_probes.push(now);
                self.lost_at = None;
            }
        } else if self.in_a_row() >= 10 || self.is_window_bad() {
            self.opened = Some(now);
        }
    }

    fn in_a_row(&self) -> usize {
        self.ended.iter().rev().take_while(|(_, arrived)| !arrived).count()
    }

    /// Windows of five minutes follow each other; each begins with an attempt.
    fn is_window_bad(&self) -> bool {
        let mut window: Vec<(i64, bool)> = Vec::new();
        for attempt in self.ended.iter().filter(|(at, _)| *at != i64::MIN) {
            if window.first().is_some_and(|(first, _)| attempt.0 - first >= 300) {
                window.clear();
            }
            window.push(*attempt);
        }
        let failed = window.iter().filter(|(_, arrived)| !arrived).count();
        window.len() >= 10 && failed * 10 >= window.len() * 7
    }
}

fn step() -> impl Strategy<Value = Step> {
    prop_oneof![
        2 => prop_oneof![0_i64..30, 30_i64..700].prop_map(Step::Pass),
        6 => prop::bool::weighted(0.15).prop_map(Step::Attempt),
        1 => prop::bool::weighted(0.2).prop_map(Step::Straggler),
        1 => Just(Step::LostProbe),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2_000))]

    #[test]
    fn random_histories_send_what_the_model_sends(steps in prop::collection::vec(step(), 0..120)) {
        let at = |second: i64| Timestamp::UNIX_EPOCH + SignedDuration::from_secs(second);
        let (mut breaker, mut model, mut now) = (CircuitBreaker::default(), Model::default(), 0);
        for step in steps {
            let mode = breaker.send_mode(at(now));
            prop_assert_eq!(mode, model.mode(now), "after {} s: {:?}", now, breaker);
            match step {
                Step::Pass(seconds) => now += seconds,
                Step::Attempt(_) if mode == SendMode::Wait => {}
                Step::Attempt(arrived) => {
                    if mode == SendMode::Probe {
                        breaker = breaker.probed(at(now + PROBE));
                    }
                    if arrived { breaker.succeeded(at(now)) } else { breaker.failed(at(now)) }
                    model.end(now, arrived, mode == SendMode::Probe);
                }
                Step::LostProbe if mode == SendMode::Probe => {
                    breaker = breaker.probed(at(now + PROBE));
                    model.lost_at = Some(now);
                }
                // Attempts take at most eleven seconds: none that began before the circuit opened ends while
                // a probe is under way.
                Step::LostProbe => {}
                Step::Straggler(_) if model.lost_at.is_some() => {}
                Step::Straggler(arrived) => {
                    if arrived { breaker.succeeded(at(now)) } else { breaker.failed(at(now)) }
                    model.end(now, arrived, false);
                }
            }
            // What another process reads is the same, whenever it reads it.
            let stored = breaker.stored();
            prop_assert_eq!(stored.send_mode(at(now)), breaker.send_mode(at(now)));
        }
    }
}
