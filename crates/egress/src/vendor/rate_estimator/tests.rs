//! The pace against sources that count in different ways, in a time of our own.

use super::{RateEstimator, SendTime};
use std::{collections::BTreeMap, time::Duration};

/// How a source counts. Times are microseconds.
trait Source {
    fn admits(&mut self, at: u64) -> bool;
}

/// A source that admits this many requests in each second of its own clock, as Storyblok does.
struct Windows {
    limit: u32,
    offset: u64,
    window: u64,
    count: u32,
}

impl Source for Windows {
    fn admits(&mut self, at: u64) -> bool {
        let window = (at + self.offset) / SECOND;
        if window != self.window {
            (self.window, self.count) = (window, 0);
        }
        self.count += 1;
        self.count <= self.limit
    }
}

/// A bucket that fills evenly.
struct Bucket {
    limit: u32,
    size: f64,
    level: f64,
    seen: u64,
}

impl Source for Bucket {
    #[expect(clippy::cast_precision_loss, reason = "microseconds of some minutes")]
    fn admits(&mut self, at: u64) -> bool {
        let filled = at.saturating_sub(self.seen) as f64 / SECOND as f64 * f64::from(self.limit);
        self.level = (self.level + filled).min(self.size);
        self.seen = self.seen.max(at);
        let is_full = self.level >= 1.0;
        self.level -= if is_full { 1.0 } else { 0.0 };
        is_full
    }
}

const SECOND: u64 = 1_000_000;

enum Event {
    Ask,
    Answer(SendTime, bool),
}

/// What came of a run.
struct Run {
    admitted: Vec<u64>,
    refused: u32,
}

impl Run {
    fn between(&self, from: u64, to: u64) -> u32 {
        u32::try_from(self.admitted.iter().filter(|a| (from..to).contains(*a)).count()).unwrap()
    }
}

/// This many clients, each of which sends its next request after the response to the last one, with a varying
/// latency.
fn run(source: &mut dyn Source, askers: usize, latency: u64, seconds: u64) -> Run {
    run_with(source, askers, latency, seconds, 0)
}

/// The same on a machine that is so late with about every sixteenth timer.
fn run_with(source: &mut dyn Source, askers: usize, latency: u64, seconds: u64, late: u64) -> Run {
    let mut pace = RateEstimator::default();
    let mut events: BTreeMap<(u64, u64), Event> = (0..askers as u64).map(|value| ((0, value), Event::Ask)).collect();
    let (mut number, mut dice) = (askers as u64, 1_u64);
    let mut outcome = Run { admitted: Vec::new(), refused: 0 };
    while let Some(((at, _), event)) = events.pop_first() {
        if at > seconds * SECOND {
            break;
        }
        let now = Duration::from_micros(at);
        dice = dice.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        number += 1;
        let delay = latency / 2 + (dice >> 33) % latency.max(1);
        match event {
            Event::Ask => match pace.try_acquire(now) {
                Ok(turn) => {
                    let arrives = at + delay / 2;
                    let is_admitted = source.admits(arrives);
                    if is_admitted {
                        outcome.admitted.push(arrives);
                    }
                    // A refusal comes sooner than an answer.
                    let answer = if is_admitted { at + delay } else { at + delay / 2 + 1 };
                    events.insert((answer, number), Event::Answer(turn, is_admitted));
                }
                // A timer comes a little late.
                Err(until) => {
                    let until = u64::try_from(until.as_micros()).unwrap()
                        + 1
                        + (dice >> 40) % 1500
                        + if (dice >> 50).is_multiple_of(16) { late } else { 0 };
                    events.insert((until, number), Event::Ask);
                }
            },
            Event::Answer(_, true) => {
                pace.on_admitted(now);
                events.insert((at, number), Event::Ask);
            }
            Event::Answer(turn, false) => {
                pace.on_refused(turn, now, None);
                outcome.refused += 1;
                events.insert((at, number), Event::Ask);
            }
        }
    }
    outcome
}

fn windows(limit: u32, offset: u64) -> Windows {
    Windows { limit, offset, window: 0, count: 0 }
}

