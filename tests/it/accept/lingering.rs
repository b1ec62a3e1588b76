//! A client that sends a large body gets the response that refuses it, although the server does not read the
//! body.

use super::{Limits, app};
use support::{Raw, prelude::*};
use tokio::{
    io::{AsyncReadExt, AsyncWriteExt},
    net::TcpStream,
};

const ROUNDS: usize = 20;
/// More than the buffers of both ends hold.
const BODY: usize = 8 << 20;

/// Sends a whole request before it reads anything, as simple clients do, and reads to the end of the
/// connection.
async fn send(app: &TestApp, head: &str, body: &[u8]) -> Raw {
    let mut stream = TcpStream::connect(app.address).await.unwrap();
    stream.write_all(head.as_bytes()).await.unwrap();
    stream.write_all(body).await.unwrap();
    let mut text = String::new();
    stream.read_to_string(&mut text).await.unwrap();
    let (head, body) = text.split_once("\r\n\r\n").unwrap();
    let status = head.split(' ').nth(1).unwrap().parse().unwrap();
    Raw { status, head: head.to_lowercase(), body: body.to_owned() }
}

#[tokio::test]
async fn refusals_of_large_bodies_arrive_twenty_times_of_twenty() {
    let app = app(Limits::default()).await;
    let length = format!("content-length: {BODY}");
    let chunked = "transfer-encoding: chunked".to_owned();
    let plain = vec![b'x'; BODY];
    let mut chunks = format!("{BODY:x}\r\n").into_bytes();
    chunks.extend_from_slice(&plain);
    chunks.extend_from_slice(b"\r\n0\r\n\r\n");
    for (target, kind, framing, body, expected) in [
        ("POST /collect", "application/json", &length, &plain, 413),
        ("POST /collect", "application/json", &chunked, &chunks, 413),
        ("POST /api/auth/login", "application/json", &length, &plain, 403),
        ("POST /api/v1/spaces/1/stories", "application/json", &length, &plain, 401),
        ("POST /api/v1/spaces/1/assets", "multipart/form-data; boundary=x", &length, &plain, 401),
        ("POST /api/v1/spaces/1/assets", "multipart/form-data; boundary=x", &chunked, &chunks, 401),
        ("POST /nowhere", "application/json", &length, &plain, 404),
        ("POST /api/health", "application/json", &length, &plain, 405),
    ] {
        let head = format!("{target} HTTP/1.1\r\nhost: x\r\ncontent-type: {kind}\r\n{framing}\r\n\r\n");
        for raw in join_all((0..ROUNDS).map(|_| send(&app, &head, body))).await {
            assert_eq!(raw.status, expected, "{target} {framing} {raw:?}");
            assert!(raw.head.contains("connection: close"), "{raw:?}");
            assert!(serde_json::from_str::<serde_json::Value>(&raw.body).is_ok(), "{target} {raw:?}");
        }
    }
}

#[tokio::test]
async fn a_head_that_cannot_be_parsed_is_answered_whatever_follows() {
    let app = app(Limits::default()).await;
    for _ in 0..ROUNDS {
        let raw = send(&app, "GET /api/health HTTP/1.1\nhost: x\n\n", &vec![b'x'; BODY]).await;
        assert_eq!(raw.status, 400, "{raw:?}");
    }
}
