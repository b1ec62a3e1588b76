//! What came of requests, in sums.

use crate::{client::Failure, histogram::Histogram};
use http::StatusCode;
use std::{collections::BTreeMap, time::Duration};

/// What came of the requests of one connection, or of all.
#[derive(Debug, Default)]
pub(crate) struct Totals {
    /// The latencies of the answered ones.
    pub(crate) latencies: Histogram,
    /// Bytes of the bodies.
    pub(crate) bytes: u64,
    /// Time from the first request to the last response.
    pub(crate) elapsed: Duration,
    answers: BTreeMap<u16, u64>,
    unanswered: BTreeMap<&'static str, u64>,
}

impl Totals {
    /// Counts a response.
    pub(crate) fn answered(&mut self, status: StatusCode, bytes: u64, took: Duration) {
        self.latencies.record(took);
        self.bytes += bytes;
        *self.answers.entry(status.as_u16()).or_default() += 1;
    }

    /// Counts a failure.
    pub(crate) fn failed(&mut self, failure: Failure) {
        *self.unanswered.entry(failure.name()).or_default() += 1;
    }

    /// Adds those of another connection over the same time.
    pub(crate) fn merge(&mut self, other: &Self) {
        self.latencies.merge(&other.latencies);
        self.bytes += other.bytes;
        self.elapsed = self.elapsed.max(other.elapsed);
        for (status, count) in &other.answers {
            *self.answers.entry(*status).or_default() += count;
        }
        for (name, count) in &other.unanswered {
            *self.unanswered.entry(name).or_default() += count;
        }
    }

    /// The number of responses, with any status.
    pub(crate) fn answered_in_all(&self) -> u64 {
        self.latencies.count()
    }

    /// The failures by name: the status, or the kind of error.
    pub(crate) fn errors(&self) -> BTreeMap<String, u64> {
        let refused = self.answers.iter().filter(|(status, _)| !(200..300).contains(*status));
        let refused = refused.map(|(status, count)| (status.to_string(), *count));
        refused.chain(self.unanswered.iter().map(|(name, count)| ((*name).to_owned(), *count))).collect()
    }

    /// The number of failures.
    pub(crate) fn failures(&self) -> u64 {
        self.errors().values().sum()
    }
}

#[cfg(test)]
mod tests {
    use super::Totals;
    use crate::client::Failure;
    use http::StatusCode;
    use std::time::Duration;

    #[test]
    fn failures_are_counted_by_what_they_were() {
        let mut one = Totals::default();
        one.answered(StatusCode::OK, 10, Duration::from_micros(5));
        one.answered(StatusCode::TOO_MANY_REQUESTS, 2, Duration::from_micros(5));
        let mut all = Totals::default();
        all.failed(Failure::Connection);
        all.merge(&one);
        all.merge(&one);
        assert_eq!((all.answered_in_all(), all.failures(), all.bytes), (4, 3, 24));
        let errors: Vec<_> = all.errors().into_iter().collect();
        assert_eq!(errors, [("429".to_owned(), 2), ("connection".to_owned(), 1)]);
    }
}
