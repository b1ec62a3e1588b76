//! A run, or two of them, as a page. It is one file that loads nothing: its policy permits no script and only
//! the style in it, which it names by its hash.

use super::{
    chart::{Chart, Line, Scale, short},
    compare::{Comparison, FIGURES, percent},
    result::{OperationResult, RunResult, Second},
};
use base64::{Engine, prelude::BASE64_STANDARD};
use maud::{DOCTYPE, Markup, PreEscaped, html};
use sha2::{Digest, Sha256};

const STYLE: &str = include_str!("page.css");
/// The most lines of a chart by operation. Of more, those with the highest p99 are drawn.
const MAX_LINES: usize = 8;

/// The page of a run.
pub(crate) fn of_run(result: &RunResult) -> String {
    let body = html! {
        h1 { "Load: " (result.scenario) }
        p { (result.about) }
        dl {
            dt { "server" } dd { (result.server) }
            @for (name, value) in &result.settings { dt { (name) } dd { (value) } }
            @if let Some(bytes) = result.most_memory() { dt { "most memory of the server" } dd { (format!("{:.0} MB", bytes / 1e6)) } }
            @if let Some(cpu) = result.cpu_ms_per_request() { dt { "processor time of the server for a request" } dd { (format!("{cpu:.4} ms")) } }
            @if result.unsent > 0 { dt { "turns that never began" } dd { (result.unsent) } }
        }
        @if !result.findings.is_empty() {
            h2 { "Findings" }
            ul .findings {
                @for finding in &result.findings {
                    li { @if finding.holds { span .good { "holds" } } @else { span .bad { "fails" } } " " (finding.text) }
                }
            }
        }
        h2 { "Operations" }
        (operations(&result.operations))
        h2 { "Over time" }
        (over_time(&result.seconds))
        h2 { "Percentiles" }
        p { "The share of successful requests that took no longer. Each step to the right leaves out a tenth of those before." }
        (percentiles(&result.operations).render())
    };
    page(&format!("Load: {}", result.scenario), &body)
}

/// The page of two runs.
pub(crate) fn of_comparison(comparison: &Comparison) -> String {
    let body = html! {
        h1 { "Load: " (comparison.before.scenario) " compared with " (comparison.after.scenario) }
        @let differences = comparison.differences();
        @if !differences.is_empty() {
            p { "The runs differ in more than the server:" }
            ul { @for (name, before, after) in differences { li { (name) ": " (before) " → " (after) } } }
        }
        table {
            thead { tr { th { "phase" } th { "operation" } @for (name, ..) in FIGURES { th .number colspan="2" { (name) } } } }
            tbody {
                @for row in comparison.rows() {
                    tr {
                        td { (row.phase) } td { (row.name) }
                        @for (_, figure, more_is_better) in FIGURES {
                            @if let Some(pair) = row.pair(figure) {
                                td .number { (short(pair.before)) " → " (short(pair.after)) }
                                td { (change(pair.change(), more_is_better)) }
                            } @else { td colspan="2" { "in one run only" } }
                        }
                    }
                }
            }
        }
        h2 { "Over time" }
        (Chart {
            title: "p99 of all operations", unit: "ms over seconds", scale: Scale::Logarithmic, marks: Vec::new(), phases: Vec::new(),
            lines: both(comparison, |second| latency(second, second.all.p99_ms)),
        }.render())
        (Chart {
            title: "Successes a second", unit: "over seconds", scale: Scale::Linear, marks: Vec::new(), phases: Vec::new(),
            lines: both(comparison, |second| per_second(second, second.all.succeeded)),
        }.render())
        (Chart {
            title: "Memory of the server", unit: "MB over seconds", scale: Scale::Linear, marks: Vec::new(), phases: Vec::new(),
            lines: both(comparison, |second| second.memory_bytes.map(|bytes| bytes / 1e6)),
        }.render())
    };
    page("Load: comparison", &body)
}

fn page(title: &str, body: &Markup) -> String {
    let hash = BASE64_STANDARD.encode(Sha256::digest(STYLE));
    let policy = format!("default-src 'none'; style-src 'sha256-{hash}'; base-uri 'none'; form-action 'none'");
    let page = html! {
        (DOCTYPE)
        html lang="en" {
            head {
                meta charset="utf-8";
                meta http-equiv="Content-Security-Policy" content=(policy);
                meta name="viewport" content="width=device-width, initial-scale=1";
                title { (title) }
                style { (PreEscaped(STYLE)) }
            }
            body { main { (body) } }
        }
    };
    page.into_string()
}

