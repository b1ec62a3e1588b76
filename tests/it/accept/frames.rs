//! HTTP/2 clients that attack: their connections are closed, and other clients are served as before.

use super::{HEALTH, Limits, app};
use support::{
    Wire,
    frames::{
        CONTINUATION, DATA, END_HEADERS, END_STREAM, ENHANCE_YOUR_CALM, Frames, HEADERS, PING, RESET, SETTINGS, frame, get, line,
    },
    prelude::*,
};

/// The largest payload of a frame.
const FRAME: usize = 16 << 10;

/// Requests that are reset as soon as they are sent (CVE-2023-44487).
async fn rapid_reset(address: SocketAddr) -> Frames {
    let mut client = Frames::open(address).await;
    for batch in 0..100 {
        let pairs = (0..100).flat_map(|value| {
            let stream = (batch * 100 + value) * 2 + 1;
            [frame(HEADERS, END_HEADERS | END_STREAM, stream, &get("/api/health")), frame(RESET, 0, stream, &8_u32.to_be_bytes())]
        });
        client.send(pairs.collect::<Vec<_>>().concat()).await;
    }
    client
}

/// A head that never ends (CVE-2024-27316).
async fn continuations(address: SocketAddr, payload: &[u8]) -> Frames {
    let mut client = Frames::open(address).await;
    client.send(frame(HEADERS, END_STREAM, 1, &get("/api/health"))).await;
    let batch = frame(CONTINUATION, 0, 1, payload).repeat(100);
    for _ in 0..100 {
        client.send(&batch).await;
    }
    client
}

/// A head of 1 MB that ends.
async fn large_head(address: SocketAddr) -> Frames {
    let lines = line("x", &"y".repeat(100)).repeat(10_000);
    let mut pieces = lines.chunks(FRAME).peekable();
    let mut frames = frame(HEADERS, END_STREAM, 1, &get("/api/health"));
    while let Some(piece) = pieces.next() {
        let flags = if pieces.peek().is_none() { END_HEADERS } else { 0 };
        frames.extend(frame(CONTINUATION, flags, 1, piece));
    }
    let mut client = Frames::open(address).await;
    client.send(frames).await;
    client
}

async fn is_healthy(address: SocketAddr) -> bool {
    Wire::open(address).await.send(HEALTH).await.answer().await.is_some_and(|a| a.status == 200)
}

#[tokio::test]
async fn a_usual_request_is_answered() {
    let app = TestApp::start().await;
    let mut client = Frames::open(app.address).await;
    client.send(frame(HEADERS, END_HEADERS | END_STREAM, 1, &get("/api/health"))).await;
    let answer = client.next(DATA).await.unwrap();
    assert_eq!((answer.stream, answer.payload.as_slice()), (1, br#"{"status":"ok"}"#.as_slice()));
}

#[tokio::test]
async fn rapid_reset_is_the_end_of_the_connection() {
    let app = TestApp::start().await;
    let mut client = rapid_reset(app.address).await;
    assert!(is_healthy(app.address).await);
    assert_eq!(client.farewell().await, Some(ENHANCE_YOUR_CALM));
    client.closed().await;
}

#[tokio::test]
async fn continuations_without_end_are_the_end_of_the_connection() {
    let app = TestApp::start().await;
    for payload in [Vec::new(), line("x", "y"), line("x", "y").repeat(FRAME / 5)] {
        let mut client = continuations(app.address, &payload).await;
        assert!(is_healthy(app.address).await);
        assert_eq!(client.farewell().await, Some(ENHANCE_YOUR_CALM), "pieces of {}", payload.len());
        client.closed().await;
    }
}

#[tokio::test]
async fn a_megabyte_of_header_lines_is_refused() {
    let app = TestApp::start().await;
    let mut client = large_head(app.address).await;
    assert!(is_healthy(app.address).await);
    assert_eq!(client.farewell().await, Some(ENHANCE_YOUR_CALM));
    client.closed().await;
}

#[tokio::test]
async fn a_body_that_stalls_is_answered() {
    let app = app(Limits { request: Duration::from_millis(100), ..Limits::default() }).await;
    let stopped = StoppedTimers::now();
    let mut client = Frames::open(app.address).await;
    // The same head as of a GET, but with a body to come.
    client.send(frame(HEADERS, END_HEADERS, 1, &get("/collect"))).await.send(frame(DATA, 0, 1, b"{")).await;
    assert!(is_healthy(app.address).await, "read after that");
    drop(stopped);
    let answer = String::from_utf8(client.next(DATA).await.unwrap().payload).unwrap();
    assert!(answer.contains(r#""error":"bodyTimeout""#), "{answer}");
}

#[tokio::test]
async fn a_response_that_the_client_does_not_read_ends_the_connection_however_often_it_pings() {
    let app = app(Limits { slack: Duration::from_millis(100), ..Limits::default() }).await;
    let stopped = StoppedTimers::now();
    let mut client = Frames::open(app.address).await;
    let no_window = [0, 4, 0, 0, 0, 0];
    client
        .send(frame(SETTINGS, 0, 0, &no_window))
        .await
        .send(frame(HEADERS, END_HEADERS | END_STREAM, 1, &get("/api/health")))
        .await;
    assert_eq!(client.next(HEADERS).await.unwrap().stream, 1);
    drop(stopped);
    let pinging = async { while client.send(frame(PING, 0, 0, b"12345678")).await.next(PING).await.is_some() {} };
    assert!(tokio::time::timeout(Duration::from_secs(15), pinging).await.is_ok(), "the connection is still open");
    assert!(is_healthy(app.address).await);
}

#[tokio::test]
async fn floods_on_many_connections_leave_the_server_small_and_answering() {
    let data = support::data_directory();
    let server = Server::start(data.path(), &[]).await;
    assert!(is_healthy(server.address).await);
    let before = server.peak_memory();
    let endless = line("x", "y").repeat(FRAME / 5);
    let (floods, ()) = tokio::join!(
        futures_util::future::join_all((0..20).map(async |number| match number % 3 {
            0 => rapid_reset(server.address).await.closed().await,
            1 => continuations(server.address, &endless).await.closed().await,
            _ => large_head(server.address).await.closed().await,
        })),
        async {
            for _ in 0..20 {
                assert!(is_healthy(server.address).await);
            }
        }
    );
    assert_eq!(floods.len(), 20);
    let grown = server.peak_memory() - before;
    assert!(grown < 32 << 10, "{grown} KiB");
}
