//! `publish_at` and `expire_at`: when a file is served.

use super::{GIF, Kept, fetch, upload};
use support::prelude::*;

#[tokio::test]
async fn a_file_is_served_from_publish_at_until_expire_at() {
    let fixture = &Kept::on_disk().await;
    let clock = &fixture.clock;
    let after = |hours| clock.now() + SignedDuration::from_hours(hours);
    let (publish_at, expire_at) = (after(1).to_string(), after(3).to_string());
    let made = upload(
        fixture,
        &[("publish_at", None, publish_at.as_bytes()), ("expire_at", None, expire_at.as_bytes()), ("file", Some("a.gif"), GIF)],
    )
    .await
    .expect(201);
    let (url, path) = (&made["filename"], fixture.path(&format!("/assets/{}", made["id"])));
    let me = format!("/api/v2/cdn/assets/me?token={}&filename={}", fixture.private, url.as_str().unwrap());
    let status = || async { [fetch(fixture, url, &[]).await.0, fixture.get(Caller::Anonymous, &me).await.status] };
    assert_eq!(status().await, [404, 404], "not published yet");
    clock.advance(SignedDuration::from_hours(1));
    assert_eq!(status().await, [200, 200]);
    let (_, headers, body) = fetch(fixture, url, &[]).await;
    assert_eq!((headers["cache-control"].to_str().unwrap(), body.as_slice()), ("public, max-age=7200", GIF));
    let tag = headers["etag"].to_str().unwrap();
    clock.advance(SignedDuration::from_hours(2));
    assert_eq!(status().await, [404, 404], "expired");
    assert_eq!(fetch(fixture, url, &[("if-none-match", tag)]).await.0, 404);
    let editor = Caller::Token(&fixture.editor);
    assert_eq!(
        fixture.get(editor, &path).await.expect(200)["expire_at"].as_str().map(str::is_empty),
        Some(false),
        "its record stays"
    );

    fixture.put(editor, &path, json!({ "asset": { "expire_at": null } })).await;
    let (status, headers, _) = fetch(fixture, url, &[]).await;
    assert_eq!((status, headers["cache-control"].to_str().unwrap()), (200, "public, max-age=31536000, immutable"));
}

#[tokio::test]
async fn no_cache_keeps_a_private_file_beyond_its_asset() {
    let fixture = &Kept::on_disk().await;
    let expire_at = (fixture.clock.now() + SignedDuration::from_mins(10)).to_string();
    let parts = [("is_private", None, &b"1"[..]), ("expire_at", None, expire_at.as_bytes()), ("file", Some("a.gif"), GIF)];
    let made = upload(fixture, &parts).await.expect(201);
    let me = format!("/api/v2/cdn/assets/me?token={}&filename={}", fixture.private, made["filename"].as_str().unwrap());
    let signed: Value = fixture.get(Caller::Anonymous, &me).await.expect(200)["asset"]["signed_url"].clone();
    let (status, headers, _) = fetch(fixture, &signed, &[]).await;
    assert_eq!((status, headers["cache-control"].to_str().unwrap()), (200, "private, max-age=600"));
    fixture.clock.advance(SignedDuration::from_mins(10));
    assert_eq!(fetch(fixture, &signed, &[]).await.0, 404);
}
