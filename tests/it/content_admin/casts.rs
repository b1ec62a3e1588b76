//! Scalars of bodies are read as what their field wants, on every resource; what cannot be is named.

use support::prelude::*;

#[tokio::test]
async fn scalars_in_other_types_are_written_on_every_resource() {
    let fixture = SpaceFixture::new().await;
    let made = async |below: &str, key: &str, attributes: Value, status: u16| {
        fixture.admin().post(below, json!({ key: attributes })).await.expect(status)[key].clone()
    };
    let folder = json!({ "name": 7, "slug": 2026, "is_folder": "true", "parent_id": "0", "position": "3", "group_id": "", "sort_by_date": "" });
    let folder = made("/stories", "story", folder, 201).await;
    assert_eq!((&folder["name"], &folder["slug"], &folder["is_folder"]), (&json!("7"), &json!("2026"), &json!(true)));
    assert_eq!((&folder["position"], &folder["parent_id"]), (&json!(3), &json!(0)));
    let content = json!({ "component": "page", "price": "3", "on": "true" });
    let story = json!({ "name": "S", "slug": "s", "parent_id": folder["id"].to_string(), "content": content, "tag_list": [2026, "a"], "is_startpage": 0 });
    let story = made("/stories", "story", story, 201).await;
    assert_eq!((&story["parent_id"], &story["tag_list"]), (&folder["id"], &json!(["2026", "a"])));
    assert_eq!((&story["content"]["price"], &story["content"]["on"]), (&json!("3"), &json!("true")), "content is left as it is");

    let group = made("/component_groups", "component_group", json!({ "name": "G", "parent_id": "" }), 201).await;
    let component = json!({ "name": "page", "is_root": "1", "is_nestable": 0, "component_group_uuid": "", "preset_id": "", "color": 5,
        "schema": { "n": { "type": "number", "pos": "1" } }, "internal_tag_ids": [] });
    let component = made("/components", "component", component, 201).await;
    assert_eq!((&component["is_root"], &component["is_nestable"]), (&json!(true), &json!(false)));
    assert_eq!((&component["component_group_uuid"], &component["color"]), (&json!(null), &json!("5")));
    assert_eq!(component["schema"]["n"]["pos"], "1", "schemas are left as they are");
    let preset = json!({ "name": 1, "component_id": component["id"].to_string(), "preset": { "n": "1" } });
    let preset = made("/presets", "preset", preset, 201).await;
    assert_eq!((&preset["name"], &preset["component_id"], &preset["preset"]["n"]), (&json!("1"), &component["id"], &json!("1")));

    let source = made(
        "/datasources",
        "datasource",
        json!({ "name": 1, "slug": 2, "dimensions_attributes": [{ "name": 3, "entry_value": 4 }] }),
        201,
    )
    .await;
    assert_eq!((&source["slug"], &source["dimensions"][0]["entry_value"]), (&json!("2"), &json!("4")));
    let entry = json!({ "name": true, "value": 1.5, "datasource_id": source["id"].to_string(), "position": "9" });
    let entry = made("/datasource_entries", "datasource_entry", entry, 201).await;
    assert_eq!((&entry["name"], &entry["value"], &entry["position"]), (&json!("true"), &json!("1.5"), &json!(9)));
    let folder = made("/asset_folders", "asset_folder", json!({ "name": 1, "parent_id": "0" }), 201).await;
    let moved =
        fixture.admin().put(&format!("/asset_folders/{}", folder["id"]), json!({ "asset_folder": { "parent_id": "" } })).await;
    assert_eq!(moved.expect(200)["asset_folder"]["parent_id"], json!(null));
    let moved =
        fixture.admin().post("/stories/bulk_move", json!({ "story_ids": [story["id"].to_string()], "to_folder": "0" })).await;
    assert_eq!(moved.status, 200);
    let plan = json!({ "story_id": story["id"].to_string(), "publish_at": "2030-01-01 08:00 UTC" });
    assert_eq!(made("/story_schedulings", "story_scheduling", plan, 201).await["story_id"], story["id"]);
    let key = json!({ "access": "public", "name": 7, "story_ids": [story["id"].to_string()] });
    assert_eq!(made("/api_keys", "api_key", key, 201).await["name"], "7");
    let hook = json!({ "name": 7, "endpoint": "https://a.example.org/", "actions": ["story.published"], "activated": "0" });
    assert_eq!(made("/webhook_endpoints", "webhook_endpoint", hook, 201).await["activated"], false);
    let tag = fixture.admin().post("/tags", json!({ "tag": { "name": 7, "story_id": story["id"].to_string() } })).await.expect(200);
    assert_eq!(tag["tag"]["name"], "7");
    let tag = made("/internal_tags", "internal_tag", json!({ "name": 7, "object_type": "asset" }), 200).await;
    assert_eq!(tag["name"], "7");
    assert!(group["id"].is_i64());
}

#[tokio::test]
async fn what_cannot_be_cast_is_named_and_changes_nothing() {
    let fixture = SpaceFixture::new().await;
    let before = fixture.audit_count().await;
    for (below, body, field) in [
        ("/stories", json!({ "story": { "name": [], "slug": "s" } }), "name"),
        ("/stories", json!({ "story": { "name": "S", "slug": "s", "is_folder": "yes" } }), "is_folder"),
        ("/stories", json!({ "story": { "name": "S", "slug": "s", "parent_id": "x" } }), "parent_id"),
        ("/stories", json!({ "story": { "name": "S", "slug": "s", "position": "1e3" } }), "position"),
        ("/stories", json!({ "story": "text" }), "story"),
        ("/components", json!({ "component": { "name": "c", "is_root": 2 } }), "is_root"),
        ("/components", json!({ "component": { "name": "c", "component_group_uuid": "x" } }), "component_group_uuid"),
        ("/components", json!({ "component": { "name": "c", "internal_tag_ids": ["x"] } }), "internal_tag_ids"),
        ("/presets", json!({ "preset": { "name": "p", "component_id": {} } }), "component_id"),
        ("/datasources", json!({ "datasource": { "name": "d", "slug": {} } }), "slug"),
        ("/datasource_entries", json!({ "datasource_entry": { "name": "e", "datasource_id": "x" } }), "datasource_id"),
        ("/asset_folders", json!({ "asset_folder": { "name": "f", "parent_id": true } }), "parent_id"),
        ("/stories/bulk_move", json!({ "story_ids": "x" }), "story_ids"),
        ("/stories/bulk_move", json!({}), "story_ids"),
        ("/story_schedulings", json!({ "story_scheduling": { "story_id": "x" } }), "story_id"),
        ("/api_keys", json!({ "api_key": { "access": "public", "story_ids": [{}] } }), "story_ids"),
        ("/webhook_endpoints", json!({ "webhook_endpoint": { "activated": "maybe" } }), "activated"),
        ("/assets/bulk_destroy", json!({ "ids": [1, "x"] }), "ids"),
    ] {
        let refused = fixture.admin().post(below, body.clone()).await.expect(422);
        assert_eq!(refused["details"][0]["field"], field, "{below} {body}: {refused}");
    }
    assert_eq!(fixture.audit_count().await, before);
}
