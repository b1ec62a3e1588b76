//! Components, groups and presets in the shapes of Storyblok's API. The schemas of real spaces are accepted
//! and kept as they were written.

use support::{
    prelude::*,
    spaces::{definitions, example_space},
};

fn list(folder: &Path, name: &str) -> Vec<Value> {
    let text = std::fs::read_to_string(folder.join(format!("{name}.json"))).unwrap();
    serde_json::from_value(serde_json::from_str::<Value>(&text).unwrap()[name].take()).unwrap()
}

/// Writes all components, groups and presets of a folder as a migration script would, and reads them back.
async fn round_trip(folder: &Path) {
    let fixture = SpaceFixture::new().await;
    let admin = fixture.admin();
    let mut groups = BTreeMap::new();
    for group in &list(folder, "component_groups") {
        let made = admin.post("/component_groups", json!({ "component_group": group })).await.expect(201);
        groups.insert(group["uuid"].as_str().unwrap().to_owned(), made["component_group"]["uuid"].clone());
    }

    let mut ids = BTreeMap::new();
    let mut written = BTreeMap::new();
    for source in &list(folder, "components") {
        let mut component = source.clone();
        if let Some(uuid) = source["component_group_uuid"].as_str() {
            component["component_group_uuid"] = groups[uuid].clone();
        }
        let name = component["name"].as_str().unwrap().to_owned();
        let reply = admin.post("/components", json!({ "component": component })).await;
        if written.contains_key(&name) {
            assert_eq!(reply.expect(422)["fields"]["name"], json!(["has already been taken"]));
            continue;
        }
        let made = reply.expect(201)["component"].clone();
        for same in [
            "name",
            "display_name",
            "description",
            "schema",
            "image",
            "preview_field",
            "is_root",
            "preview_tmpl",
            "is_nestable",
            "color",
            "icon",
            "component_group_uuid",
            "internal_tags_list",
            "internal_tag_ids",
            "content_type_asset_preview",
        ] {
            assert_eq!(made.get(same).unwrap_or(&Value::Null), component.get(same).unwrap_or(&Value::Null), "{name} {same}");
        }
        ids.insert(source["id"].as_i64().unwrap(), made["id"].as_i64().unwrap());
        written.insert(name, made);
    }

    let mut presets = 0;
    for source in &list(folder, "presets") {
        // Of two components with one name the second was refused, and so its presets have no component.
        let Some(component) = ids.get(&source["component_id"].as_i64().unwrap()) else { continue };
        let mut preset = source.clone();
        preset["component_id"] = json!(component);
        let made = admin.post("/presets", json!({ "preset": preset })).await.expect(201)["preset"].clone();
        for same in ["name", "preset", "component_id", "image", "color", "icon", "description"] {
            assert_eq!(made[same], preset[same], "{} {same}", preset["name"]);
        }
        presets += 1;
    }

    let listed = admin.get("/components").await.expect(200);
    let components = listed["components"].as_array().unwrap();
    let names: BTreeSet<&str> = components.iter().map(|component| component["name"].as_str().unwrap()).collect();
    assert_eq!(names, written.keys().map(String::as_str).collect());
    assert_eq!(listed["component_groups"].as_array().unwrap().len(), groups.len());
    let shown: usize = components.iter().map(|component| component["all_presets"].as_array().unwrap().len()).sum();
    assert_eq!(shown, presets);
}

#[tokio::test]
async fn definitions_are_accepted_as_they_are() {
    round_trip(&definitions()).await;
}

#[tokio::test]
#[ignore = "reads the example spaces beside the repository: make shared-tests"]
async fn the_component_library_is_accepted_as_it_is() {
    round_trip(&example_space("component-library")).await;
}

#[tokio::test]
#[ignore = "reads the example spaces beside the repository: make shared-tests"]
async fn the_energy_site_is_accepted_as_it_is() {
    round_trip(&example_space("energy-site")).await;
}

#[tokio::test]
#[ignore = "reads the example spaces beside the repository: make shared-tests"]
async fn the_field_types_are_accepted_as_they_are() {
    round_trip(&example_space("field-types")).await;
}

#[tokio::test]
#[ignore = "reads the example spaces beside the repository: make shared-tests"]
async fn the_inferred_schemas_are_accepted_as_they_are() {
    round_trip(&example_space("starter-articles")).await;
    round_trip(&example_space("studies-abroad")).await;
}

