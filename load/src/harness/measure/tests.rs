//! Against a server that has two stories in a folder. One of them cannot be read, and every response to it
//! closes the connection.

use super::{report::Report, run};
use crate::{
    cli::Cli,
    client::Target,
    harness::serve::{listen, serve},
};
use bytes::Bytes;
use clap::Parser;
use http::{Request, Response, StatusCode};
use serde_json::{Value, json};
use std::time::{Duration, Instant};
use tokio::task::JoinSet;

fn answer(request: &Request<Bytes>) -> Response<Bytes> {
    let links = r#"{"links":{"1":{"slug":"f","is_folder":true},"2":{"slug":"f/a"},"3":{"slug":"f/b"}}}"#;
    let (status, body) = match (request.uri().path(), request.uri().query()) {
        ("/api/v2/cdn/links", _) => (StatusCode::OK, links),
        ("/api/v2/cdn/stories/f/a", Some("version=published&token=t")) => (StatusCode::OK, "four"),
        ("/api/v2/cdn/stories", Some("version=published&per_page=25&starts_with=f%2F&token=t")) => (StatusCode::OK, "list"),
        _ => (StatusCode::NOT_FOUND, ""),
    };
    let mut response = Response::new(Bytes::from(body));
    *response.status_mut() = status;
    if status != StatusCode::OK {
        response.headers_mut().insert("connection", http::HeaderValue::from_static("close"));
    }
    response
}

/// The report of a command line.
async fn report(line: &str) -> Value {
    let (listener, url) = listen().await.unwrap();
    let mut server = JoinSet::new();
    server.spawn(serve(listener, |request| answer(&request)));
    let args = Cli::parse_from(line.split(' ')).measurement.unwrap();
    run(&args, Target::parse(&url).unwrap()).await.unwrap().to_json()
}

#[tokio::test]
async fn every_request_is_counted_once_by_what_came_of_it() {
    let report = report(&format!("load single --token t --connections 3 --requests 20 --pid {}", std::process::id())).await;
    assert_eq!((&report["requests"], &report["errors"]), (&json!(20), &json!({ "404": 10 })));
    assert_eq!((&report["scenario"], &report["connections"]), (&json!("single"), &json!(3)));
    assert!(report["cpu_ms_per_request"].is_f64() && report["latency_ms"]["p99"].as_f64() > Some(0.0), "{report}");
    assert!(report["requests_per_second"].as_f64() > Some(0.0), "{report}");
}

#[tokio::test]
async fn a_rate_is_kept() {
    let began = Instant::now();
    assert_eq!(report("load single --token t --connections 5 --requests 11 --rate 100").await["requests"], 11);
    assert!(began.elapsed() >= Duration::from_millis(100), "the eleventh waits for its turn");
}

#[tokio::test]
async fn a_list_asks_for_the_folders() {
    let report = report("load list --token t --connections 1 --requests 3").await;
    assert_eq!((&report["requests"], &report["errors"]), (&json!(3), &json!({})));
}

#[test]
fn a_run_without_an_answer_divides_nothing_by_zero() {
    let args = Cli::parse_from("load single --token t".split(' ')).measurement.unwrap();
    let report = Report::new(&args, None, 1.0, Some(0.006));
    assert!(report.to_json()["cpu_ms_per_request"].is_null() && report.to_string().ends_with("none"), "{report}");
}
