//! Parameters of Storyblok's management client that change what is asked for.

use super::{each, story};
use crate::assets::uploaded;
use support::prelude::*;

/// An asset in a folder, by its number.
async fn asset(fixture: &SpaceFixture, folder: &Value) -> Value {
    let id = uploaded(fixture, "a.txt", b"a").await["id"].clone();
    fixture.editor().put(&format!("/assets/{id}"), json!({ "asset": { "asset_folder_id": folder } })).await;
    id
}

#[tokio::test]
async fn a_folder_of_assets_takes_what_is_below_it_to_the_trash_when_asked() {
    let fixture = SpaceFixture::new().await;
    let folder = async |name: &str, parent: &Value| {
        let body = json!({ "asset_folder": { "name": name, "parent_id": parent } });
        fixture.editor().post("/asset_folders", body).await.expect(201)["asset_folder"]["id"].clone()
    };
    let top = folder("top", &json!(null)).await;
    let kept = folder("kept", &top).await;
    let gone = folder("gone", &top).await;
    let below = folder("below", &gone).await;
    let inside = asset(&fixture, &below).await;
    let beside = asset(&fixture, &kept).await;

    let deleted = fixture.editor().delete(&format!("/asset_folders/{gone}?recursive=true")).await.expect(200);
    assert_eq!(deleted["asset_folder"]["id"], gone);
    let folders = fixture.viewer().get("/asset_folders").await.expect(200);
    assert_eq!(each(&folders["asset_folders"], "name"), ["top", "kept"]);
    let trash = fixture.viewer().get("/assets?in_folder=-1").await.expect(200);
    assert_eq!(each(&trash["assets"], "id"), std::slice::from_ref(&inside));
    let restored = fixture.editor().post("/assets/bulk_restore", json!({ "ids": [inside] })).await.expect(200);
    assert_eq!(restored["assets"][0]["asset_folder_id"], top, "the folder above is the nearest that there is");

    fixture.editor().delete(&format!("/asset_folders/{kept}?recursive=false")).await.expect(200);
    let moved = fixture.viewer().get(&format!("/assets/{beside}")).await.expect(200);
    assert_eq!((&moved["asset_folder_id"], &moved["deleted_at"]), (&top, &json!(null)));
}

#[tokio::test]
async fn a_components_new_name_is_written_wherever_the_old_one_stands() {
    let fixture = SpaceFixture::new().await;
    let component = async |attributes: Value| {
        fixture.admin().post("/components", json!({ "component": attributes })).await.expect(201)["component"].clone()
    };
    let teaser = component(json!({ "name": "teaser", "is_root": true })).await;
    let schema = json!({ "body": { "type": "bloks", "restrict_components": true, "component_whitelist": ["teaser", "grid"] } });
    let page = component(json!({ "name": "page", "schema": schema })).await;
    let preset =
        json!({ "preset": { "name": "P", "component_id": page["id"], "preset": { "body": [{ "component": "teaser" }] } } });
    let preset = fixture.admin().post("/presets", preset).await.expect(201)["preset"]["id"].clone();
    let folder = story(&fixture, "folder", json!({ "is_folder": true, "default_root": "teaser" }), false).await;
    let content = json!({ "component": "page", "n": 1.50, "body": [{ "component": "teaser", "title": "teaser" }] });
    let published = story(&fixture, "published", json!({ "content": content }), true).await;
    let draft = json!({ "component": "teaser", "title": "draft" });
    let draft = story(&fixture, "draft", json!({ "content": draft }), false).await;
    let versions = fixture.viewer().get(&format!("/story_versions?by_story_id={}&show_content=1", published["id"])).await.text;
    let (before, entries, events) = (fixture.cv().await, fixture.audit_count().await, fixture.events().await);

    let path = format!("/components/{}", teaser["id"]);
    let body = json!({ "component": { "name": "hero" } });
    let renamed = fixture.admin().put(&format!("{path}?update_content=true"), body).await.expect(200);
    assert_eq!(renamed["component"]["name"], "hero");
    assert!(fixture.cv().await > before);
    assert_eq!(fixture.audit_count().await, entries + 1);
    let shown = fixture.cdn("stories/published").await.expect(200)["story"].clone();
    assert_eq!(
        (&shown["content"]["body"][0]["component"], &shown["content"]["body"][0]["title"]),
        (&json!("hero"), &json!("teaser"))
    );
    assert_eq!(
        each(&fixture.cdn("stories?version=draft&content_type=hero").await.expect(200)["stories"], "id"),
        [draft["id"].clone()]
    );
    assert_eq!(fixture.cdn("stories?version=draft&content_type=teaser").await.expect(200)["stories"], json!([]));
    let found = fixture.cdn("stories?version=draft&filter_query[component][in]=hero").await.expect(200);
    assert_eq!(each(&found["stories"], "id"), [draft["id"].clone()]);
    let read = fixture.viewer().get(&format!("/stories/{}", folder["id"])).await.expect(200);
    assert_eq!(read["story"]["default_root"], "hero");
    let read = fixture.viewer().get(&format!("/presets/{preset}")).await.expect(200);
    assert_eq!(read["preset"]["preset"]["body"][0]["component"], "hero");
    let read = fixture.viewer().get(&format!("/components/{}", page["id"])).await.expect(200);
    assert_eq!(read["component"]["schema"]["body"]["component_whitelist"], json!(["hero", "grid"]));
    let after = fixture.viewer().get(&format!("/story_versions?by_story_id={}&show_content=1", published["id"])).await.text;
    assert_eq!(after, versions, "versions are what they were");
    let read = fixture.viewer().get(&format!("/stories/{}", published["id"])).await.expect(200);
    assert_eq!((&read["story"]["unpublished_changes"], &read["story"]["updated_at"]), (&json!(false), &published["updated_at"]));
    assert_eq!(fixture.events().await, events, "no story was published or changed");

    let kept = fixture.admin().put(&path, json!({ "component": { "name": "banner" } })).await.expect(200);
    assert_eq!(kept["component"]["name"], "banner");
    assert_eq!(
        fixture.cdn("stories/published").await.expect(200)["story"]["content"]["body"][0]["component"],
        "hero",
        "unless it is asked for"
    );
}