#[tokio::test]
async fn a_schema_is_kept_to_the_letter() {
    let fixture = SpaceFixture::new().await;
    let schema = r#"{"z": {"type":"text", "pos":1.50}, "a":{"type":"bloks","component_whitelist":["x"]},  "ü":{"type":"text"}}"#;
    let body = format!(r#"{{"component":{{"name":"page","schema":{schema}}}}}"#);
    let made =
        fixture.send(Caller::Token(&fixture.admin), "POST", &fixture.path("/components"), "application/json", body.into()).await;
    assert_eq!(made.status, 201);
    assert!(made.text.contains(schema), "{}", made.text);
    assert!(fixture.viewer().get("/components").await.text.contains(schema));
}

#[tokio::test]
async fn lists_are_filtered_and_paged() {
    let fixture = SpaceFixture::new().await;
    let admin = fixture.admin();
    let group = fixture.create("component_group", json!({ "name": "Layout" })).await;
    let page = fixture.create("component", json!({ "name": "page", "is_root": true, "is_nestable": false })).await;
    let grid = fixture
        .create(
            "component",
            json!({ "name": "grid", "display_name": "Raster", "component_group_uuid": group["uuid"], "internal_tag_ids": [7, 8] }),
        )
        .await;
    fixture.create("component", json!({ "name": "teaser", "internal_tag_ids": [9] })).await;
    let by_ids = format!("by_ids={},{}", page["id"], grid["id"]);
    let in_group = format!("in_group={}", group["uuid"].as_str().unwrap());
    for (query, expected) in [
        ("", vec!["page", "grid", "teaser"]),
        ("is_root=1", vec!["page"]),
        ("is_root=false", vec!["grid", "teaser"]),
        ("search=RAST", vec!["grid"]),
        ("search=%25", vec![]),
        (by_ids.as_str(), vec!["page", "grid"]),
        (in_group.as_str(), vec!["grid"]),
        ("with_tags=8,9", vec!["grid", "teaser"]),
        ("with_tags[]=7", vec!["grid"]),
        ("with_tags=1", vec![]),
        ("sort_by=name:asc", vec!["grid", "page", "teaser"]),
        ("sort_by=created_at:desc", vec!["page", "grid", "teaser"]),
        ("sort_by=id:desc", vec!["teaser", "grid", "page"]),
        ("page=2&per_page=2", vec!["teaser"]),
    ] {
        let reply = admin.get(&format!("/components?{query}")).await;
        let paged = if query.contains("page=") { "3" } else { "" };
        assert_eq!(reply.header("total"), paged, "{query}");
        let listed = reply.expect(200);
        let names: Vec<&str> = listed["components"].as_array().unwrap().iter().map(|l| l["name"].as_str().unwrap()).collect();
        assert_eq!(names, expected, "{query}");
    }
    for query in ["is_root=2", "in_group=x", "with_tags=x", "sort_by=size", "nonsense=1", "page=0"] {
        admin.get(&format!("/components?{query}")).await.expect(422);
    }
}

#[tokio::test]
async fn names_are_unique_in_a_space_and_case_matters() {
    let fixture = SpaceFixture::new().await;
    let admin = Caller::Token(&fixture.admin);
    let path = fixture.path("/components");
    fixture.create("component", json!({ "name": "teaser" })).await;
    let other = fixture.create("component", json!({ "name": "Teaser" })).await;
    let refused = fixture.post(admin, &path, json!({ "component": { "name": "teaser" } })).await.expect(422);
    assert_eq!(refused["fields"], json!({ "name": ["has already been taken"] }));
    assert_eq!((&refused["error"], &refused["details"][0]["code"]), (&json!("validation"), &json!("taken")));
    fixture.put(admin, &format!("{path}/{}", other["id"]), json!({ "component": { "name": "teaser" } })).await.expect(422);
    let missing = fixture.post(admin, &path, json!({ "name": "x" })).await.expect(422);
    assert_eq!(missing["message"], "param is missing or the value is empty: component");
    assert_eq!(missing["fields"], json!({ "component": ["can't be blank"] }));
}

#[tokio::test]
async fn a_component_is_changed_in_part_and_deleted_with_its_presets() {
    let fixture = SpaceFixture::new().await;
    let admin = Caller::Token(&fixture.admin);
    let schema = json!({ "title": { "type": "text" } });
    let made = fixture.create("component", json!({ "name": "page", "icon": "block-doc", "schema": schema })).await;
    let preset = fixture.create("preset", json!({ "name": "Empty", "component_id": made["id"], "preset": { "title": "" } })).await;
    let path = fixture.path(&format!("/components/{}", made["id"]));

    let change = json!({ "component": { "icon": null, "is_root": true, "preset_id": preset["id"], "metadata": { "a": 1 } } });
    let after = fixture.put(admin, &path, change).await.expect(200)["component"].clone();
    assert_eq!((&after["name"], &after["icon"], &after["is_root"]), (&json!("page"), &Value::Null, &json!(true)));
    assert_eq!((&after["schema"], &after["preset_id"], &after["metadata"]), (&schema, &preset["id"], &json!({ "a": 1 })));
    assert_eq!(after["all_presets"][0]["preset"], json!({ "title": "" }));
    let again = fixture.put(admin, &path, json!({ "component": after })).await.expect(200);
    assert_eq!(again["component"]["all_presets"], after["all_presets"], "what was read can be written");

    let stranger = fixture.create("component", json!({ "name": "other" })).await;
    let theirs = fixture.path(&format!("/components/{}", stranger["id"]));
    for wrong in
        [json!({ "preset_id": preset["id"] }), json!({ "component_group_uuid": uuid::Uuid::nil() }), json!({ "metadata": [] })]
    {
        fixture.put(admin, &theirs, json!({ "component": wrong })).await.expect(422);
    }

    fixture.delete(admin, &path).await.expect(200);
    fixture.get(admin, &path).await.expect(404);
    fixture.get(admin, &fixture.path(&format!("/presets/{}", preset["id"]))).await.expect(404);
}

#[tokio::test]
async fn groups_form_a_tree_and_leave_their_components() {
    let fixture = SpaceFixture::new().await;
    let admin = Caller::Token(&fixture.admin);
    let top = fixture.create("component_group", json!({ "name": "Top" })).await;
    let below = fixture.create("component_group", json!({ "name": "Below", "parent_id": top["id"] })).await;
    let deep = fixture.create("component_group", json!({ "name": "Deep", "parent_id": below["id"] })).await;
    assert_eq!((&below["parent_id"], &below["parent_uuid"]), (&top["id"], &top["uuid"]));
    let component = fixture.create("component", json!({ "name": "page", "component_group_uuid": below["uuid"] })).await;
    let path = |group: &Value| fixture.path(&format!("/component_groups/{}", group["id"]));

    for parent in [&top, &below, &deep] {
        let change = json!({ "component_group": { "parent_id": parent["id"] } });
        fixture.put(admin, &path(&top), change).await.expect(422);
    }
    fixture.put(admin, &path(&deep), json!({ "component_group": { "parent_id": 999_999 } })).await.expect(422);
    let renamed = json!({ "component_group": { "name": "Down" } });
    let renamed = fixture.json(admin, "PATCH", &path(&deep), renamed).await.expect(200);
    assert_eq!((&renamed["component_group"]["name"], &renamed["component_group"]["parent_id"]), (&json!("Down"), &below["id"]));

    fixture.delete(admin, &path(&below)).await.expect(200);
    let kept = fixture.get(admin, &fixture.path(&format!("/components/{}", component["id"]))).await.expect(200);
    assert_eq!(kept["component"]["component_group_uuid"], Value::Null);
    let moved = fixture.get(admin, &path(&deep)).await.expect(200);
    assert_eq!(moved["component_group"]["parent_id"], top["id"]);
    let listed = fixture.get(admin, &fixture.path("/component_groups?with_parent=0")).await.expect(200);
    assert_eq!(listed["component_groups"].as_array().unwrap().len(), 1);
    let found = fixture.get(admin, &fixture.path("/component_groups?search=dow")).await.expect(200);
    assert_eq!(found["component_groups"][0]["id"], deep["id"]);
}

#[tokio::test]
async fn presets_belong_to_a_component_of_their_space() {
    let fixture = SpaceFixture::new().await;
    let admin = Caller::Token(&fixture.admin);
    let (first, second) =
        (fixture.create("component", json!({ "name": "a" })).await, fixture.create("component", json!({ "name": "b" })).await);
    let preset = fixture.create("preset", json!({ "name": "P", "component_id": first["id"], "preset": { "x": [1] } })).await;
    assert_eq!((&preset["space_id"], &preset["image"]), (&json!(fixture.space), &Value::Null));
    let as_default = json!({ "component": { "preset_id": preset["id"] } });
    fixture.put(admin, &fixture.path(&format!("/components/{}", first["id"])), as_default).await.expect(200);

    for wrong in [
        json!({ "name": "P", "component_id": 999_999, "preset": {} }),
        json!({ "name": "P", "preset": {} }),
        json!({ "name": "", "component_id": first["id"] }),
        json!({ "name": "P", "component_id": first["id"], "preset": [] }),
    ] {
        fixture.post(admin, &fixture.path("/presets"), json!({ "preset": wrong })).await.expect(422);
    }
    let path = fixture.path(&format!("/presets/{}", preset["id"]));
    let moved = fixture.put(admin, &path, json!({ "preset": { "component_id": second["id"] } })).await.expect(200);
    assert_eq!(moved["preset"]["preset"], json!({ "x": [1] }));
    let left = fixture.get(admin, &fixture.path(&format!("/components/{}", first["id"]))).await.expect(200);
    assert_eq!(left["component"]["preset_id"], Value::Null, "a component starts from its own presets only");
    let query = format!("/presets?component_id={}", second["id"]);
    assert_eq!(fixture.get(admin, &fixture.path(&query)).await.expect(200)["presets"].as_array().unwrap().len(), 1);
    fixture.delete(admin, &path).await.expect(200);
    assert_eq!(fixture.get(admin, &fixture.path("/presets")).await.expect(200), json!({ "presets": [] }));
}