#[test]
fn at_least_95_of_100_allowed_requests_are_made_and_few_are_refused() {
    for limit in [3, 6, 15, 50, 300] {
        for offset in [0, SECOND / 5, SECOND / 2, SECOND - 30_000] {
            for (askers, latency) in [(8, 20_000), (16, 100_000), (40, 5_000)] {
                // With this latency the clients cannot send as many requests as the limit allows.
                if u64::from(limit) * latency > askers as u64 * SECOND / 2 {
                    continue;
                }
                let run = run(&mut windows(limit, offset), askers, latency, 31);
                let used = f64::from(run.between(SECOND, 31 * SECOND)) / f64::from(limit * 30);
                let refused = f64::from(run.refused) / f64::from(limit * 30);
                let facts = format!("{limit}/s, offset {offset}, {askers} askers: {used:.3} used, {refused:.3} refused");
                assert!(used >= 0.95, "{facts}");
                assert!(refused <= 0.1 + 40.0 / f64::from(limit * 30), "{facts}");
            }
        }
    }
}

#[test]
fn a_machine_that_is_late_now_and_then_makes_up_for_it() {
    // One client at a time has a timer, as in the queue of the rate controller.
    let run = run_with(&mut windows(6, 0), 1, 5_000, 61, 300_000);
    let used = f64::from(run.between(SECOND, 61 * SECOND)) / 360.0;
    assert!(used >= 0.95, "{used:.3} used");
}

#[test]
fn a_bucket_that_was_full_at_first_is_learned_too() {
    for (limit, size) in [(6, 6.0), (6, 50.0), (50, 50.0), (50, 500.0)] {
        let mut source = Bucket { limit, size, level: size, seen: 0 };
        let run = run(&mut source, 16, 10_000, 61);
        let used = f64::from(run.between(20 * SECOND, 60 * SECOND)) / f64::from(limit * 40);
        assert!(used >= 0.95, "{limit}/s of {size}: {used:.3} used");
    }
}

/// A source whose limit changes after half a minute.
struct Changing(Windows, u32);

impl Source for Changing {
    fn admits(&mut self, at: u64) -> bool {
        if at > 30 * SECOND {
            self.0.limit = self.1;
        }
        self.0.admits(at)
    }
}

#[test]
fn a_limit_that_changes_is_followed() {
    for (before, after) in [(6, 50), (50, 6), (6, 3)] {
        let run = run(&mut Changing(windows(before, 0), after), 16, 20_000, 120);
        let used = f64::from(run.between(90 * SECOND, 120 * SECOND)) / f64::from(after * 30);
        assert!(used >= 0.95, "{before} to {after}: {used:.3} used");
    }
}

#[test]
fn nothing_is_held_back_before_anything_is_refused() {
    let mut pace = RateEstimator::default();
    assert!((0..10_000).all(|value| pace.try_acquire(Duration::from_micros(value)).is_ok()));
    assert_eq!(pace.rate(), None);
}

#[test]
fn what_the_source_says_about_waiting_is_heeded_within_reason() {
    let second = Duration::from_secs(1);
    for (said, waited) in [(7, 7), (100_000, 300)] {
        let mut pace = RateEstimator::default();
        let turn = pace.try_acquire(second).unwrap();
        pace.on_refused(turn, second, Some(said * second));
        assert_eq!(pace.try_acquire(second), Err(second + waited * second));
        assert!(pace.try_acquire(second + waited * second).is_ok());
    }
}

#[test]
fn many_refusals_at_once_are_one() {
    let mut pace = RateEstimator::default();
    let at = |millis: u64| Duration::from_millis(millis);
    let turns: Vec<_> = (0..100).map(|value| pace.try_acquire(at(value)).unwrap()).collect();
    for (number, turn) in turns.into_iter().enumerate() {
        if number < 50 { pace.on_admitted(at(100)) } else { pace.on_refused(turn, at(100), None) }
    }
    assert_eq!(pace.try_acquire(at(200)), Err(at(1100)));
    assert!(pace.try_acquire(at(1100)).is_ok());
    let rate = pace.rate().unwrap();
    assert!((49.0..51.0).contains(&rate), "{rate}");
}
