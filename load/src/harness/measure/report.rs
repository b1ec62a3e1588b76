//! The report of a measurement.

use crate::{args::Args, harness::result::OperationResult};
use serde_json::{Value, json};
use std::{collections::BTreeMap, fmt};

/// What came of its turns. Times are in milliseconds.
pub(super) struct Report {
    scenario: String,
    connections: u32,
    requests: u64,
    seconds: f64,
    per_second: f64,
    latencies: [(&'static str, f64); 4],
    errors: BTreeMap<String, u64>,
    cpu_per_request: Option<f64>,
}

impl Report {
    /// A report of the turns, which may be none, with the processor time in seconds if it was counted.
    pub(super) fn new(args: &Args, turns: Option<&OperationResult>, seconds: f64, cpu: Option<f64>) -> Self {
        let count = |part: fn(&OperationResult) -> u64| turns.map_or(0, part);
        let time = |part: fn(&OperationResult) -> f64| turns.map_or(0.0, part);
        let requests = count(|turns| turns.succeeded + turns.refused + turns.failed);
        let each = |whole: f64| crate::harness::result::count(requests.max(1)).recip() * whole;
        let errors = turns.map(|turns| turns.outcomes.iter().filter(|(name, _)| !name.starts_with('2')));
        Self {
            scenario: format!("{:?}", args.scenario).to_lowercase(),
            connections: args.connections,
            requests,
            seconds,
            per_second: time(|turns| turns.per_second),
            latencies: [
                ("p50", time(|turns| turns.p50_ms)),
                ("p90", time(|turns| turns.p90_ms)),
                ("p99", time(|turns| turns.p99_ms)),
                ("max", time(|turns| turns.max_ms)),
            ],
            errors: errors.into_iter().flatten().map(|(name, count)| (name.clone(), *count)).collect(),
            cpu_per_request: cpu.filter(|_| requests > 0).map(|cpu| (each(cpu * 1e3) * 1e4).round() / 1e4),
        }
    }

    pub(super) fn has_failures(&self) -> bool {
        !self.errors.is_empty()
    }

    pub(super) fn to_json(&self) -> Value {
        json!({
            "scenario": self.scenario,
            "connections": self.connections,
            "requests": self.requests,
            "seconds": self.seconds,
            "requests_per_second": self.per_second,
            "latency_ms": BTreeMap::from(self.latencies),
            "errors": self.errors,
            "cpu_ms_per_request": self.cpu_per_request,
        })
    }
}

impl fmt::Display for Report {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(out, "{:<18}{} over {} connections", "scenario", self.scenario, self.connections)?;
        writeln!(out, "{:<18}{} in {:.1} s", "requests", self.requests, self.seconds)?;
        writeln!(out, "{:<18}{:.1}", "requests/s", self.per_second)?;
        for (name, took) in &self.latencies {
            writeln!(out, "{name:<18}{took:.3} ms")?;
        }
        if let Some(cpu) = self.cpu_per_request {
            writeln!(out, "{:<18}{cpu:.4} ms", "CPU per request")?;
        }
        let errors: Vec<_> = self.errors.iter().map(|(name, count)| format!("{name}: {count}")).collect();
        write!(out, "{:<18}{}", "errors", if errors.is_empty() { "none".to_owned() } else { errors.join(", ") })
    }
}
