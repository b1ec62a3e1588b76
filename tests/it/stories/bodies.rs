//! Bad bodies: each gets a clear answer and changes nothing.

use super::{id, page};
use support::prelude::*;

#[tokio::test]
async fn bad_bodies_are_refused_with_the_field_and_change_nothing() {
    let fixture = SpaceFixture::new().await;
    let story = id(&fixture.published(page("S", "s", json!({}))).await);
    let before = (fixture.read(story).await, fixture.audit_count().await, fixture.cv().await, fixture.events().await);
    let path = format!("/stories/{story}");
    for (body, status, named) in [
        (json!({}), 422, "story"),
        (json!({ "story": null }), 422, "story"),
        (json!({ "story": [] }), 422, "story"),
        (json!({ "story": { "name": [] } }), 422, "name"),
        (json!({ "story": { "name": " " } }), 422, "name"),
        (json!({ "story": { "name": "x".repeat(256) } }), 422, "name"),
        (json!({ "story": { "slug": "a/b" } }), 422, "slug"),
        (json!({ "story": { "slug": "" } }), 422, "slug"),
        (json!({ "story": { "content": "text" } }), 422, "content"),
        (json!({ "story": { "content": { "title": "no component" } } }), 422, "content"),
        (json!({ "story": { "is_folder": true } }), 422, "is_folder"),
        (json!({ "story": { "tag_list": ["x".repeat(256)] } }), 422, "tag_list"),
        (json!({ "story": { "path": "x".repeat(2001) } }), 422, "path is too long"),
        (json!({ "story": { "default_root": "x".repeat(256) } }), 422, "default_root is too long"),
        (json!({ "story": { "sort_by_date": "soon" } }), 422, "sort_by_date"),
        (json!({ "story": { "publish_at": "soon" } }), 422, "publish_at"),
        (json!({ "story": { "expire_at": "2026-02-28 00:00" } }), 422, "expire_at"),
        (json!({ "story": {}, "publish": 1, "lang": "de" }), 422, "lang"),
        (json!({ "story": {}, "publish": "True" }), 422, "publish"),
        (json!({ "story": {}, "release_id": 5 }), 422, "release_id"),
        (json!({ "story": { "group_id": "x" } }), 422, "group_id"),
        (json!({ "story": { "position": 1.5 } }), 422, "position"),
        (json!({ "story": { "position": i32::MIN } }), 422, "position"),
        (json!({ "story": { "position": i32::MAX } }), 422, "position"),
        (json!({ "story": { "translated_slugs_attributes": [{ "slug": "x" }] } }), 422, "translated_slugs_attributes"),
        (json!({ "story": { "translated_slugs_attributes": [{ "id": 999, "slug": "x" }] } }), 422, "translated_slugs_attributes"),
        (
            json!({ "story": { "translated_slugs_attributes": [{ "lang": "de", "name": "x".repeat(256) }] } }),
            422,
            "translated_slugs_attributes.de.name is too long",
        ),
        (
            json!({ "story": { "translated_slugs_attributes": [{ "lang": "de", "slug": "a/b" }] } }),
            422,
            "translated_slugs_attributes.de.slug may not",
        ),
        (json!({ "story": { "translated_slugs_attributes": [{ "lang": "../x" }] } }), 422, "translated_slugs_attributes"),
    ] {
        let refused = fixture.refused("PUT", &path, body.clone(), status).await;
        assert!(refused["message"].as_str().unwrap().contains(named), "{body}: {refused}");
    }
    let after = (fixture.read(story).await, fixture.audit_count().await, fixture.cv().await, fixture.events().await);
    assert_eq!(before, after);
}

#[tokio::test]
async fn a_parameter_that_a_write_does_not_know_is_refused_and_changes_nothing() {
    let fixture = SpaceFixture::new().await;
    let story = id(&fixture.story(page("S", "s", json!({}))).await);
    let before = fixture.audit_count().await;
    for (method, path, body) in [
        ("POST", "/stories".to_owned(), json!({ "story": page("T", "t", json!({})) })),
        ("PUT", format!("/stories/{story}"), json!({ "story": { "name": "T" } })),
        ("PUT", format!("/stories/{story}/duplicate"), json!({ "story": { "slug": "t" } })),
        ("POST", "/stories/bulk_move".to_owned(), json!({ "story_ids": [story] })),
        ("DELETE", format!("/stories/{story}"), json!({})),
    ] {
        let refused = fixture.refused(method, &format!("{path}?relase_id=1"), body, 422).await;
        assert_eq!(refused["message"], "Parameter(s) relase_id not allowed", "{method} {path}");
    }
    assert_eq!(fixture.audit_count().await, before);
}

#[tokio::test]
async fn broken_too_deep_too_large_and_foreign_bodies_are_refused() {
    let fixture = SpaceFixture::new().await;
    let path = fixture.path("/stories");
    let editor = Caller::Token(&fixture.editor);
    let send = |content_type: &'static str, body: Vec<u8>| fixture.send(editor, "POST", &path, content_type, body);
    let json = "application/json";
    assert_eq!(send(json, b"{".to_vec()).await.status, 400);
    assert_eq!(send(json, b"\xff".to_vec()).await.status, 400);
    assert_eq!(send(json, br#"{"story":{"name":"a\u0000","slug":"s"}}"#.to_vec()).await.status, 400);
    assert_eq!(send(json, br#"{"story":{"name":"\ud800","slug":"s"}}"#.to_vec()).await.status, 400);
    assert_eq!(send(json, br#"{"story":{"name":"a","name":"b","slug":"s"}}"#.to_vec()).await.status, 400);
    let deep = format!("{}{}", "[".repeat(10_000), "]".repeat(10_000));
    assert_eq!(send(json, deep.into_bytes()).await.status, 400);
    assert_eq!(send("text/plain", b"{}".to_vec()).await.status, 415);
    assert_eq!(send(json, vec![b' '; (5 << 20) + 1]).await.status, 413);
    let large = json!({ "story": page("L", "large", json!({ "content": { "component": "page", "text": "x".repeat(4 << 20) } })) });
    assert_eq!(send(json, large.to_string().into_bytes()).await.status, 201);
}
