//! Publishing a folder changes nothing and is no error: Storyblok's command line and restore tools publish
//! whatever they push.

use super::{id, page};
use support::prelude::*;

#[tokio::test]
async fn a_folder_is_published_without_any_change() {
    let fixture = SpaceFixture::new().await;
    let folder = fixture.folder("F", "f", 0).await;
    let story = id(&fixture.published(page("S", "s", json!({ "parent_id": folder }))).await);
    let look = async || (fixture.read(folder).await, fixture.audit_count().await, fixture.cv().await, fixture.events().await);
    let before = look().await;
    for act in ["publish", "unpublish"] {
        for (method, query) in [("GET", ""), ("PUT", ""), ("POST", ""), ("PUT", "?lang=[default]"), ("PUT", "?release_id=0")] {
            let path = format!("/stories/{folder}/{act}{query}");
            let answered =
                fixture.send(Caller::Token(&fixture.editor), method, &fixture.path(&path), "", Vec::new()).await.expect(200);
            assert_eq!(answered["story"], before.0, "{method} {path}");
        }
    }
    assert_eq!(look().await, before);
    assert_eq!(fixture.cdn("stories/f/s").await.expect(200)["story"]["id"], story);
}

#[tokio::test]
async fn a_write_that_publishes_saves_the_folder() {
    let fixture = SpaceFixture::new().await;
    let events = fixture.events().await;
    let body = json!({ "story": { "name": "F", "slug": "f", "is_folder": true }, "publish": 1 });
    let folder = id(&fixture.write("POST", "/stories", body, 201).await);
    let body = json!({ "story": { "name": "G", "default_root": "page" }, "publish": 1, "lang": "[default]" });
    let renamed = fixture.write("PUT", &format!("/stories/{folder}?publish=1"), body, 200).await;
    assert_eq!((&renamed["name"], &renamed["default_root"]), (&json!("G"), &json!("page")));
    assert_eq!((&renamed["published"], &renamed["published_at"]), (&json!(false), &json!(null)));
    assert_eq!(fixture.events().await, events);
}

#[tokio::test]
async fn times_of_a_folder_are_taken_and_named_as_without_effect() {
    let fixture = SpaceFixture::new().await;
    let folder = fixture.folder("F", "f", 0).await;
    let path = fixture.path(&format!("/stories/{folder}"));
    let story = json!({ "name": "G", "publish_at": "2030-01-01 08:00", "expire_at": null });
    let saved = fixture.put(Caller::Token(&fixture.editor), &path, json!({ "story": story })).await.expect(200);
    assert_eq!((&saved["story"]["name"], &saved["story"]["publish_at"]), (&json!("G"), &json!(null)));
    let warning = json!([{ "field": "publish_at", "code": "notSupported", "message": "is taken and has no effect here" }]);
    assert_eq!(saved["warnings"], warning);
    let scheduling = json!({ "story_scheduling": { "story_id": folder, "publish_at": "2030-01-01 08:00" } });
    fixture.editor().post("/story_schedulings", scheduling).await.expect(201);
}
