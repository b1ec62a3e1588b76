//! Two results side by side.

use super::result::{OperationResult, RunResult};
use std::{
    collections::{BTreeMap, BTreeSet},
    fmt::{self, Display, Formatter},
    iter,
};

/// Two runs, and their operations by phase and name.
pub(crate) struct Comparison {
    pub(crate) before: RunResult,
    pub(crate) after: RunResult,
}

/// A figure of an operation in both runs.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Pair {
    pub(crate) before: f64,
    pub(crate) after: f64,
}

/// An operation that is in one run or in both.
#[derive(Debug)]
pub(crate) struct Row<'a> {
    pub(crate) phase: &'a str,
    pub(crate) name: &'a str,
    before: Option<&'a OperationResult>,
    after: Option<&'a OperationResult>,
}

/// A figure: its name, where it is, and whether more of it is better.
type Figure = (&'static str, fn(&OperationResult) -> f64, bool);

/// The figures that are compared.
pub(crate) const FIGURES: [Figure; 5] = [
    ("per s", |line| line.per_second, true),
    ("p50 ms", |line| line.p50_ms, false),
    ("p99 ms", |line| line.p99_ms, false),
    ("max ms", |line| line.max_ms, false),
    ("failed", |line| super::result::count(line.failed), false),
];

impl Pair {
    /// The change in per cent, without end where there was nothing before; none from nothing to nothing.
    pub(crate) fn change(self) -> Option<f64> {
        match (self.before > 0.0, self.after > 0.0) {
            (true, _) => Some((self.after / self.before - 1.0) * 100.0),
            (false, true) => Some(f64::INFINITY),
            (false, false) => None,
        }
    }
}

/// The value of a setting.
fn setting<'a>(settings: &'a BTreeMap<String, String>, name: &str) -> &'a str {
    settings.get(name).map_or("none", String::as_str)
}

/// A change as text.
pub(crate) fn percent(change: f64) -> String {
    if change.is_finite() { format!("{change:+.0} %") } else { "from none".to_owned() }
}

impl Row<'_> {
    /// A figure; none for an operation that only one run has.
    pub(crate) fn pair(&self, figure: fn(&OperationResult) -> f64) -> Option<Pair> {
        Some(Pair { before: figure(self.before?), after: figure(self.after?) })
    }
}

impl Comparison {
    pub(crate) fn new(before: RunResult, after: RunResult) -> Self {
        Self { before, after }
    }

    /// What the runs do not have in common: the setting, and its value in either run.
    pub(crate) fn differences(&self) -> Vec<(&str, &str, &str)> {
        let (before, after) = (&self.before.settings, &self.after.settings);
        let names: BTreeSet<&String> = before.keys().chain(after.keys()).collect();
        let scenarios = ("scenario", self.before.scenario.as_str(), self.after.scenario.as_str());
        let settings = names.into_iter().map(|name| (name.as_str(), setting(before, name), setting(after, name)));
        iter::once(scenarios).chain(settings).filter(|(_, before, after)| before != after).collect()
    }

    /// The operations of both, in the order of the second run; what only the first one has comes last.
    pub(crate) fn rows(&self) -> Vec<Row<'_>> {
        let find = |run: &'_ RunResult, line: &OperationResult| -> Option<usize> {
            run.operations.iter().position(|other| (&other.phase, &other.name) == (&line.phase, &line.name))
        };
        let after = self.after.operations.iter().map(|line| Row {
            phase: &line.phase,
            name: &line.name,
            before: find(&self.before, line).and_then(|at| self.before.operations.get(at)),
            after: Some(line),
        });
        let gone = self.before.operations.iter().filter(|line| find(&self.after, line).is_none());
        let gone = gone.map(|line| Row { phase: &line.phase, name: &line.name, before: Some(line), after: None });
        after.chain(gone).collect()
    }
}

impl Display for Comparison {
    fn fmt(&self, out: &mut Formatter<'_>) -> fmt::Result {
        writeln!(out, "{} compared with {}\n", self.before.scenario, self.after.scenario)?;
        for (name, before, after) in self.differences() {
            writeln!(out, "the runs differ in {name}: {before} → {after}")?;
        }
        let rows = self.rows();
        let width = rows.iter().map(|row| row.name.len()).max().unwrap_or_default().max(9);
        write!(out, "{:<9} {:<width$}", "phase", "operation")?;
        FIGURES.iter().try_for_each(|(name, ..)| write!(out, "  {name:>26}"))?;
        writeln!(out)?;
        for row in &rows {
            write!(out, "{:<9} {:<width$}", row.phase, row.name)?;
            for (_, figure, _) in FIGURES {
                let text = match row.pair(figure) {
                    None => "in one run only".to_owned(),
                    Some(pair) => {
                        let change = pair.change().map_or_else(String::new, |change| format!(" ({})", percent(change)));
                        format!("{:.2} → {:.2}{change}", pair.before, pair.after)
                    }
                };
                write!(out, "  {text:>26}")?;
            }
            writeln!(out)?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests;
