//! What the hosted service's clients can say with a creation, an update and a copy beside the story itself.

use super::{id, page};
use support::prelude::*;

#[tokio::test]
async fn a_story_begins_with_a_preset() {
    let fixture = SpaceFixture::new().await;
    let component = fixture.create("component", json!({ "name": "page", "is_root": true, "schema": {} })).await;
    let other = fixture.create("component", json!({ "name": "other", "is_root": true, "schema": {} })).await;
    let content =
        json!({ "_uid": "p", "title": "From the preset", "theme": "dark", "body": [{ "_uid": "q", "component": "teaser" }] });
    let preset = fixture.create("preset", json!({ "name": "Dark", "component_id": component["id"], "preset": content })).await;
    let foreign =
        fixture.create("preset", json!({ "name": "Other", "component_id": other["id"], "preset": { "title": "x" } })).await;
    let create = async |query: String, story: Value| {
        fixture.write("POST", &format!("/stories?{query}"), json!({ "story": story }), 201).await["content"].clone()
    };
    let by_number = create(format!("preset_id={}", preset["id"]), page("A", "a", json!({}))).await;
    assert_eq!((&by_number["title"], &by_number["theme"]), (&json!("A"), &json!("dark")), "what is sent wins");
    assert!(by_number["_uid"] != "p" && by_number["body"][0]["_uid"].is_string() && by_number["body"][0]["_uid"] != "q");
    let bare = create(format!("preset_id={}", preset["id"]), json!({ "name": "B", "slug": "b" })).await;
    assert_eq!((&bare["component"], &bare["title"]), (&json!("page"), &json!("From the preset")));
    // Without a default preset nothing is added.
    let nothing = create("use_default_preset=true".into(), page("C", "c", json!({}))).await;
    assert_eq!(nothing.get("theme"), None);
    let path = fixture.path(&format!("/components/{}", component["id"]));
    fixture.put(Caller::Token(&fixture.admin), &path, json!({ "component": { "preset_id": preset["id"] } })).await.expect(200);
    let default = create("use_default_preset=true".into(), page("D", "d", json!({}))).await;
    assert_eq!(default["theme"], "dark");
    let in_body = json!({ "story": page("E", "e", json!({})), "preset_id": preset["id"] });
    assert_eq!(fixture.write("POST", "/stories", in_body, 201).await["content"]["theme"], "dark");
    for (query, story) in [
        (format!("preset_id={}", foreign["id"]), page("F", "f", json!({}))),
        ("preset_id=999999".to_owned(), page("F", "f", json!({}))),
        ("preset_id=x".to_owned(), page("F", "f", json!({}))),
        (format!("preset_id={}", preset["id"]), json!({ "name": "F", "slug": "f", "is_folder": true })),
    ] {
        let fault = fixture.refused("POST", &format!("/stories?{query}"), json!({ "story": story }), 422).await;
        assert_eq!(fault["details"][0]["field"], "preset_id", "{query}");
    }
    let fault = fixture.refused("POST", "/stories?use_default_preset=x", json!({ "story": page("F", "f", json!({})) }), 422).await;
    assert_eq!(fault["details"][0]["field"], "use_default_preset");
}

#[tokio::test]
async fn the_visual_editor_is_switched_off_by_the_query() {
    let fixture = SpaceFixture::new().await;
    let story = fixture.write("POST", "/stories?disable_fe_editor=true", json!({ "story": page("S", "s", json!({})) }), 201).await;
    assert_eq!(story["disable_fe_editor"], true);
    let path = format!("/stories/{}?disable_fe_editor=0", id(&story));
    assert_eq!(fixture.write("PUT", &path, json!({ "story": {"name": "T"} }), 200).await["disable_fe_editor"], false);
    let bad = fixture.refused("POST", "/stories?disable_fe_editor=maybe", json!({ "story": page("T", "t", json!({})) }), 422).await;
    assert_eq!(bad["details"][0]["field"], "disable_fe_editor");
}

#[tokio::test]
async fn a_copy_keeps_its_path_and_gets_its_folders_when_asked_to() {
    let fixture = SpaceFixture::new().await;
    let en = fixture.folder("English", "en", 0).await;
    let blog = fixture.folder("Blog", "blog", en).await;
    let deep = fixture.folder("2026", "2026", blog).await;
    let de = fixture.folder("German", "de", 0).await;
    let story = fixture.story(page("Post", "post", json!({ "parent_id": deep, "path": "/real" }))).await;
    let copy = async |query: &str, body: Value| {
        fixture.write("PUT", &format!("/stories/{}/duplicate?{query}", id(&story)), body, 200).await
    };
    let flat = copy("", json!({ "story": {}, "target_dimension": de })).await;
    assert_eq!((&flat["full_slug"], &flat["path"]), (&json!("de/post"), &json!(null)));
    let group = json!({ "story": { "slug": "alt", "group_id": story["group_id"] }, "target_dimension": de, "same_path": true });
    let alternate = copy("", group).await;
    assert_eq!((&alternate["path"], &alternate["alternates"][0]["id"]), (&json!("/real"), &story["id"]));
    // The folders between are made once.
    let below = copy(&format!("target_dimension={de}&auto_create_folders=true"), json!({ "story": {} })).await;
    assert_eq!(below["full_slug"], "de/blog/2026/post");
    let names: Vec<_> = below["breadcrumbs"].as_array().unwrap().iter().map(|folder| folder["name"].as_str().unwrap()).collect();
    assert_eq!(names, ["German", "Blog", "2026"]);
    let again = copy("", json!({ "story": { "slug": "second" }, "target_dimension": de, "auto_create_folders": 1 })).await;
    assert_eq!((&again["full_slug"], &again["parent_id"]), (&json!("de/blog/2026/second"), &below["parent_id"]));
    let path = format!("/stories/{}/duplicate", id(&story));
    let before = fixture.audit_count().await;
    for (query, body, field) in [
        ("", json!({ "story": {} }), "slug"),
        ("auto_create_folders=1", json!({ "story": {} }), "target_dimension"),
        ("target_dimension=x", json!({ "story": {} }), "target_dimension"),
        ("", json!({ "story": { "parent_id": en }, "target_dimension": de }), "target_dimension"),
        ("target_dimension=999999", json!({ "story": {} }), "parent_id"),
        ("same_path=maybe", json!({ "story": { "slug": "x" } }), "same_path"),
    ] {
        let fault = fixture.refused("PUT", &format!("{path}?{query}"), body, 422).await;
        assert_eq!(fault["details"][0]["field"], field, "{query}: {fault}");
    }
    assert_eq!(fixture.audit_count().await, before);
}

#[tokio::test]
async fn there_are_no_releases() {
    let fixture = SpaceFixture::new().await;
    let story = fixture.story(page("S", "s", json!({}))).await;
    let path = fixture.path(&format!("/stories/{}", id(&story)));
    let viewer = Caller::Token(&fixture.viewer);
    assert_eq!(fixture.get(viewer, &format!("{path}?release_id=0")).await.status, 200);
    assert_eq!(fixture.get(viewer, &format!("{path}?release_id=5")).await.status, 404);
    assert_eq!(fixture.get(viewer, &format!("{path}?release_id=x")).await.status, 422);
    fixture
        .write("PUT", &format!("/stories/{}?release_id=0&force_update=1", id(&story)), json!({ "story": { "name": "T" } }), 200)
        .await;
}
