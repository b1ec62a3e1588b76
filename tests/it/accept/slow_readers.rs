//! Clients that do not take their responses, or take them slowly.

use super::{HEALTH, LARGE, Limits, app, gate, trickle};
use support::{
    Wire,
    frames::{DATA, END_HEADERS, END_STREAM, Frames, HEADERS, WINDOW_UPDATE, frame, get},
    prelude::*,
};

const SHORT: Duration = Duration::from_millis(100);
const GET_LARGE: &str = "GET /large HTTP/1.1\r\nhost: x\r\n\r\n";

/// A connection with a large response, of which the head is taken.
async fn begun(app: &TestApp) -> Wire {
    let _stopped = StoppedTimers::now();
    let mut wire = app.connect().await;
    wire.send(GET_LARGE).await.head().await.unwrap();
    wire
}

/// How many connections were closed because of their pace.
async fn cut(app: &TestApp) -> u64 {
    let page = app.get("/metrics").bearer_auth("0123456789abcdef").send().await.unwrap().text().await.unwrap();
    let line = page.lines().find_map(|line| line.strip_prefix("svc_http_connections_cut_total{reason=\"slow\"} "));
    line.map_or(0, |count| count.parse().unwrap())
}

/// Waits until `count` connections were closed because of their pace.
async fn until_cut(app: &TestApp, count: u64) {
    let waiting = async { while cut(app).await < count {} };
    tokio::time::timeout(Duration::from_secs(15), waiting).await.expect("a connection that is closed");
}

#[tokio::test]
async fn who_does_not_take_a_response_is_cut_off() {
    let app = app(Limits { slack: SHORT, ..Limits::default() }).await;
    let mut wire = begun(&app).await;
    until_cut(&app, 1).await;
    assert!(wire.bytes(LARGE).await.is_none());
}

/// It reads all the time, so no pause in it is as long as the limit.
#[tokio::test]
async fn who_takes_a_response_too_slowly_is_cut_off() {
    let app = app(Limits { slack: SHORT, pace: u32::MAX, ..Limits::default() }).await;
    let mut wire = begun(&app).await;
    let mut taken = 0;
    while wire.bytes(1).await.is_some() {
        taken += 1;
    }
    assert!(taken < LARGE, "{taken}");
    assert_eq!(cut(&app).await, 1);
}

#[tokio::test]
async fn who_takes_a_response_fast_enough_gets_all_of_it_however_long_it_takes() {
    let app = app(Limits { slack: Duration::from_secs(10), pace: 1, ..Limits::default() }).await;
    let mut wire = begun(&app).await;
    assert!(wire.bytes(LARGE).await.is_some());
    assert_eq!(wire.send(HEALTH).await.answer().await.unwrap().status, 200);
}

#[tokio::test]
async fn a_response_that_the_server_makes_slowly_is_not_cut_off() {
    let app = app(Limits { slack: Duration::ZERO, pace: u32::MAX, header: SHORT, ..Limits::default() }).await;
    let stopped = StoppedTimers::now();
    let mut wire = app.connect().await;
    wire.send(trickle(&app)).await.until("some").await.unwrap();
    drop(stopped);
    // Another connection sees time pass.
    app.connect().await.closed().await;
    gate(&app).add_permits(1);
    assert!(wire.until("more\r\n0\r\n\r\n").await.is_some());
    assert_eq!(cut(&app).await, 0);
}

/// The client leaves one byte of the response lie, and goes on asking for others.
#[tokio::test]
async fn the_end_of_a_response_on_http_2_has_to_be_taken_as_well() {
    let app = app(Limits { slack: SHORT, ..Limits::default() }).await;
    let stopped = StoppedTimers::now();
    let mut client = Frames::open(app.address).await;
    let window = u32::try_from(LARGE - 1).unwrap();
    let grow = |by: u32, stream| frame(WINDOW_UPDATE, 0, stream, &by.to_be_bytes());
    client.send(grow(1 << 30, 0)).await;
    client.send(frame(HEADERS, END_HEADERS | END_STREAM, 1, &get("/large"))).await;
    client.send(grow(window - 65_535, 1)).await;
    let mut taken = 0;
    while taken < LARGE - 1 {
        taken += client.next(DATA).await.unwrap().payload.len();
    }
    drop(stopped);
    let mut stream = 1;
    let asking = async {
        loop {
            stream += 2;
            client.send(frame(HEADERS, END_HEADERS | END_STREAM, stream, &get("/api/health"))).await;
            if client.next(DATA).await.is_none() {
                break;
            }
        }
    };
    tokio::time::timeout(Duration::from_secs(15), asking).await.expect("a connection that is closed");
    assert_eq!(cut(&app).await, 1);
}
