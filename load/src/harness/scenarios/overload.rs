//! Three times as many uncached lists as the server can make: what it answers, what it refuses, and whether
//! it recovers.
//!
//! Five phases: a closed loop warms up and then finds the capacity; an open loop at half of that says what is
//! normal; then three times the capacity; then half of it again. The findings are the five lines of the
//! target: goodput, latency, refusals, memory, recovery.

use super::{Setup, delivery_mixed::readers};
use crate::harness::{
    drive::{Phases, Stage, drive},
    result::{Finding, Second, count},
    user::{Group, Pace},
};
use anyhow::{Result, ensure};
use std::time::Duration;

/// Users of the closed loop: enough to keep the server busy, and not so many that it refuses.
const BUSY: u32 = 16;
/// Users of the open loop: the most requests at a time.
const CROWD: u32 = 1_000;
const TIMES: f64 = 3.0;
/// The target: this much of the peak is still answered.
const GOODPUT: f64 = 0.8;
const LATENCY_MS: f64 = 5_000.0;
const RECOVERY: f64 = 5.0;
/// What memory may grow by in the second half of the overload, in bytes: it grows in the first one, to what
/// the waiting requests need.
const GROWTH: f64 = 16e6;

/// Goes through the phases. Returns the findings, and how many turns never began.
pub(in crate::harness) async fn run(setup: &mut Setup<'_>, stage: &mut Stage) -> Result<(Vec<Finding>, u64)> {
    let space = setup.site.space("overload").await?;
    setup.site.write_stories(&space, setup.args.stories).await?;
    let crowd = setup.users(CROWD);
    // The users of each phase ask for lists of their own: what one phase asked for would come from the cache
    // in the next.
    let mut first = 0;
    let mut group = |pace, count| {
        let users = readers(&space, first, count);
        first += u64::from(count);
        vec![Group { pace, users }]
    };
    let whole = Duration::from_secs(setup.args.seconds);
    let (ramp, part) = (Duration::from_secs(setup.args.ramp), whole.min(Duration::from_secs(10)));
    let phases = |ramp, name, length| Phases { ramp: ("warm up", ramp), steady: (name, length), turns: setup.args.turns };

    drive(stage, group(Pace::Closed(Duration::ZERO), BUSY), &phases(ramp, "capacity", part)).await?;
    let capacity = rate(&stage.recorder.seconds(), "capacity");
    ensure!(capacity > 0.0, "the server answers no list");
    drive(stage, group(Pace::Open(capacity / 2.0), crowd), &phases(Duration::ZERO, "normal", part)).await?;
    let unsent = drive(stage, group(Pace::Open(capacity * TIMES), crowd), &phases(Duration::ZERO, "overload", whole)).await?;
    drive(stage, group(Pace::Open(capacity / 2.0), crowd), &phases(Duration::ZERO, "recovery", part.max(Duration::from_secs(2))))
        .await?;
    Ok((findings(&stage.recorder.seconds(), whole, capacity, unsent), unsent))
}

/// Successes a second in a phase.
fn rate(seconds: &[Second], phase: &str) -> f64 {
    let seconds: Vec<_> = of(seconds, phase).collect();
    let lasted: f64 = seconds.iter().map(|second| second.lasted).sum();
    let succeeded: u64 = seconds.iter().map(|second| second.all.succeeded).sum();
    if lasted > 0.0 { count(succeeded) / lasted } else { 0.0 }
}

fn of<'a>(seconds: &'a [Second], phase: &'a str) -> impl Iterator<Item = &'a Second> {
    seconds.iter().filter(move |second| second.phase == phase)
}

/// What the seconds say, of an overload of this length.
fn findings(seconds: &[Second], length: Duration, capacity: f64, unsent: u64) -> Vec<Finding> {
    let goodput = rate(seconds, "overload");
    let share = goodput / capacity;
    let slowest = of(seconds, "overload").map(|second| second.all.p99_ms).fold(0.0, f64::max);
    let refused: u64 = of(seconds, "overload").map(|second| second.all.refused).sum();
    let failed: u64 = of(seconds, "overload").map(|second| second.all.failed).sum();
    let (memory, recovery) = (memory(seconds), recovery(seconds, length));
    vec![
        Finding {
            text: format!(
                "goodput at {TIMES} times the capacity: {goodput:.0} a second, {:.0} % of the peak of {capacity:.0} (80 % or more)",
                share * 100.0
            ),
            holds: share >= GOODPUT,
        },
        Finding {
            text: format!("p99 of accepted requests in the worst second: {slowest:.0} ms (under 5 s)"),
            holds: slowest < LATENCY_MS,
        },
        Finding {
            text: format!(
                "the rest: {refused} got 429 or 503 with Retry-After, {failed} something else or nothing, {unsent} were never sent"
            ),
            holds: failed == 0 && unsent == 0 && refused > 0,
        },
        match memory {
            Some((first, second)) => Finding {
                text: format!(
                    "most memory: {:.0} MB in the first half of the overload, {:.0} MB in the second (bounded: hardly more)",
                    first / 1e6,
                    second / 1e6
                ),
                holds: second <= first * 1.1 + GROWTH,
            },
            None => Finding { text: "memory: not known without --metrics-token".to_owned(), holds: false },
        },
        match recovery {
            Some(after) => Finding { text: format!("normal again after {after:.1} s (within 5 s)"), holds: after <= RECOVERY },
            None => Finding { text: "not normal again by the end of the run (within 5 s)".to_owned(), holds: false },
        },
    ]
}

