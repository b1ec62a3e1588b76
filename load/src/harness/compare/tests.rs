//! Two small files.

use super::{Comparison, FIGURES};
use crate::harness::{
    page,
    result::{OperationResult, RunResult},
};
use std::{
    fs,
    path::Path,
    sync::atomic::{AtomicU32, Ordering},
};

fn operation(name: &str, per_second: f64, p99_ms: f64) -> OperationResult {
    OperationResult {
        phase: "steady".to_owned(),
        name: name.to_owned(),
        per_second,
        succeeded: 10,
        refused: 0,
        failed: 0,
        outcomes: [("200".to_owned(), 10)].into(),
        p50_ms: 1.0,
        p90_ms: 2.0,
        p99_ms,
        p999_ms: p99_ms,
        max_ms: p99_ms,
        percentiles: vec![(50.0, 1.0), (99.0, p99_ms)],
    }
}

fn run(operations: Vec<OperationResult>) -> RunResult {
    RunResult {
        scenario: "delivery-hot".to_owned(),
        about: "Stories".to_owned(),
        server: "http://127.0.0.1".to_owned(),
        settings: [].into(),
        findings: Vec::new(),
        unsent: 0,
        operations,
        seconds: Vec::new(),
    }
}

/// Through files, as the command line does it.
fn comparison() -> Comparison {
    // Tests run at the same time, each with files of its own.
    static NUMBER: AtomicU32 = AtomicU32::new(0);
    let number = NUMBER.fetch_add(1, Ordering::Relaxed);
    let folder = std::env::temp_dir().join(format!("lectern-load-{}-{number}", std::process::id()));
    fs::create_dir_all(&folder).unwrap();
    let file = |name: &str, result: &RunResult| {
        let path = folder.join(name);
        fs::write(&path, serde_json::to_string(result).unwrap()).unwrap();
        RunResult::read(&path).unwrap()
    };
    let before = file("before.json", &run(vec![operation("read", 100.0, 10.0), operation("gone", 1.0, 1.0)]));
    let after = file("after.json", &run(vec![operation("read", 150.0, 8.0), operation("new", 1.0, 1.0)]));
    fs::remove_dir_all(&folder).unwrap();
    Comparison::new(before, after)
}

#[test]
fn figures_of_the_same_operation_stand_side_by_side() {
    let comparison = comparison();
    let rows = comparison.rows();
    assert_eq!(rows.iter().map(|row| row.name).collect::<Vec<_>>(), ["read", "new", "gone"]);
    let pair = rows[0].pair(FIGURES[0].1).unwrap();
    assert_eq!((pair.before, pair.after, pair.change()), (100.0, 150.0, Some(50.0)));
    assert!(rows[1].pair(FIGURES[0].1).is_none() && rows[2].pair(FIGURES[0].1).is_none());
    let text = comparison.to_string();
    assert!(text.contains("100.00 → 150.00 (+50 %)") && text.contains("10.00 → 8.00 (-20 %)"), "{text}");
}

#[test]
fn the_page_says_what_became_better_and_names_no_other_address() {
    let page = page::of_comparison(&comparison());
    assert!(page.contains("+50 %") && page.contains("better") && page.contains("in one run only"), "{page}");
    for outside in ["http://", "https://", "//", "<script", "<link", "<img"] {
        // Below the address of the server, which is text.
        assert!(!page.replace("http://127.0.0.1", "").contains(outside), "{outside}");
    }
}

#[test]
fn a_file_that_is_no_result_is_refused_by_its_name() {
    let error = RunResult::read(Path::new("/nowhere/result.json")).unwrap_err();
    assert!(error.to_string().contains("/nowhere/result.json"));
}

#[test]
fn failures_where_there_were_none_are_worse() {
    let mut comparison = comparison();
    comparison.after.operations[0].failed = 7;
    let (_, failed, _) = FIGURES[4];
    assert_eq!(comparison.rows()[0].pair(failed).unwrap().change(), Some(f64::INFINITY));
    assert!(comparison.to_string().contains("0.00 → 7.00 (from none)"), "{comparison}");
    assert!(page::of_comparison(&comparison).contains(r#"<span class="bad">from none worse</span>"#));
}

#[test]
fn runs_that_were_not_made_alike_say_so() {
    let mut comparison = comparison();
    assert!(comparison.differences().is_empty());
    comparison.before.settings.insert("users".to_owned(), "4".to_owned());
    comparison.after.scenario = "delivery-mixed".to_owned();
    assert_eq!(comparison.differences(), [("scenario", "delivery-hot", "delivery-mixed"), ("users", "4", "none")]);
    assert!(comparison.to_string().contains("the runs differ in users: 4 → none"), "{comparison}");
    assert!(page::of_comparison(&comparison).contains("<li>users: 4 → none</li>"));
}