#[tokio::test]
async fn entries_come_as_a_file_of_commas_when_asked() {
    let fixture = SpaceFixture::new().await;
    let source =
        json!({ "datasource": { "name": "L", "slug": "l", "dimensions_attributes": [{ "name": "German", "entry_value": "de" }] } });
    let source = fixture.editor().post("/datasources", source).await.expect(201)["datasource"].clone();
    let dimension = &source["dimensions"][0]["id"];
    for number in 0..30 {
        let entry = json!({ "name": format!("n{number:02}"), "value": format!("a, \"{number}\""), "datasource_id": source["id"], "dimension_value": "=x" });
        // The dimension stands beside the entry, and wins over that of the query.
        let body = json!({ "datasource_entry": entry, "dimension_id": dimension });
        fixture.editor().post("/datasource_entries?dimension_id=0", body).await.expect(201);
    }
    let all = fixture.viewer().get("/datasource_entries?datasource_slug=l&as_csv=true").await;
    assert_eq!((all.status, all.header("content-type"), all.header("total")), (200, "text/csv; charset=utf-8", ""));
    let lines: Vec<&str> = all.text.split("\r\n").collect();
    assert_eq!((lines.len(), lines[0], lines[1]), (32, "name,value", "n00,\"a, \"\"0\"\"\""));
    let page = fixture
        .viewer()
        .get(&format!("/datasource_entries?datasource_slug=l&as_csv=1&per_page=2&page=2&dimension={dimension}"))
        .await;
    assert_eq!(page.text, "name,value,dimension_value\r\nn02,\"a, \"\"2\"\"\",=x\r\nn03,\"a, \"\"3\"\"\",=x\r\n");
    assert_eq!(page.header("total"), "30");
}

#[tokio::test]
async fn components_are_found_by_their_metadata() {
    let fixture = SpaceFixture::new().await;
    for (name, metadata) in
        [("a", json!({ "app_slug": "x", "frame_id": "1" })), ("b", json!({ "app_slug": "x" })), ("c", json!(null))]
    {
        let body = json!({ "component": { "name": name, "metadata": metadata } });
        fixture.admin().post("/components", body).await.expect(201);
    }
    for (query, names) in [("by_metadata_app_slug=x", "a b"), ("by_metadata_frame_id=1", "a"), ("by_metadata_app_slug=y", "")] {
        let found = fixture.viewer().get(&format!("/components?{query}")).await.expect(200);
        let found: Vec<String> = each(&found["components"], "name").iter().map(|name| name.as_str().unwrap().to_owned()).collect();
        assert_eq!(found.join(" "), names, "{query}");
    }
}
