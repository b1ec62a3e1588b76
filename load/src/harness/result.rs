//! The result of a run, as it is written to a file and read again to be compared.

use anyhow::{Context, Result};
use serde::{Deserialize, Serialize};
use std::{collections::BTreeMap, fs, path::Path};

/// A run.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(crate) struct RunResult {
    pub(crate) scenario: String,
    /// What the scenario does, in a sentence.
    pub(crate) about: String,
    pub(crate) server: String,
    /// The command line, without its secrets.
    pub(crate) settings: BTreeMap<String, String>,
    /// What the scenario found out for itself, such as whether every delivery arrived.
    pub(crate) findings: Vec<Finding>,
    /// Turns of open loops that were due and never began, because all users were busy.
    pub(crate) unsent: u64,
    pub(crate) operations: Vec<OperationResult>,
    pub(crate) seconds: Vec<Second>,
}

/// A statement about the run, and whether it holds.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Finding {
    pub(crate) text: String,
    pub(crate) holds: bool,
}

/// An operation in a phase. Latencies are those of successes, in milliseconds.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(crate) struct OperationResult {
    pub(crate) phase: String,
    pub(crate) name: String,
    pub(crate) per_second: f64,
    pub(crate) succeeded: u64,
    pub(crate) refused: u64,
    pub(crate) failed: u64,
    /// How many of each status or kind of failure.
    pub(crate) outcomes: BTreeMap<String, u64>,
    pub(crate) p50_ms: f64,
    pub(crate) p90_ms: f64,
    pub(crate) p99_ms: f64,
    pub(crate) p999_ms: f64,
    pub(crate) max_ms: f64,
    /// Pairs of a percentile and its latency.
    pub(crate) percentiles: Vec<(f64, f64)>,
}

/// A second of the run.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(crate) struct Second {
    /// Its end, in seconds since the beginning.
    pub(crate) at: f64,
    /// Its length: a phase may end in the middle of one.
    pub(crate) lasted: f64,
    pub(crate) phase: String,
    pub(crate) all: Point,
    pub(crate) operations: BTreeMap<String, Point>,
    pub(crate) memory_bytes: Option<f64>,
    /// Processor time of the server since its start.
    pub(crate) cpu_seconds: Option<f64>,
}

/// What was recorded in a second.
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize, Deserialize)]
pub(crate) struct Point {
    pub(crate) succeeded: u64,
    pub(crate) refused: u64,
    pub(crate) failed: u64,
    pub(crate) p50_ms: f64,
    pub(crate) p99_ms: f64,
    pub(crate) max_ms: f64,
}

impl Second {
    /// Whether it is long enough to tell a rate: a phase ends with the rest of a second.
    pub(crate) fn has_rate(&self) -> bool {
        self.lasted > 0.2
    }
}

impl RunResult {
    /// Reads a file.
    pub(crate) fn read(path: &Path) -> Result<Self> {
        let text = fs::read_to_string(path).with_context(|| format!("{} cannot be read", path.display()))?;
        serde_json::from_str(&text).with_context(|| format!("{} is not the result of a run", path.display()))
    }

    /// Whether nothing failed and every finding holds. A refusal is no failure: an overloaded server has to
    /// refuse. Neither is a turn that never began: it is told apart, because it may say more about the number
    /// of users than about the server.
    pub(crate) fn is_success(&self) -> bool {
        let succeeded: u64 = self.operations.iter().map(|line| line.succeeded).sum();
        self.failed() == 0 && succeeded > 0 && self.findings.iter().all(|finding| finding.holds)
    }

    /// How many requests failed.
    pub(crate) fn failed(&self) -> u64 {
        self.operations.iter().map(|line| line.failed).sum()
    }

    /// The most memory of the server in bytes.
    pub(crate) fn most_memory(&self) -> Option<f64> {
        self.seconds.iter().filter_map(|second| second.memory_bytes).reduce(f64::max)
    }

    /// Processor time of the server for each successful request, in milliseconds.
    pub(crate) fn cpu_ms_per_request(&self) -> Option<f64> {
        let mut samples = self.seconds.iter().filter_map(|second| Some((second.at, second.cpu_seconds?)));
        let (from, first) = samples.next()?;
        let (until, last) = samples.next_back()?;
        let meanwhile = self.seconds.iter().filter(|second| second.at > from && second.at <= until);
        let requests: u64 = meanwhile.map(|second| second.all.succeeded).sum();
        (requests > 0).then(|| (last - first) * 1e3 / count(requests))
    }
}

/// A count as a number to divide.
#[expect(clippy::cast_precision_loss, reason = "nothing here is counted up to 2^53")]
pub(crate) fn count(count: u64) -> f64 {
    count as f64
}
