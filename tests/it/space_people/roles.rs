//! A session acts with the role of its person in the space.

use super::{id_of, member, person};
use support::prelude::*;

const COMPONENT: &str = r#"{"component":{"name":"page","schema":{}}}"#;

fn story(name: &str, slug: &str) -> Value {
    json!({ "story": { "name": name, "slug": slug, "content": { "component": "page" } } })
}

#[tokio::test]
async fn each_member_may_what_a_token_of_the_role_may() {
    let fixture = SpaceFixture::new().await;
    let component: Value = serde_json::from_str(COMPONENT).unwrap();
    for (number, role, writes, administers) in [(11, "viewer", 403, 403), (12, "editor", 201, 403), (13, "admin", 201, 201)] {
        let session = member(&fixture, number, role).await;
        let by = Caller::Session(&session);
        fixture.get(by, &fixture.path("/stories")).await.expect(200);
        assert_eq!(fixture.post(by, &fixture.path("/stories"), story(role, role)).await.status, writes, "{role}");
        assert_eq!(fixture.post(by, &fixture.path("/components"), component.clone()).await.status, administers, "{role}");
        let spaces = fixture.get(by, "/api/v1/spaces").await.expect(200);
        assert_eq!(spaces["spaces"][0]["id"], fixture.space, "{role}");
    }
    let stranger = person(&fixture.app, 14, true).await;
    fixture.get(Caller::Session(&stranger), &fixture.path("/stories")).await.expect(404);
    assert_eq!(fixture.get(Caller::Session(&stranger), "/api/v1/spaces").await.expect(200)["spaces"], json!([]));
    fixture.get(Caller::Anonymous, &fixture.path("/stories")).await.expect(401);
}

/// The cookie is SameSite=Lax: it goes with a link in a mail, and with one on another site.
#[tokio::test]
async fn a_link_changes_nothing() {
    let fixture = SpaceFixture::new().await;
    let home = fixture.admin().post("/stories", story("Home", "home")).await.expect(201);
    let id = &home["story"]["id"];
    let upload = fixture.admin().post("/assets", json!({ "filename": "a.png" })).await.expect(200)["id"].clone();
    let deleted = fixture.admin().post("/stories", story("Old", "old")).await.expect(201);
    let old = &deleted["story"]["id"];
    fixture.admin().delete(&format!("/stories/{old}")).await.expect(200);
    let version = fixture.admin().get(&format!("/stories/{id}/versions")).await.expect(200)["versions"][0]["id"].clone();
    let session = member(&fixture, 11, "admin").await;
    let tables = ["stories", "editions", "story_versions", "assets", "audit_log", "space_counters", "story_events"];
    let before = fixture.every_row(&tables).await;
    let browser = browser();
    for below in [
        format!("stories/{id}/publish"),
        format!("stories/{id}/unpublish"),
        format!("stories/{id}/discard_changes"),
        format!("stories/{id}/restore_with?version={version}"),
        format!("stories/{old}/undelete"),
        format!("assets/{upload}/finish_upload"),
    ] {
        let navigation = browser
            .get(fixture.url(&fixture.path(&format!("/{below}"))))
            .header("cookie", &session.cookie)
            .header("sec-fetch-mode", "navigate")
            .header("sec-fetch-dest", "document")
            .header("sec-fetch-site", "cross-site");
        let refused = navigation.answer().await;
        assert_eq!(refused.refusal(), (403, "csrfInvalid"), "{below}: {}", refused.text);
    }
    assert_eq!(fixture.every_row(&tables).await, before);
    // With the token of the session they work.
    fixture.get(Caller::Session(&session), &fixture.path(&format!("/stories/{id}/publish"))).await.expect(200);
}

#[tokio::test]
async fn a_token_never_does_more_than_its_person_may() {
    let fixture = SpaceFixture::new().await;
    let session = member(&fixture, 11, "admin").await;
    let minted = fixture.post(Caller::Session(&session), &fixture.path("/tokens"), json!({ "name": "own", "role": "admin" })).await;
    let own = minted.expect(201)["plaintext"].as_str().unwrap().to_owned();
    let own = fixture.member(&own);
    own.get("/audit_log").await.expect(200);
    let path = fixture.path(&format!("/collaborators/{}", id_of(&fixture, 11).await));
    fixture.put(Caller::Owner, &path, json!({ "collaborator": { "role": "editor" } })).await.expect(200);
    own.get("/audit_log").await.expect(403);
    own.get("/stories").await.expect(200);
    fixture.get(Caller::Session(&session), &fixture.path("/audit_log")).await.expect(403);
    fixture.put(Caller::Owner, &path, json!({ "role": "admin" })).await.expect(200);
    own.get("/audit_log").await.expect(200);
    fixture.delete(Caller::Owner, &path).await.expect(200);
    own.get("/stories").await.expect(401);
}

#[tokio::test]
async fn versions_and_the_log_name_the_person() {
    let fixture = SpaceFixture::new().await;
    let session = member(&fixture, 11, "editor").await;
    fixture.sql("update users set first_name = 'Eve', last_name = 'Dee' where email = '11@example.com'").await;
    let made = fixture.post(Caller::Session(&session), &fixture.path("/stories"), story("Home", "home")).await.expect(201);
    let versions = format!("/stories/{}/versions", made["story"]["id"]);
    let version = async || fixture.viewer().get(&versions).await.expect(200)["versions"][0].clone();
    let entry = async || fixture.admin().get("/audit_log?types=story.create").await.expect(200)["audit_log"][0]["actor"].clone();
    assert_eq!((&version().await["author"], &version().await["author_id"]), (&json!("Eve Dee"), &json!(11)));
    assert_eq!(entry().await["label"], "Eve Dee");
    // An account that is gone is nobody's name.
    fixture.sql("delete from users where email = '11@example.com'").await;
    assert_eq!((&version().await["author"], &version().await["author_id"]), (&json!(null), &json!(null)));
    assert_eq!(entry().await["label"], json!(null));
    // A token keeps the name that it had.
    fixture.admin().post("/stories", story("By a token", "token")).await.expect(201);
    assert_eq!(fixture.newest_entry().await, ["story.create", "story", "By a token"]);
}
