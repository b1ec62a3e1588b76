//! The recorder: what came of every request, by operation. It holds a histogram for each operation of the
//! current second, and one for each operation of a phase; of a second that is over only its figures are kept.
//! So its size does not depend on the number of requests.

use super::result::{OperationResult, Point, Second, count};
use crate::{client::Failure, histogram::Histogram};
use bytes::Bytes;
use http::{Response, StatusCode, header};
use std::{
    collections::BTreeMap,
    fmt,
    sync::{Mutex, MutexGuard, PoisonError},
    time::Duration,
};
use tokio::time::Instant;

/// What came of a request.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Outcome {
    /// 2xx, or the redirect that was asked for.
    Succeeded(StatusCode),
    /// 429 or 503 with `Retry-After`: the server has too much to do and says so.
    Refused(StatusCode),
    Failed(StatusCode),
    /// A success whose content is not what it has to be.
    Wrong,
    Unanswered(Failure),
}

impl Outcome {
    /// The outcome of an answer, with what is read in it. Only a success and a redirect are read.
    pub(super) fn of<T>(answer: &Response<Bytes>, read: impl FnOnce(&Response<Bytes>) -> Option<T>) -> (Self, Option<T>) {
        let status = answer.status();
        let is_refusal = matches!(status, StatusCode::TOO_MANY_REQUESTS | StatusCode::SERVICE_UNAVAILABLE);
        if is_refusal && answer.headers().contains_key(header::RETRY_AFTER) {
            return (Self::Refused(status), None);
        }
        if !status.is_success() && !status.is_redirection() {
            return (Self::Failed(status), None);
        }
        match read(answer) {
            Some(found) => (Self::Succeeded(status), Some(found)),
            None if status.is_redirection() => (Self::Failed(status), None),
            None => (Self::Wrong, None),
        }
    }
}

impl fmt::Display for Outcome {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Succeeded(status) | Self::Failed(status) => write!(out, "{}", status.as_u16()),
            Self::Refused(status) => write!(out, "{} with Retry-After", status.as_u16()),
            Self::Wrong => write!(out, "wrong answer"),
            Self::Unanswered(failure) => write!(out, "{}", failure.name()),
        }
    }
}

/// The outcomes of one operation, and the latencies of its successes.
#[derive(Debug, Default, Clone)]
struct Tally {
    latencies: Histogram,
    outcomes: BTreeMap<Outcome, u64>,
}

impl Tally {
    fn merge(&mut self, other: &Self) {
        self.latencies.merge(&other.latencies);
        for (outcome, count) in &other.outcomes {
            *self.outcomes.entry(*outcome).or_default() += count;
        }
    }

    fn count(&self, is_meant: impl Fn(&Outcome) -> bool) -> u64 {
        self.outcomes.iter().filter(|(outcome, _)| is_meant(outcome)).map(|(_, count)| count).sum()
    }

    fn point(&self) -> Point {
        Point {
            succeeded: self.latencies.count(),
            refused: self.count(|outcome| matches!(outcome, Outcome::Refused(_))),
            failed: self.count(|outcome| !matches!(outcome, Outcome::Succeeded(_) | Outcome::Refused(_))),
            p50_ms: millis(self.latencies.percentile(50.0)),
            p99_ms: millis(self.latencies.percentile(99.0)),
            max_ms: millis(self.latencies.max()),
        }
    }
}

/// A phase and the operations in it.
#[derive(Debug)]
struct Phase {
    name: &'static str,
    lasted: Duration,
    operations: BTreeMap<&'static str, Tally>,
}

#[derive(Debug)]
struct State {
    began: Instant,
    second_began: Instant,
    second: BTreeMap<&'static str, Tally>,
    seconds: Vec<Second>,
    phases: Vec<Phase>,
}

/// The recorder of a run.
#[derive(Debug)]
pub(crate) struct Recorder(Mutex<State>);

