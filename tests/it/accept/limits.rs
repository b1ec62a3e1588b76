//! Time limits, sizes and numbers that a client cannot exceed.

use super::{HEALTH, Limits, app, gate, slow, trickle};
use support::prelude::*;

const SHORT: Duration = Duration::from_millis(100);

#[tokio::test]
async fn a_head_that_takes_too_long_ends_the_connection() {
    let app = app(Limits { header: SHORT, ..Limits::default() }).await;
    for beginning in ["", "G", "GET /api/health HTTP/1.1\r\nhost", "PRI * HTTP/2.0\r\n"] {
        app.connect().await.send(beginning).await.closed().await;
    }
    // The limit holds for the second head of a connection too.
    let stopped = StoppedTimers::now();
    let mut wire = app.connect().await;
    assert_eq!(wire.send(HEALTH).await.answer().await.unwrap().status, 200);
    drop(stopped);
    wire.send("GET /api").await.closed().await;
}

#[tokio::test]
async fn a_connection_without_requests_is_closed() {
    let app = app(Limits { idle: SHORT, ..Limits::default() }).await;
    let stopped = StoppedTimers::now();
    let mut wire = app.connect().await;
    assert_eq!(wire.send(HEALTH).await.answer().await.unwrap().status, 200);
    drop(stopped);
    wire.closed().await;
}

#[tokio::test]
async fn a_request_that_takes_too_long_is_503_and_the_connection_lives() {
    let app = app(Limits { request: SHORT, ..Limits::default() }).await;
    let mut wire = app.connect().await;
    let answer = wire.send("GET /hang HTTP/1.1\r\nhost: x\r\n\r\n").await.answer().await.unwrap();
    assert_eq!(answer.status, 503);
    assert!(answer.head.contains("retry-after: 1") && answer.body.contains(r#""error":"unavailable""#), "{answer:?}");
    let _stopped = StoppedTimers::now();
    assert_eq!(wire.send(HEALTH).await.answer().await.unwrap().status, 200);
}

#[tokio::test]
async fn heads_are_capped_in_lines_and_bytes() {
    let app = app(Limits::default()).await;
    let with = |lines: String| format!("GET /api/health HTTP/1.1\r\nhost: x\r\n{lines}\r\n");
    let lines = |count: usize| "x: y\r\n".repeat(count);
    let status = async |request: String| app.connect().await.send(request).await.answer().await.unwrap().status;
    assert_eq!(status(with(lines(99))).await, 200);
    assert_eq!(status(with(lines(100))).await, 431);
    assert_eq!(status(with(format!("x: {}\r\n", "y".repeat(20_000)))).await, 200);
    assert_eq!(status(with(format!("x: {}\r\n", "y".repeat(40_000)))).await, 431);
    for large in [lines(1 << 18), format!("x: {}\r\n", "y".repeat(1 << 20))] {
        let mut wire = app.connect().await;
        wire.send(with(large)).await;
        assert_eq!(app.connect().await.send(HEALTH).await.answer().await.unwrap().status, 200, "others are answered");
        let answer = wire.answer().await.unwrap();
        assert_eq!(answer.status, 431);
        assert!(answer.body.contains(r#""error":"headTooLarge""#), "{}", answer.body);
        wire.closed().await;
    }
}

#[tokio::test]
async fn above_the_cap_connections_wait() {
    let app = app(Limits { connections: 1, ..Limits::default() }).await;
    let mut first = app.connect().await;
    assert_eq!(first.send(HEALTH).await.answer().await.unwrap().status, 200);
    let mut second = app.connect().await;
    second.send(HEALTH).await;
    assert_eq!(first.send(HEALTH).await.answer().await.unwrap().status, 200, "the first one is served on");
    assert!(second.is_silent());
    drop(first);
    assert_eq!(second.answer().await.unwrap().status, 200);
}

#[tokio::test]
async fn a_panic_is_500_and_the_connection_lives() {
    let app: TestApp = app(Limits::default()).await;
    let mut wire = app.connect().await;
    let answer = wire.send("GET /panic HTTP/1.1\r\nhost: x\r\n\r\n").await.answer().await.unwrap();
    assert_eq!(answer.status, 500);
    assert!(answer.body.contains(r#""error":"internal""#) && !answer.body.contains("wanted"), "{}", answer.body);
    assert_eq!(wire.send(HEALTH).await.answer().await.unwrap().status, 200);
}

#[tokio::test]
async fn http_2_is_spoken_by_prior_knowledge() {
    let app = app(Limits::default()).await;
    let client = reqwest::Client::builder().http2_prior_knowledge().no_proxy().build().unwrap();
    let requests = (0..50).map(|_| client.get(app.url("/api/health")).send());
    for response in futures_util::future::join_all(requests).await {
        let response = response.unwrap();
        assert_eq!((response.version(), response.status().as_u16()), (reqwest::Version::HTTP_2, 200));
    }
    let head = client.head(app.url("/api/health")).send().await.unwrap();
    assert_eq!(head.headers()["content-length"], "15");
    assert_eq!(client.get(app.url("/panic")).send().await.unwrap().status(), 500);
}

#[tokio::test]
async fn a_request_counts_as_running_until_it_is_answered() {
    let app = app(Limits { header: SHORT, idle: SHORT, ..Limits::default() }).await;
    let stopped = StoppedTimers::now();
    let mut wire = app.connect().await;
    wire.send(slow(&app)).await;
    // Another connection, whose request is read after that one, sees both limits pass.
    let mut other = app.connect().await;
    assert_eq!(other.send(HEALTH).await.answer().await.unwrap().status, 200);
    drop(stopped);
    other.closed().await;
    gate(&app).add_permits(1);
    assert_eq!(wire.answer().await.unwrap().status, 200);
}

#[tokio::test]
async fn a_download_may_take_longer_than_a_head_also_with_the_next_request_begun() {
    let app = app(Limits { header: SHORT, ..Limits::default() }).await;
    // The next request begins together with the first one, or while that is being answered.
    for (at_once, later) in [("GET /api/hea", ""), ("", "GET /api/hea")] {
        let stopped = StoppedTimers::now();
        let mut wire = app.connect().await;
        wire.send(trickle(&app) + at_once).await;
        assert!(wire.until("some").await.is_some());
        wire.send(later).await;
        drop(stopped);
        // Another connection sees the limit pass.
        app.connect().await.closed().await;
        let _stopped = StoppedTimers::now();
        gate(&app).add_permits(1);
        assert!(wire.until("more\r\n0\r\n\r\n").await.is_some());
        assert_eq!(wire.send("lth HTTP/1.1\r\nhost: x\r\n\r\n").await.answer().await.unwrap().status, 200);
    }
}

#[tokio::test]
async fn a_body_that_stalls_is_408_and_the_end_of_the_connection() {
    let app = app(Limits { request: SHORT, ..Limits::default() }).await;
    for rest in ["content-length: 20\r\n\r\n", "content-length: 20\r\n\r\n{", "transfer-encoding: chunked\r\n\r\n5\r\n{"] {
        let stopped = StoppedTimers::now();
        let mut wire = app.connect().await;
        wire.send(format!("POST /collect HTTP/1.1\r\nhost: x\r\n{rest}")).await;
        assert_eq!(app.connect().await.send(HEALTH).await.answer().await.unwrap().status, 200, "read after that");
        drop(stopped);
        let answer = wire.answer().await.unwrap();
        assert_eq!(answer.status, 408);
        assert!(answer.body.contains(r#""error":"bodyTimeout""#), "{}", answer.body);
        wire.closed().await;
    }
}
