//! Rights on stories: every endpoint with every kind of caller.

use super::{id, page};
use support::prelude::*;

#[tokio::test]
async fn every_endpoint_asks_for_the_right_token() {
    let fixture = SpaceFixture::new().await;
    let other = fixture.another_space().await;
    let story = id(&fixture.story(page("S", "s", json!({}))).await);
    let body = || json!({ "story": { "name": "N" }, "story_ids": [story] });
    let reads = ["/stories".to_owned(), format!("/stories/{story}"), format!("/stories/{story}/versions")];
    let reads = reads.into_iter().chain([format!("/story_versions?by_story_id={story}")]);
    let writes = [
        ("PUT", format!("/stories/{story}")),
        ("POST", format!("/stories/{story}/publish")),
        ("POST", format!("/stories/{story}/unpublish")),
        ("PUT", format!("/stories/{story}/move")),
        ("POST", "/stories/bulk_move".to_owned()),
        ("POST", "/stories".to_owned()),
        ("PUT", format!("/stories/{story}/duplicate")),
        ("PUT", format!("/stories/{story}/restore_with?version=1")),
        ("POST", format!("/stories/{story}/discard_changes")),
        ("POST", format!("/stories/{story}/undelete")),
        ("DELETE", format!("/stories/{story}")),
    ];
    let before = fixture.audit_count().await;
    let all = reads.map(|path| ("GET", path, 200)).chain(writes.into_iter().map(|(method, path)| (method, path, 403)));
    for (method, below, viewer) in all {
        let path = fixture.path(&below);
        for (caller, status) in [
            (Caller::Anonymous, 401),
            (Caller::Token("sbmcp_0000"), 401),
            (Caller::Token(&fixture.preview), 401),
            (Caller::Other, 404),
            (Caller::Token(&other.admin), 404),
            (Caller::Token(&fixture.viewer), viewer),
            (Caller::Raw(&fixture.viewer), viewer),
        ] {
            let reply = fixture.json(caller, method, &path, body()).await;
            assert_eq!(reply.status, status, "{method} {below}: {}", reply.text);
        }
    }
    assert_eq!(fixture.audit_count().await, before);
}

#[tokio::test]
async fn a_story_of_another_space_does_not_exist() {
    let fixture = SpaceFixture::new().await;
    let other = fixture.another_space().await;
    let story = id(&fixture.published(page("S", "s", json!({}))).await);
    let foreign = format!("/api/v1/spaces/{}/stories/{story}", other.id);
    assert_eq!(fixture.get(Caller::Token(&other.admin), &foreign).await.status, 404);
    assert_eq!(fixture.put(Caller::Token(&other.admin), &foreign, json!({ "story": { "name": "X" } })).await.status, 404);
    assert_eq!(fixture.read(story).await["name"], "S");
}

#[tokio::test]
async fn a_head_changes_nothing_where_a_get_acts() {
    let fixture = SpaceFixture::new().await;
    let story = id(&fixture.story(page("S", "s", json!({}))).await);
    let before = fixture.audit_count().await;
    for action in ["publish", "unpublish", "undelete", "discard_changes", "restore_with?version=1"] {
        let path = fixture.path(&format!("/stories/{story}/{action}"));
        assert_eq!(fixture.send(Caller::Token(&fixture.admin), "HEAD", &path, "", Vec::new()).await.status, 405, "{action}");
    }
    assert_eq!(fixture.audit_count().await, before);
    assert_eq!(fixture.read(story).await["published"], false);
}
