//! The history of components: versions, one of them restored, and components that were deleted and come back.

use super::each;
use support::prelude::*;

async fn versions(fixture: &SpaceFixture, id: &Value) -> Value {
    fixture.viewer().get(&format!("/versions?model=components&model_id={id}")).await.expect(200)["versions"].clone()
}

async fn update(fixture: &SpaceFixture, id: &Value, change: Value) -> Value {
    fixture.admin().put(&format!("/components/{id}"), json!({ "component": change })).await.expect(200)["component"].clone()
}

/// A component without what a restore sets anew.
fn definition(component: &Value) -> Value {
    let mut definition = component.clone();
    definition.as_object_mut().unwrap().remove("updated_at");
    definition
}

#[tokio::test]
async fn every_change_is_a_version_and_a_restored_one_is_what_it_was() {
    let fixture = SpaceFixture::new().await;
    let first = json!({ "name": "hero", "color": "red", "metadata": { "a": 1 }, "is_root": true,
                        "schema": { "z": { "type": "text", "pos": 1.50 }, "a": { "type": "bloks" } } });
    let made = fixture.create("component", first).await;
    let id = made["id"].clone();
    update(
        &fixture,
        &id,
        json!({ "name": "banner", "color": null, "is_root": false, "metadata": null, "schema": { "b": { "type": "text" } } }),
    )
    .await;

    let reply = fixture.viewer().get(&format!("/versions?model=components&model_id={id}&per_page=1&page=2&versions_v2=true")).await;
    assert_eq!((reply.header("total"), reply.header("per-page")), ("2", "1"));
    let oldest = reply.expect(200)["versions"][0].clone();
    let keys: Vec<&str> = oldest.as_object().unwrap().keys().map(String::as_str).collect();
    assert_eq!(keys, ["id", "event", "created_at", "author_id", "author", "item_id", "is_draft"]);
    assert_eq!((&oldest["event"], &oldest["author"], &oldest["item_id"]), (&json!("create"), &json!("admin"), &id));
    let one = fixture.viewer().get(&format!("/components/{id}/component_versions/{}", oldest["id"])).await;
    assert_eq!(
        one.text,
        r#"{"component_version":{"schema":{"z":{"type":"text","pos":1.50},"a":{"type":"bloks"}}}}"#.replace("1.50", "1.5")
    );

    let path = format!("/versions/{}?model=components&model_id={id}", oldest["id"]);
    let restored = fixture.admin().put(&path, Value::Null).await;
    assert_eq!((restored.status, restored.text.as_str()), (204, ""));
    assert_eq!(fixture.newest_entry().await, ["component.restore_version", "component", "hero"]);
    let now = fixture.viewer().get(&format!("/components/{id}")).await.expect(200)["component"].clone();
    assert_eq!(definition(&now), definition(&made));
    assert_eq!(each(&versions(&fixture, &id).await, "event"), ["update", "update", "create"]);
    // The way the documentation shows: in the body.
    let newest = versions(&fixture, &id).await[1]["id"].clone();
    let body = json!({ "model": "components", "model_id": id });
    fixture.admin().put(&format!("/versions/{newest}"), body).await;
    assert_eq!(fixture.viewer().get(&format!("/components/{id}")).await.expect(200)["component"]["name"], "banner");
}

#[tokio::test]
async fn a_version_that_cannot_be_restored_changes_nothing() {
    let fixture = SpaceFixture::new().await;
    let group = fixture.create("component_group", json!({ "name": "Group" })).await;
    let id = fixture.create("component", json!({ "name": "hero", "component_group_uuid": group["uuid"] })).await["id"].clone();
    let other = fixture.create("component", json!({ "name": "other" })).await["id"].clone();
    let version = versions(&fixture, &id).await[0]["id"].clone();
    update(&fixture, &id, json!({ "name": "banner" })).await;
    update(&fixture, &other, json!({ "name": "hero" })).await;
    let restore = |role: &'static str, version: Value, model: &'static str, item: Value| {
        let fixture = &fixture;
        async move { fixture.role(role).put(&format!("/versions/{version}?model={model}&model_id={item}"), Value::Null).await }
    };
    let entries = fixture.audit_count().await;
    let taken = restore("admin", version.clone(), "components", id.clone()).await.expect(422);
    assert_eq!(taken["fields"]["name"], json!(["has already been taken"]));
    restore("admin", version.clone(), "components", other.clone()).await.expect(404);
    restore("admin", json!(999_999), "components", id.clone()).await.expect(404);
    restore("editor", version.clone(), "components", id.clone()).await.expect(403);
    restore("viewer", version.clone(), "components", id.clone()).await.expect(403);
    restore("admin", version.clone(), "pages", id.clone()).await.expect(422);
    fixture.admin().put(&format!("/versions/{version}"), Value::Null).await.expect(422);
    fixture.viewer().get("/versions?model=components&model_id=999999").await.expect(404);
    fixture.viewer().get(&format!("/components/{other}/component_versions/{version}")).await.expect(404);
    assert_eq!(fixture.audit_count().await, entries);
    assert_eq!(fixture.viewer().get(&format!("/components/{id}")).await.expect(200)["component"]["name"], "banner");

    // A group that is gone is left out.
    update(&fixture, &other, json!({ "name": "other" })).await;
    fixture.admin().delete(&format!("/component_groups/{}", group["id"])).await.expect(200);
    restore("admin", version, "components", id.clone()).await;
    let now = fixture.viewer().get(&format!("/components/{id}")).await.expect(200)["component"].clone();
    assert_eq!((&now["name"], &now["component_group_uuid"]), (&json!("hero"), &Value::Null));
}

