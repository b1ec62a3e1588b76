//! Requests that a proxy and the server could frame differently are refused, and their connection is closed.

use super::{HEALTH, Limits, app};
use support::prelude::*;

#[tokio::test]
async fn ambiguous_framing_is_400_and_the_end_of_the_connection() {
    let app = app(Limits::default()).await;
    let post = |lines: &str, body: &str| format!("POST /api/health HTTP/1.1\r\nhost: x\r\n{lines}\r\n\r\n{body}");
    let smuggled = format!("0\r\n\r\n{HEALTH}");
    for request in [
        post("content-length: 4\r\ntransfer-encoding: chunked", &smuggled),
        post("transfer-encoding: chunked\r\ncontent-length: 4", &smuggled),
        format!("\r\n\r\n{}", post("transfer-encoding: chunked\r\ncontent-length: 4", &smuggled)),
        post("content-length: 4\r\ncontent-length: 5", "abcd"),
        post("content-length: +4", "abcd"),
        post("content-length: 4, 4", "abcd"),
        post("transfer-encoding: xchunked", &smuggled),
        post("transfer-encoding: chunked, identity", &smuggled),
        post("transfer-encoding : chunked", &smuggled),
        post("transfer-encoding\t: chunked", &smuggled),
        post("x-folded: a\r\n b", ""),
        post("x-nul: a\0b", ""),
        "GET /api/health HTTP/1.1\nhost: x\n\n".to_owned(),
        "GET  /api/health HTTP/1.1\r\nhost: x\r\n\r\n".to_owned(),
        "GET /api/health HTTP/1.1\r\n host: x\r\n\r\n".to_owned(),
    ] {
        let mut wire = app.connect().await;
        let answer = wire.send(&request).await.answer().await.unwrap();
        assert_eq!(answer.status, 400, "{request:?}");
        assert!(answer.body.contains(r#""error":"malformedRequest""#), "{request:?}: {}", answer.body);
        wire.closed().await;
    }
}

#[tokio::test]
async fn an_illegal_byte_is_told_in_the_format_of_the_api_and_ends_the_connection() {
    let app = app(Limits::default()).await;
    let management = [r#""error":"malformedRequest","#, r#""requestId":""#];
    for (request, members) in [
        ("GET /api/v1/spaces/1/stories?search=\"a\" HTTP/1.1\r\nhost: x\r\n\r\n", management),
        ("GET /api/v1/spaces/1/stories HTTP/1.1\r\nhost: x\r\nx-\"a: b\r\n\r\n", management),
        ("POST /api/v1/spaces/1/stories HTTP/1.1\r\nhost: x\r\ncontent-length: 2\r\nauthorization: a\u{1}\r\n\r\n{}", management),
        ("GET /api/health\u{7f} HTTP/1.1\r\nhost: x\r\n\r\n", management),
        ("GET / HTTP/9.9\r\nhost: x\r\n\r\n", management),
        ("\"GET / HTTP/1.1\r\nhost: x\r\n\r\n", management),
        ("GET /api/v2/cdn/stories?filter_query[a][in]=\"b\" HTTP/1.1\r\nhost: x\r\n\r\n", [r#"{"error":"The request line"#; 2]),
    ] {
        // Also behind another request, and when it comes in two pieces.
        for (first, cut) in [("", 0), (HEALTH, 0), ("", 7), (HEALTH, HEALTH.len() + 20)] {
            let mut wire = app.connect().await;
            let all = format!("{first}{request}{HEALTH}");
            let (one, other) = all.split_at(cut);
            wire.send(one).await.send(other).await;
            if !first.is_empty() {
                assert_eq!(wire.answer().await.map(|answer| answer.status), Some(200));
            }
            let answer = wire.answer().await.unwrap();
            assert_eq!(answer.status, 400, "{request:?}");
            assert!(answer.head.contains("content-type: application/json"), "{}", answer.head);
            assert!(answer.head.contains("x-request-id: ") && answer.head.contains("connection: close"), "{}", answer.head);
            assert!(members.iter().all(|member| answer.body.contains(member)), "{request:?}: {}", answer.body);
            assert_eq!(wire.answer().await, None, "nothing behind it is answered");
        }
    }
}

#[tokio::test]
async fn two_hosts_are_refused() {
    let app = app(Limits::default()).await;
    let answer = app.connect().await.send("GET /api/health HTTP/1.1\r\nhost: x\r\nhost: y\r\n\r\n").await.answer().await.unwrap();
    assert_eq!(answer.status, 400);
    assert!(answer.body.contains(r#""error":"badHost""#), "{}", answer.body);
}

#[tokio::test]
async fn no_host_is_refused_in_http_1_1() {
    let app = app(Limits::default()).await;
    let answer = app.connect().await.send("GET /api/health HTTP/1.1\r\n\r\n").await.answer().await.unwrap();
    assert_eq!(answer.status, 400);
}

#[tokio::test]
async fn the_absolute_form_is_read_by_its_path() {
    let app = app(Limits::default()).await;
    let request = "GET http://evil.example/api/health HTTP/1.1\r\nhost: evil.example\r\n\r\n";
    assert_eq!(app.connect().await.send(request).await.answer().await.unwrap().status, 200);
}

#[tokio::test]
async fn a_body_that_grows_too_large_is_413_in_either_framing() {
    let fixture = SpaceFixture::new().await;
    let limit = 5 << 20;
    let head = format!("POST {} HTTP/1.1\r\nhost: x\r\nauthorization: {}\r\n", fixture.path("/stories"), fixture.editor);
    let announced = format!("{head}content-length: {}\r\n\r\n", limit + 1);
    let chunk = format!("{:x}\r\n{}\r\n", 1 << 16, " ".repeat(1 << 16));
    let counted = format!("{head}transfer-encoding: chunked\r\n\r\n{}1\r\n \r\n", chunk.repeat(limit >> 16));
    for request in [announced, counted] {
        let answer = fixture.connect().await.send(request).await.answer().await.unwrap();
        assert_eq!(answer.status, 413);
        assert!(answer.body.contains(r#""error":"tooLarge""#), "{}", answer.body);
    }
}

#[tokio::test]
async fn what_is_left_of_a_body_is_never_read_as_a_request() {
    let app = app(Limits::default()).await;
    let post = |lines: &str| format!("POST /api/v1/spaces/1/stories HTTP/1.1\r\nhost: x\r\n{lines}\r\n\r\n");
    // Refused for its missing token before the body is read.
    for (lines, body) in [("content-length: 4", "{\n}\n"), ("transfer-encoding: chunked", "4\r\n{\n}\n\r\n0\r\n\r\n")] {
        let mut wire = app.connect().await;
        let answer = wire.send(post(lines)).await.send(body).await.answer().await.unwrap();
        assert_eq!(answer.status, 401);
        assert!(answer.head.contains("connection: close"), "{}", answer.head);
        wire.closed().await;
    }
    // Nothing is left of an empty body, and of one that was read.
    let mut wire = app.connect().await;
    for request in [post("content-length: 0"), HEALTH.to_owned()] {
        let answer = wire.send(request).await.answer().await.unwrap();
        assert!(!answer.head.contains("connection:"), "{}", answer.head);
    }
}

#[tokio::test]
async fn a_connection_is_used_again_after_a_body_was_read() {
    let fixture = SpaceFixture::new().await;
    let mut wire = fixture.connect().await;
    for _ in 0..2 {
        let answer = wire.send(creation(&fixture, "content-length: 2\r\n\r\n{}")).await.answer().await.unwrap();
        assert_eq!(answer.status, 422);
        assert!(!answer.head.contains("connection:"), "{}", answer.head);
    }
}

#[tokio::test]
async fn every_head_is_looked_at_also_when_several_come_at_once() {
    let fixture = SpaceFixture::new().await;
    let with_body = creation(&fixture, "content-length: 2\r\n\r\n{}");
    for (before, statuses) in [
        (HEALTH.to_owned(), vec![200]),
        (HEALTH.repeat(3), vec![200; 3]),
        (with_body.clone(), vec![422]),
        (format!("{HEALTH}{with_body}\r\n{with_body}"), vec![200, 422, 422]),
    ] {
        for bad in [
            "GET /api/health HTTP/1.1\r\nhost: x\r\ncontent-length: 4\r\ntransfer-encoding: chunked\r\n\r\n0\r\n\r\n",
            "GET /api/health HTTP/1.1\r\nhost: x\r\ntransfer-encoding: chunked\r\ncontent-length: 4\r\n\r\n0\r\n\r\n",
            "GET /api/health HTTP/1.1\nhost: x\n\n",
        ] {
            let mut wire = fixture.connect().await;
            wire.send(format!("{before}{bad}{HEALTH}")).await;
            for status in &statuses {
                assert_eq!(wire.answer().await.map(|a| a.status), Some(*status), "{before}{bad}");
            }
            assert_eq!(wire.answer().await.map(|a| a.status), Some(400), "{before}{bad}");
            assert_eq!(wire.answer().await, None);
        }
    }
}

#[tokio::test]
async fn a_chunked_body_is_the_last_of_its_connection() {
    let fixture = SpaceFixture::new().await;
    let mut wire = fixture.connect().await;
    wire.send(creation(&fixture, &format!("transfer-encoding: chunked\r\n\r\n2\r\n{{}}\r\n0\r\n\r\n{HEALTH}"))).await;
    let answer = wire.answer().await.unwrap();
    assert_eq!(answer.status, 422);
    assert!(answer.head.contains("connection: close"), "{}", answer.head);
    assert_eq!(wire.answer().await, None);
}

/// A request that creates a story and is refused after its body was read.
fn creation(fixture: &SpaceFixture, rest: &str) -> String {
    format!("POST {} HTTP/1.1\r\nhost: x\r\nauthorization: bearer {}\r\n{rest}", fixture.path("/stories"), fixture.editor)
}

#[tokio::test]
async fn a_packed_body_is_not_unpacked() {
    let fixture = SpaceFixture::new().await;
    let head = format!("POST {} HTTP/1.1\r\nhost: x\r\nauthorization: {}\r\n", fixture.path("/stories"), fixture.editor);
    for encoding in ["gzip", "br", "identity, gzip"] {
        let request = format!("{head}content-encoding: {encoding}\r\ncontent-length: 2\r\n\r\n{{}}");
        let answer = fixture.connect().await.send(request).await.answer().await.unwrap();
        assert_eq!(answer.status, 415, "{encoding}");
        assert!(answer.body.contains(r#""error":"unsupportedEncoding""#), "{}", answer.body);
    }
}