fn operations(lines: &[OperationResult]) -> Markup {
    let columns = ["per s", "p50", "p90", "p99", "p99.9", "max ms", "succeeded", "refused", "failed"];
    html! {
        table {
            thead { tr { th { "phase" } th { "operation" } @for name in columns { th .number { (name) } } th { "outcomes" } } }
            tbody {
                @for line in lines {
                    tr {
                        td { (line.phase) } td { (line.name) } td .number { (format!("{:.1}", line.per_second)) }
                        @for value in [line.p50_ms, line.p90_ms, line.p99_ms, line.p999_ms, line.max_ms] { td .number { (format!("{value:.2}")) } }
                        @for count in [line.succeeded, line.refused] { td .number { (count) } }
                        td .number .bad[line.failed > 0] { (line.failed) }
                        td { (line.outcomes.iter().map(|(name, count)| format!("{name}: {count}")).collect::<Vec<_>>().join(", ")) }
                    }
                }
            }
        }
    }
}

fn over_time(seconds: &[Second]) -> Markup {
    let line = |name: &str, value: &dyn Fn(&Second) -> Option<f64>| Line {
        name: name.to_owned(),
        points: seconds.iter().filter_map(|second| Some((second.at, value(second)?))).collect(),
    };
    let mut phases: Vec<(f64, String)> = Vec::new();
    for second in seconds {
        if phases.last().is_none_or(|(_, name)| *name != second.phase) {
            phases.push((second.at - second.lasted, second.phase.clone()));
        }
    }
    let chart = |title, unit, scale, lines| Chart { title, unit, scale, marks: Vec::new(), phases: phases.clone(), lines };
    let latency = vec![
        line("p50", &|second| latency(second, second.all.p50_ms)),
        line("p99", &|second| latency(second, second.all.p99_ms)),
        line("max", &|second| latency(second, second.all.max_ms)),
    ];
    let answers = vec![
        line("succeeded", &|second| per_second(second, second.all.succeeded)),
        line("refused", &|second| per_second(second, second.all.refused)),
        line("failed", &|second| per_second(second, second.all.failed)),
    ];
    let memory = vec![line("resident", &|second| second.memory_bytes.map(|bytes| bytes / 1e6))];
    html! {
        (chart("Latency", "ms", Scale::Logarithmic, latency).render())
        (chart("Answers", "a second", Scale::Linear, answers).render())
        (chart("Memory of the server", "MB", Scale::Linear, memory).render())
    }
}

/// Latency by percentile, over the number of nines.
fn percentiles(operations: &[OperationResult]) -> Chart {
    let nines = |percent: f64| -(1.0 - percent.min(99.999) / 100.0).log10();
    let mut shown: Vec<_> =
        operations.iter().filter(|line| line.succeeded > 0 && !["ramp", "warm up"].contains(&line.phase.as_str())).collect();
    shown.sort_by(|one, other| other.p99_ms.total_cmp(&one.p99_ms));
    shown.truncate(MAX_LINES);
    let lines = shown.into_iter().map(|line| Line {
        name: format!("{} ({})", line.name, line.phase),
        points: line.percentiles.iter().map(|(percent, ms)| (nines(*percent), *ms)).collect(),
    });
    let marks = [50.0, 90.0, 99.0, 99.9, 99.99].map(|percent| (nines(percent), format!("{percent} %")));
    Chart {
        title: "Latency by percentile",
        unit: "ms",
        scale: Scale::Logarithmic,
        marks: marks.to_vec(),
        phases: Vec::new(),
        lines: lines.collect(),
    }
}

fn both(comparison: &Comparison, value: fn(&Second) -> Option<f64>) -> Vec<Line> {
    let of = |name: &str, run: &RunResult| Line {
        name: name.to_owned(),
        points: run.seconds.iter().filter_map(|second| Some((second.at, value(second)?))).collect(),
    };
    vec![of("before", &comparison.before), of("after", &comparison.after)]
}

/// Nothing for the rest of a second at the end of a phase.
fn per_second(second: &Second, number: u64) -> Option<f64> {
    second.has_rate().then(|| super::result::count(number) / second.lasted)
}

/// Nothing for a second without a success.
fn latency(second: &Second, ms: f64) -> Option<f64> {
    (second.all.succeeded > 0).then_some(ms)
}

/// A change of a twentieth and more is called better or worse.
fn change(change: Option<f64>, more_is_better: bool) -> Markup {
    let Some(change) = change else { return html! {} };
    let text = percent(change);
    match () {
        () if change.abs() < 5.0 => html! { (text) },
        () if (change > 0.0) == more_is_better => html! { span .good { (text) " better" } },
        () => html! { span .bad { (text) " worse" } },
    }
}
