//! What the server tells of a page that is to be shown as a preview.

use support::{Peer, Reply, prelude::*};

async fn check(fixture: &SpaceFixture, caller: Caller<'_>, url: &str) -> Response {
    fixture.post(caller, &fixture.path("/environments/check"), json!({ "url": url })).await
}

#[tokio::test]
async fn a_member_learns_what_keeps_a_page_out_of_a_frame() {
    let fixture = SpaceFixture::with_variables(&[("APP_ALLOWED_PRIVATE_TARGETS", "127.0.0.1")]).await;
    let policy = "default-src 'self'; frame-ancestors 'self' https://studio.example";
    let peer = Peer::start(move |path| match path {
        "/moved" => Reply::to("/?x=1"),
        "/?x=1" => Reply::with("200 OK", &[("x-frame-options", "DENY"), ("content-security-policy", policy)], "<p>"),
        "/open" => Reply::with("200 OK", &[], "<p>"),
        _ => Reply::with("404 Not Found", &[], "no"),
    })
    .await;
    let at = |path: &str| format!("http://{}{path}", peer.address);
    let answer = |status: u16, options: Value, ancestors: Value| json!({ "reachable": true, "status": status, "x_frame_options": options, "frame_ancestors": ancestors, "reason": null });
    for (path, expected) in [
        ("/moved", answer(200, json!("DENY"), json!(["'self' https://studio.example"]))),
        ("/open", answer(200, json!(null), json!([]))),
        ("/none", answer(404, json!(null), json!([]))),
    ] {
        assert_eq!(check(&fixture, Caller::Owner, &at(path)).await.expect(200), expected, "{path}");
    }
    let viewer = fixture.viewer().post("/environments/check", json!({ "url": at("/open") })).await.expect(200);
    assert_eq!(viewer["status"], 200);
    let entries = fixture.audit_count().await;
    for wrong in [json!({}), json!({ "url": " " }), json!({ "url": "x".repeat(2049) })] {
        let refused = fixture.admin().post("/environments/check", wrong).await.expect(422);
        assert!(refused["fields"]["url"].is_array(), "{refused}");
    }
    assert_eq!(fixture.audit_count().await, entries);
}

#[tokio::test]
async fn it_looks_only_where_the_guard_lets_it_and_says_so() {
    let fixture = SpaceFixture::new().await;
    let peer = Peer::start(|_| Reply::with("200 OK", &[], "secret")).await;
    for url in [format!("http://{}/", peer.address), "http://localhost:3000/".to_owned(), "file:///etc/passwd".to_owned()] {
        let answer = check(&fixture, Caller::Owner, &url).await.expect(200);
        assert_eq!((&answer["reachable"], &answer["status"]), (&json!(null), &json!(null)), "{url}");
        assert!(answer["reason"].is_string(), "{answer}");
    }
    assert_eq!(peer.seen().len(), 0);
    let nowhere = check(&fixture, Caller::Owner, "https://nowhere.invalid/").await.expect(200);
    assert_ne!(nowhere["reachable"], true);
}

#[tokio::test]
async fn a_member_looks_twenty_times_a_minute() {
    let fixture = SpaceFixture::with_variables(&[("APP_RATE_LIMITS", "on")]).await;
    let answers = join_all((0..25).map(|_| check(&fixture, Caller::Owner, "http://localhost:3000/"))).await;
    let statuses: Vec<u16> = answers.iter().map(|answer| answer.status).collect();
    assert_eq!(statuses.iter().filter(|status| **status == 200).count(), 20, "{statuses:?}");
    let refused = answers.iter().find(|answer| answer.status == 429).unwrap();
    assert!(!refused.header("retry-after").is_empty());
    // Each has an own share.
    fixture.viewer().post("/environments/check", json!({ "url": "http://localhost:3000/" })).await.expect(200);
}