/// The most memory in either half of the overload.
fn memory(seconds: &[Second]) -> Option<(f64, f64)> {
    let bytes: Vec<f64> = of(seconds, "overload").filter_map(|second| second.memory_bytes).collect();
    let (first, second) = bytes.split_at(bytes.len() / 2);
    let most = |bytes: &[f64]| bytes.iter().copied().reduce(f64::max);
    most(first).zip(most(second))
}

/// How long after the overload the seconds begin to be normal and stay so: nothing is refused or fails,
/// nearly as much succeeds as at the same rate before, and no p99 is above twice the worst one then. The
/// overload ends when its last turn is due: that the server goes on working off what it has accepted is a
/// part of the recovery.
fn recovery(seconds: &[Second], length: Duration) -> Option<f64> {
    let usual = of(seconds, "normal").map(|second| second.all.p99_ms).fold(0.0, f64::max);
    let least = rate(seconds, "normal") * GOODPUT;
    let is_normal = |second: &Second| {
        second.all.refused + second.all.failed == 0
            && count(second.all.succeeded) >= least * second.lasted
            && second.all.p99_ms <= usual.mul_add(2.0, 5.0)
    };
    let began_at = of(seconds, "overload").next().map(|second| second.at - second.lasted)?;
    let after: Vec<_> = of(seconds, "recovery").filter(|second| second.has_rate()).collect();
    let unusual = after.iter().rposition(|second| !is_normal(second));
    let first_normal = after.get(unusual.map_or(0, |number| number + 1))?;
    Some((first_normal.at - first_normal.lasted - began_at - length.as_secs_f64()).max(0.0))
}

#[cfg(test)]
mod tests {
    use super::findings;
    use crate::harness::result::{Point, Second};
    use std::time::Duration;

    const LENGTH: Duration = Duration::from_secs(2);

    fn second(phase: &str, at: u32, (succeeded, refused, failed): (u64, u64, u64), p99_ms: f64, memory: f64) -> Second {
        Second {
            at: f64::from(at),
            lasted: 1.0,
            phase: phase.to_owned(),
            all: Point { succeeded, refused, failed, p50_ms: 1.0, p99_ms, max_ms: p99_ms },
            operations: [].into(),
            memory_bytes: Some(memory),
            cpu_seconds: None,
        }
    }

    fn held(seconds: &[Second]) -> Vec<bool> {
        findings(seconds, LENGTH, 100.0, 0).iter().map(|finding| finding.holds).collect()
    }

    #[test]
    fn each_line_of_the_target_is_judged_by_itself() {
        let calm = second("normal", 1, (50, 0, 0), 10.0, 1e8);
        let good = [
            calm.clone(),
            second("overload", 2, (85, 200, 0), 900.0, 1e8),
            second("overload", 3, (85, 200, 0), 900.0, 1e8),
            second("recovery", 4, (40, 3, 0), 300.0, 1e8),
            second("recovery", 5, (50, 0, 0), 20.0, 1e8),
        ];
        assert_eq!(held(&good), [true; 5]);
        assert!(findings(&good, LENGTH, 100.0, 0)[4].text.contains("after 1.0 s"));
        let bad = [
            calm,
            second("overload", 2, (70, 200, 1), 6000.0, 1e8),
            second("overload", 3, (70, 200, 0), 900.0, 2e8),
            second("recovery", 4, (50, 1, 0), 20.0, 1e8),
        ];
        assert_eq!(held(&bad), [false; 5]);
    }

    /// The recovery as the last finding tells it.
    fn recovery_of(after: &[Second]) -> String {
        let before = [second("normal", 1, (50, 0, 0), 10.0, 1e8), second("overload", 2, (85, 200, 0), 900.0, 1e8)];
        let seconds = [&before, after].concat();
        findings(&seconds, Duration::from_secs(1), 100.0, 0)[4].text.clone()
    }

    #[test]
    fn what_the_server_works_off_behind_the_overload_is_a_part_of_the_recovery() {
        // The overload began at 1 and was to end at 2; its last answers came at 8.
        let worked_off = [second("overload", 8, (85, 0, 0), 6000.0, 1e8), second("recovery", 9, (50, 0, 0), 10.0, 1e8)];
        assert!(recovery_of(&worked_off).contains("after 6.0 s"), "{}", recovery_of(&worked_off));
    }

    #[test]
    fn a_second_in_which_hardly_anything_is_answered_is_not_normal() {
        for few in [0, 39] {
            let silent = [second("recovery", 3, (50, 0, 0), 10.0, 1e8), second("recovery", 4, (few, 0, 0), 0.0, 1e8)];
            assert!(recovery_of(&silent).contains("not normal again"), "{}", recovery_of(&silent));
        }
        // The rest of a second says nothing.
        let mut rest = second("recovery", 4, (0, 0, 0), 0.0, 1e8);
        rest.lasted = 0.1;
        assert!(recovery_of(&[second("recovery", 3, (50, 0, 0), 10.0, 1e8), rest]).contains("after 0.0 s"));
    }
}
