//! The report.

use crate::{args::Args, totals::Totals};
use serde_json::{Value, json};
use std::{collections::BTreeMap, fmt, time::Duration};

/// The report of a run.
pub(crate) struct Report {
    scenario: String,
    connections: u32,
    requests: u64,
    seconds: f64,
    per_second: f64,
    bytes: u64,
    latencies: [(&'static str, Duration); 4],
    errors: BTreeMap<String, u64>,
    cpu_per_request: Option<Duration>,
}

impl Report {
    /// A report of the totals, with the processor time if it was counted.
    pub(crate) fn new(args: &Args, totals: &Totals, cpu: Option<Duration>) -> Self {
        let requests = totals.answered_in_all();
        let seconds = totals.elapsed.as_secs_f64();
        // Neither is ever so large; and a rate is a rate.
        let count = u32::try_from(requests).unwrap_or(u32::MAX);
        Self {
            scenario: format!("{:?}", args.scenario).to_lowercase(),
            connections: args.connections,
            requests,
            seconds,
            per_second: if seconds > 0.0 { f64::from(count) / seconds } else { 0.0 },
            bytes: totals.bytes,
            latencies: [
                ("p50", totals.latencies.quantile(500)),
                ("p90", totals.latencies.quantile(900)),
                ("p99", totals.latencies.quantile(990)),
                ("max", totals.latencies.max()),
            ],
            errors: totals.errors(),
            cpu_per_request: cpu.and_then(|cpu| cpu.checked_div(count)),
        }
    }

    /// The report as JSON. Times are in milliseconds.
    pub(crate) fn to_json(&self) -> Value {
        let latencies: BTreeMap<_, _> = self.latencies.iter().map(|(name, took)| (*name, millis(*took))).collect();
        json!({
            "scenario": self.scenario,
            "connections": self.connections,
            "requests": self.requests,
            "seconds": self.seconds,
            "requests_per_second": self.per_second,
            "bytes": self.bytes,
            "latency_ms": latencies,
            "errors": self.errors,
            "cpu_ms_per_request": self.cpu_per_request.map(millis),
        })
    }
}

impl fmt::Display for Report {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(out, "{:<18}{} over {} connections", "scenario", self.scenario, self.connections)?;
        writeln!(out, "{:<18}{} in {:.1} s", "requests", self.requests, self.seconds)?;
        writeln!(out, "{:<18}{:.1}", "requests/s", self.per_second)?;
        writeln!(out, "{:<18}{}", "body bytes", self.bytes)?;
        for (name, took) in &self.latencies {
            writeln!(out, "{name:<18}{:.3} ms", millis(*took))?;
        }
        if let Some(cpu) = self.cpu_per_request {
            writeln!(out, "{:<18}{:.4} ms", "CPU per request", millis(cpu))?;
        }
        let errors: Vec<_> = self.errors.iter().map(|(name, count)| format!("{name}: {count}")).collect();
        write!(out, "{:<18}{}", "errors", if errors.is_empty() { "none".to_owned() } else { errors.join(", ") })
    }
}

/// Rounds to the tenth of a microsecond. The result fits for up to seven minutes, and a request times out after half a minute.
fn millis(took: Duration) -> f64 {
    f64::from(u32::try_from(took.as_nanos() / 100).unwrap_or(u32::MAX)) / 10_000.0
}

#[cfg(test)]
mod tests {
    use super::Report;
    use crate::{cli::Cli, client::Failure, totals::Totals};
    use clap::Parser;
    use http::StatusCode;
    use serde_json::json;
    use std::time::Duration;

    fn report(totals: &Totals, cpu: Option<Duration>) -> Report {
        let args = Cli::parse_from("load single --token t --connections 2".split(' ')).measurement.unwrap();
        Report::new(&args, totals, cpu)
    }

    #[test]
    fn numbers_are_per_second_and_per_request() {
        let mut totals = Totals::default();
        totals.elapsed = Duration::from_secs(2);
        for _ in 0..4 {
            totals.answered(StatusCode::OK, 5, Duration::from_micros(50));
        }
        totals.failed(Failure::Timeout);
        let report = report(&totals, Some(Duration::from_millis(6)));
        let expected = json!({
            "scenario": "single", "connections": 2, "requests": 4, "seconds": 2.0, "requests_per_second": 2.0, "bytes": 20,
            "latency_ms": { "p50": 0.05, "p90": 0.05, "p99": 0.05, "max": 0.05 },
            "errors": { "timeout": 1 }, "cpu_ms_per_request": 1.5,
        });
        assert_eq!(report.to_json(), expected);
        assert!(report.to_string().ends_with("timeout: 1"));
    }

    #[test]
    fn a_run_without_an_answer_divides_nothing_by_zero() {
        let report = report(&Totals::default(), Some(Duration::from_millis(6)));
        assert_eq!(report.to_json()["cpu_ms_per_request"], json!(null));
        assert!(report.to_string().contains("none"));
    }
}
