//! The result as a table.

use super::result::RunResult;
use std::fmt::{self, Display, Formatter};

/// Prints as a table, with lines about the run below it.
pub(crate) struct Table<'a>(pub(crate) &'a RunResult);

impl Display for Table<'_> {
    fn fmt(&self, out: &mut Formatter<'_>) -> fmt::Result {
        let result = self.0;
        writeln!(out, "{}: {}\n", result.scenario, result.about)?;
        let width = result.operations.iter().map(|line| line.name.len()).max().unwrap_or_default().max(9);
        let columns = ["per s", "p50 ms", "p90 ms", "p99 ms", "p99.9 ms", "max ms", "succeeded", "refused", "failed"];
        write!(out, "{:<9} {:<width$}", "phase", "operation")?;
        columns.iter().try_for_each(|name| write!(out, " {name:>9}"))?;
        writeln!(out)?;
        for line in &result.operations {
            write!(out, "{:<9} {:<width$} {:>9.1}", line.phase, line.name, line.per_second)?;
            for value in [line.p50_ms, line.p90_ms, line.p99_ms, line.p999_ms, line.max_ms] {
                write!(out, " {value:>9.2}")?;
            }
            writeln!(out, " {:>9} {:>9} {:>9}", line.succeeded, line.refused, line.failed)?;
        }
        writeln!(out)?;
        for line in result.operations.iter().filter(|line| line.refused + line.failed > 0) {
            let outcomes: Vec<_> = line.outcomes.iter().map(|(name, count)| format!("{name}: {count}")).collect();
            writeln!(out, "{} {}: {}", line.phase, line.name, outcomes.join(", "))?;
        }
        if result.unsent > 0 {
            writeln!(out, "turns that were due and never began, because all users were busy: {}", result.unsent)?;
        }
        if let Some(bytes) = result.most_memory() {
            writeln!(out, "most memory of the server: {:.0} MB", bytes / 1e6)?;
        }
        if let Some(cpu) = result.cpu_ms_per_request() {
            writeln!(out, "processor time of the server for a request: {cpu:.4} ms")?;
        }
        for finding in &result.findings {
            writeln!(out, "[{}] {}", if finding.holds { "holds" } else { "FAILS" }, finding.text)?;
        }
        Ok(())
    }
}
