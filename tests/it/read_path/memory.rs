//! The memory of responses that are not taken.

use super::{fixture, publish, read};
use support::{Wire, prelude::*};

/// The size of a large story: more than the system keeps of a connection.
const LARGE: usize = 2 << 20;

/// A space with a large story and a small one, in which two large responses are all that may be under way.
async fn space(cache: &str) -> (SpaceFixture, i64) {
    let variables =
        [("APP_RESPONSE_MEMORY_MB", "4"), ("APP_DELIVERY_CACHE_MB", cache), ("APP_METRICS_TOKEN", "sixteen bytes or more")];
    let fixture = fixture(&variables).await;
    let large = publish(&fixture, "large", &"x".repeat(LARGE)).await;
    publish(&fixture, "small", "").await;
    (fixture, large)
}

/// The path of the large story. Each number has a response of its own.
fn large(fixture: &SpaceFixture, number: u32) -> String {
    format!("/api/v2/cdn/stories/large?token={}&fallback_lang=l{number}", fixture.public)
}

/// Asks from an address of this machine.
async fn ask(fixture: &SpaceFixture, last: u8, path: &str) -> Wire {
    let mut wire = Wire::open_from([127, 0, 0, last].into(), fixture.address).await;
    let authorization = format!("authorization: {}", fixture.editor);
    wire.send(format!("GET {path} HTTP/1.1\r\nhost: x\r\n{authorization}\r\n\r\n")).await;
    wire
}

/// Asks, and reads nothing but the head of the response.
async fn hold(fixture: &SpaceFixture, last: u8, path: &str) -> Wire {
    let mut wire = ask(fixture, last, path).await;
    assert!(wire.head().await.unwrap().starts_with("http/1.1 200 "));
    wire
}

/// The value of a metric.
async fn metric(fixture: &SpaceFixture, name: &str) -> usize {
    let page = fixture.app.get("/metrics").bearer_auth("sixteen bytes or more").send().await.unwrap().text().await.unwrap();
    let line = page.lines().find_map(|line| line.strip_prefix(name));
    line.map_or(0, |value| value.trim().parse().unwrap())
}

#[tokio::test]
async fn who_reads_nothing_takes_the_memory_from_nobody_else() {
    let (fixture, _) = space("0").await;
    let _held = [hold(&fixture, 2, &large(&fixture, 1)).await, hold(&fixture, 2, &large(&fixture, 2)).await];
    assert!(metric(&fixture, "svc_response_memory_bytes").await > 2 * LARGE);
    let refused = ask(&fixture, 2, &large(&fixture, 3)).await.answer().await.unwrap();
    assert_eq!(refused.status, 503, "it has the most itself");
    assert!(refused.head.contains("retry-after: 1"), "{}", refused.head);
    let answered = ask(&fixture, 3, &large(&fixture, 4)).await.answer().await.unwrap();
    assert_eq!((answered.status, answered.body.len() > LARGE), (200, true));
    assert_eq!(metric(&fixture, "svc_http_connections_cut_total{reason=\"memory\"}").await, 1);
}

#[tokio::test]
async fn a_request_waits_for_the_memory_of_a_response_that_is_being_read() {
    let (fixture, _) = space("0").await;
    let mut first = hold(&fixture, 2, &large(&fixture, 1)).await;
    let mut second = hold(&fixture, 2, &large(&fixture, 2)).await;
    // It waits for two seconds at most.
    let timers = StoppedTimers::now();
    let mut third = ask(&fixture, 2, &large(&fixture, 3)).await;
    assert!(first.bytes(LARGE).await.is_some());
    // The rest of it is less than the system keeps.
    assert_eq!(third.answer().await.unwrap().status, 200);
    drop(timers);
    assert!(second.bytes(LARGE).await.is_some(), "nobody was cut off");
}

#[tokio::test]
async fn a_response_from_the_cache_is_in_memory_once_however_many_hold_it() {
    let (fixture, _) = space("64").await;
    let path = large(&fixture, 1);
    let mut held = Vec::new();
    for _ in 0..8 {
        held.push(hold(&fixture, 2, &path).await);
    }
    assert_eq!(metric(&fixture, "svc_response_memory_bytes").await, 0);
    assert_eq!(ask(&fixture, 2, &path).await.answer().await.unwrap().status, 200);
    assert_eq!(read(&fixture.app, &fixture.public, "stories/small").await.status(), 200);
    assert!(held[0].bytes(LARGE).await.is_some());
}

#[tokio::test]
async fn responses_of_the_management_api_count_as_well() {
    let (fixture, story) = space("0").await;
    let path = fixture.path(&format!("/stories/{story}"));
    let mut first = hold(&fixture, 2, &path).await;
    let _second = hold(&fixture, 2, &path).await;
    assert!(metric(&fixture, "svc_response_memory_bytes").await > 2 * LARGE);
    let refused = ask(&fixture, 2, &path).await.answer().await.unwrap();
    assert_eq!(refused.status, 503);
    assert!(refused.body.contains(r#""error":"unavailable""#), "{}", refused.body);
    assert_eq!(ask(&fixture, 2, "/api/health").await.answer().await.unwrap().status, 200);
    assert!(first.bytes(LARGE).await.is_some());
    assert_eq!(ask(&fixture, 2, &path).await.answer().await.unwrap().status, 200);
}