#[tokio::test]
async fn a_version_of_a_story_is_restored_by_the_same_request() {
    let fixture = SpaceFixture::new().await;
    let story = super::story(&fixture, "s", json!({ "name": "Old" }), true).await["id"].clone();
    fixture.editor().put(&format!("/stories/{story}"), json!({ "story": { "name": "New" } })).await.expect(200);
    let listed = fixture.viewer().get(&format!("/versions?model=stories&model_id={story}")).await.expect(200)["versions"].clone();
    let oldest = listed.as_array().unwrap().last().unwrap();
    assert_eq!((&oldest["item_id"], oldest["is_draft"].is_boolean(), oldest["event"].is_string()), (&story, true, true));
    let path = format!("/versions/{}?model=stories&model_id={story}", oldest["id"]);
    fixture.viewer().put(&path, Value::Null).await.expect(403);
    assert_eq!(fixture.editor().put(&path, Value::Null).await.status, 204);
    assert_eq!(fixture.viewer().get(&format!("/stories/{story}")).await.expect(200)["story"]["name"], "Old");
}

#[tokio::test]
async fn a_deleted_component_comes_back_with_presets_and_history() {
    let fixture = SpaceFixture::new().await;
    let id = fixture
        .create("component", json!({ "name": "hero", "schema": { "z": { "type": "text" }, "a": { "type": "text" } } }))
        .await["id"]
        .clone();
    let preset = fixture.create("preset", json!({ "name": "Blue", "component_id": id, "preset": { "z": "1", "a": "2" } })).await;
    let made = update(&fixture, &id, json!({ "preset_id": preset["id"] })).await;
    fixture.admin().delete(&format!("/components/{id}")).await.expect(200);
    fixture.viewer().get(&format!("/components/{id}")).await.expect(404);
    assert_eq!(fixture.viewer().get("/presets").await.expect(200)["presets"], json!([]));

    let listed = fixture.viewer().get("/components?in_trash=1&page=1").await;
    assert_eq!(listed.header("total"), "1");
    let deleted = listed.expect(200)["components"][0].clone();
    assert!(deleted["deleted_at"].is_string());
    assert_eq!((&deleted["id"], &deleted["name"], &deleted["all_presets"]), (&id, &json!("hero"), &made["all_presets"]));
    fixture.viewer().get("/components?in_trash=1&is_root=1").await.expect(422);
    assert_eq!(fixture.viewer().get("/components?in_trash=0").await.expect(200)["components"], json!([]));

    let path = format!("/components/{id}/restore");
    fixture.editor().post(&path, Value::Null).await.expect(403);
    let replacement = fixture.create("component", json!({ "name": "hero" })).await["id"].clone();
    let taken = fixture.admin().post(&path, Value::Null).await.expect(422);
    assert_eq!(taken["fields"]["name"], json!(["has already been taken"]));
    fixture.admin().delete(&format!("/components/{replacement}")).await.expect(200);

    let back = fixture.admin().post(&path, Value::Null).await.expect(200);
    assert_eq!(back["component"], made);
    assert_eq!(fixture.newest_entry().await, ["component.restore", "component", "hero"]);
    assert_eq!(fixture.viewer().get(&format!("/presets/{}", preset["id"])).await.expect(200)["preset"], preset);
    assert_eq!(versions(&fixture, &id).await.as_array().unwrap().len(), 2);
    assert_eq!(each(&fixture.viewer().get("/components?in_trash=1").await.expect(200)["components"], "id"), [replacement]);
    fixture.admin().post(&path, Value::Null).await.expect(404);
    let next = fixture.create("component", json!({ "name": "next" })).await["id"].clone();
    assert!(next.as_i64() > id.as_i64());
}

#[tokio::test]
async fn of_many_restores_at_once_one_succeeds_and_a_hundred_versions_are_kept() {
    let fixture = SpaceFixture::new().await;
    let id = fixture.create("component", json!({ "name": "hero" })).await["id"].clone();
    fixture.admin().delete(&format!("/components/{id}")).await.expect(200);
    let path = format!("/components/{id}/restore");
    let mut statuses: Vec<u16> =
        join_all((0..10).map(|_| fixture.admin().post(&path, Value::Null))).await.iter().map(|r| r.status).collect();
    statuses.sort_unstable();
    assert_eq!(statuses, [[200].as_slice(), &[404; 9]].concat());
    for number in 0..105 {
        update(&fixture, &id, json!({ "color": format!("c{number}") })).await;
    }
    let reply = fixture.viewer().get(&format!("/versions?model=components&model_id={id}&per_page=100")).await;
    assert_eq!(reply.header("total"), "100");
    assert_eq!(each(&reply.expect(200)["versions"], "event"), vec![json!("update"); 100]);
}