impl Recorder {
    /// Nothing recorded yet.
    pub(crate) fn new() -> Self {
        let began = Instant::now();
        let state = State { began, second_began: began, second: BTreeMap::new(), seconds: Vec::new(), phases: Vec::new() };
        Self(Mutex::new(state))
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Counts what came of one request.
    pub(crate) fn record(&self, operation: &'static str, outcome: Outcome, took: Duration) {
        let mut state = self.state();
        let tally = state.second.entry(operation).or_default();
        *tally.outcomes.entry(outcome).or_default() += 1;
        if matches!(outcome, Outcome::Succeeded(_)) {
            tally.latencies.record(took);
        }
    }

    /// Begins a phase. What is recorded from now on belongs to it.
    pub(crate) fn enter(&self, phase: &'static str) {
        self.close_second(Sample::default());
        self.state().phases.push(Phase { name: phase, lasted: Duration::ZERO, operations: BTreeMap::new() });
    }

    /// Ends a second: adds it to its phase, and keeps its figures with what was read of the server. Before
    /// the first phase there is nothing to keep. Returns its figures for the display.
    pub(crate) fn close_second(&self, sample: Sample) -> Option<Point> {
        let mut state = self.state();
        let state = &mut *state;
        let lasted = state.second_began.elapsed();
        let operations = std::mem::take(&mut state.second);
        state.second_began = Instant::now();
        let phase = state.phases.last_mut()?;
        phase.lasted += lasted;
        let mut all = Tally::default();
        for (name, tally) in &operations {
            all.merge(tally);
            phase.operations.entry(name).or_default().merge(tally);
        }
        state.seconds.push(Second {
            at: state.began.elapsed().as_secs_f64(),
            lasted: lasted.as_secs_f64(),
            phase: phase.name.to_owned(),
            all: all.point(),
            operations: operations.iter().map(|(name, tally)| ((*name).to_owned(), tally.point())).collect(),
            memory_bytes: sample.memory_bytes,
            cpu_seconds: sample.cpu_seconds,
        });
        Some(all.point())
    }

    /// The seconds so far.
    pub(crate) fn seconds(&self) -> Vec<Second> {
        self.state().seconds.clone()
    }

    /// The operations of every phase.
    pub(crate) fn operations(&self) -> Vec<OperationResult> {
        let state = self.state();
        let of = |phase: &Phase| -> Vec<OperationResult> {
            let seconds = phase.lasted.as_secs_f64();
            let line = |(name, tally): (&&'static str, &Tally)| operation(phase.name, seconds, name, tally);
            phase.operations.iter().map(line).collect()
        };
        state.phases.iter().flat_map(of).collect()
    }
}

/// What was read of the server at the end of a second.
#[derive(Debug, Default, Clone, Copy, PartialEq)]
pub(crate) struct Sample {
    pub(crate) memory_bytes: Option<f64>,
    pub(crate) cpu_seconds: Option<f64>,
}

/// The percentiles of the curve on the page.
const CURVE: [f64; 12] = [10.0, 25.0, 50.0, 75.0, 90.0, 95.0, 98.0, 99.0, 99.5, 99.9, 99.99, 100.0];

fn operation(phase: &str, seconds: f64, name: &str, tally: &Tally) -> OperationResult {
    let at = |percent| millis(tally.latencies.percentile(percent));
    let point = tally.point();
    OperationResult {
        phase: phase.to_owned(),
        name: name.to_owned(),
        per_second: if seconds > 0.0 { count(point.succeeded) / seconds } else { 0.0 },
        succeeded: point.succeeded,
        refused: point.refused,
        failed: point.failed,
        outcomes: tally.outcomes.iter().map(|(outcome, count)| (outcome.to_string(), *count)).collect(),
        p50_ms: point.p50_ms,
        p90_ms: at(90.0),
        p99_ms: point.p99_ms,
        p999_ms: at(99.9),
        max_ms: point.max_ms,
        percentiles: CURVE.map(|percent| (percent, at(percent))).to_vec(),
    }
}

/// Milliseconds, to the microsecond.
pub(super) fn millis(took: Duration) -> f64 {
    (took.as_secs_f64() * 1e6).round() / 1e3
}

#[cfg(test)]
mod tests {
    use super::{Outcome, Recorder, Sample};
    use crate::client::Failure;
    use bytes::Bytes;
    use http::{Response, StatusCode};
    use std::time::Duration;

    #[test]
    fn a_refusal_says_when_to_come_again() {
        let of = |status: u16, header: &str| {
            let answer = Response::builder().status(status).header(header, "1").body(Bytes::new()).unwrap();
            Outcome::of(&answer, |_| Some(())).0.to_string()
        };
        assert_eq!([of(200, "retry-after"), of(302, "x"), of(503, "x")], ["200", "302", "503"]);
        assert_eq!([of(503, "retry-after"), of(429, "retry-after")], ["503 with Retry-After", "429 with Retry-After"]);
        assert_eq!(Outcome::Unanswered(Failure::Timeout).to_string(), "timeout");
    }

    #[test]
    fn an_answer_without_what_was_asked_for_is_no_success() {
        let of = |status: u16| {
            let answer = Response::builder().status(status).body(Bytes::new()).unwrap();
            Outcome::of(&answer, |_| None::<()>).0
        };
        assert_eq!(of(200), Outcome::Wrong);
        assert_eq!(of(302), Outcome::Failed(StatusCode::FOUND));
    }

    #[tokio::test]
    async fn each_request_is_in_its_second_and_in_its_phase() {
        let recorder = Recorder::new();
        let ok = Outcome::Succeeded(StatusCode::OK);
        recorder.enter("ramp");
        recorder.record("read", ok, Duration::from_millis(1));
        recorder.enter("steady");
        recorder.record("read", ok, Duration::from_millis(2));
        recorder.record("read", Outcome::Refused(StatusCode::SERVICE_UNAVAILABLE), Duration::from_secs(9));
        recorder.record("write", Outcome::Failed(StatusCode::INTERNAL_SERVER_ERROR), Duration::from_millis(3));
        let all = recorder.close_second(Sample { memory_bytes: Some(5.0), cpu_seconds: None }).unwrap();
        assert_eq!((all.succeeded, all.refused, all.failed, all.max_ms), (1, 1, 1, 2.0));

        let seconds = recorder.seconds();
        assert_eq!(seconds.iter().map(|second| second.phase.as_str()).collect::<Vec<_>>(), ["ramp", "steady"]);
        assert_eq!((seconds[0].operations["read"].max_ms, seconds[1].memory_bytes), (1.0, Some(5.0)));
        let operations = recorder.operations();
        let names: Vec<_> = operations.iter().map(|line| (line.phase.as_str(), line.name.as_str())).collect();
        assert_eq!(names, [("ramp", "read"), ("steady", "read"), ("steady", "write")]);
        assert_eq!(operations[1].outcomes["503 with Retry-After"], 1);
        assert_eq!((operations[1].max_ms, operations[2].succeeded, operations[2].failed), (2.0, 0, 1));
    }
}
