//! Internal tags: created, renamed, removed, and shown on what has them.

use super::each;
use crate::assets::uploaded;
use support::prelude::*;

async fn tag(fixture: &SpaceFixture, name: &str, kind: &str) -> Value {
    let body = json!({ "internal_tag": { "name": name, "object_type": kind } });
    fixture.admin().post("/internal_tags", body).await.expect(200)["internal_tag"].clone()
}

#[tokio::test]
async fn tags_are_created_listed_renamed_and_removed() {
    let fixture = SpaceFixture::new().await;
    let made = tag(&fixture, "Layout", "component").await;
    let keys: Vec<&str> = made.as_object().unwrap().keys().map(String::as_str).collect();
    assert_eq!(keys, ["id", "name", "object_type"]);
    assert!(made["id"].as_i64().unwrap() >= 1 << 40, "{made}: beyond the numbers that imports bring along");
    tag(&fixture, "Press", "asset").await;
    tag(&fixture, "Layout", "asset").await;

    let listed = fixture.viewer().get("/internal_tags?by_object_type=asset&page=1&per_page=1").await;
    assert_eq!((listed.header("total"), listed.header("per-page")), ("2", "1"));
    assert_eq!(each(&listed.expect(200)["internal_tags"], "name"), ["Layout"]);
    let names = |below: &'static str| {
        let fixture = &fixture;
        async move { each(&fixture.viewer().get(below).await.expect(200)["internal_tags"], "name") }
    };
    assert_eq!(names("/internal_tags").await.len(), 3);
    assert_eq!(names("/internal_tags?search=PRE").await, ["Press"]);
    assert_eq!(names("/internal_tags?search=%25").await, [Value::Null; 0]);
    let path = format!("/internal_tags/{}", made["id"]);
    let by_id = fixture.viewer().get(&format!("/internal_tags?by_ids={},1", made["id"])).await.expect(200);
    assert_eq!(by_id["internal_tags"], json!([made]));

    let renamed =
        fixture.admin().json("PATCH", &path, json!({ "internal_tag": { "name": "Parts", "object_type": "component" } })).await;
    assert_eq!(renamed.expect(200)["internal_tag"], json!({ "id": made["id"], "name": "Parts", "object_type": "component" }));
    assert_eq!(fixture.newest_entry().await, ["internal_tag.update", "internal_tag", "Parts"]);
    fixture.admin().delete(&path).await.expect(200);
    assert_eq!(fixture.newest_entry().await, ["internal_tag.delete", "internal_tag", "Parts"]);
    fixture.admin().delete(&path).await.expect(404);
    fixture.admin().put(&path, json!({ "internal_tag": { "name": "x" } })).await.expect(404);
}

#[tokio::test]
async fn bad_tags_are_refused_and_change_nothing() {
    let fixture = SpaceFixture::new().await;
    let made = tag(&fixture, "Layout", "component").await;
    let path = format!("/internal_tags/{}", made["id"]);
    let entries = fixture.audit_count().await;
    for (method, below, body, field) in [
        ("POST", "/internal_tags", json!({ "name": "Layout", "object_type": "component" }), "name"),
        ("POST", "/internal_tags", json!({ "name": " " }), "name"),
        ("POST", "/internal_tags", json!({ "name": "x".repeat(256) }), "name"),
        ("POST", "/internal_tags", json!({ "name": "x", "object_type": "story" }), "object_type"),
        ("PATCH", path.as_str(), json!({ "object_type": "asset" }), "object_type"),
        ("PATCH", path.as_str(), json!({ "name": "" }), "name"),
    ] {
        let refused = fixture.admin().json(method, below, json!({ "internal_tag": body })).await.expect(422);
        assert!(refused["fields"][field].is_array(), "{refused}");
    }
    fixture.admin().post("/internal_tags", json!({})).await.expect(422);
    fixture.viewer().get("/internal_tags?by_object_type=story").await.expect(422);
    fixture.viewer().get("/internal_tags?tag=1").await.expect(422);
    assert_eq!(fixture.audit_count().await, entries);
    assert_eq!(fixture.viewer().get("/internal_tags").await.expect(200)["internal_tags"], json!([made]));
}

#[tokio::test]
async fn editors_change_tags_of_assets_and_not_those_of_components() {
    let fixture = SpaceFixture::new().await;
    let of_components = tag(&fixture, "Layout", "component").await;
    let body = |kind: &str| json!({ "internal_tag": { "name": "Own", "object_type": kind } });
    fixture.editor().post("/internal_tags", body("component")).await.expect(403);
    let own = fixture.editor().post("/internal_tags", body("asset")).await.expect(200)["internal_tag"]["id"].clone();
    fixture.viewer().post("/internal_tags", body("asset")).await.expect(403);
    let path = format!("/internal_tags/{}", of_components["id"]);
    fixture.editor().json("PATCH", &path, json!({ "internal_tag": { "name": "x" } })).await.expect(403);
    fixture.editor().delete(&path).await.expect(403);
    fixture.viewer().delete(&format!("/internal_tags/{own}")).await.expect(403);
    fixture.editor().delete(&format!("/internal_tags/{own}")).await.expect(200);
    let other = fixture.another_space().await;
    let foreign = super::Caller::Token(&other.admin);
    let below = format!("/api/v1/spaces/{}/internal_tags/{}", other.id, of_components["id"]);
    fixture.delete(foreign, &below).await.expect(404);
}

#[tokio::test]
async fn what_has_a_tag_shows_its_name_until_it_is_removed() {
    let fixture = SpaceFixture::new().await;
    let layout = tag(&fixture, "Layout", "component").await["id"].clone();
    let press = tag(&fixture, "Press", "asset").await["id"].clone();
    let component = fixture.create("component", json!({ "name": "hero", "internal_tag_ids": [layout, 77] })).await;
    assert_eq!(component["internal_tags_list"], json!([{ "id": layout, "name": "Layout" }]));
    assert_eq!(component["internal_tag_ids"], json!([layout, 77]));

    let asset = uploaded(&fixture, "a.txt", b"text").await["id"].clone();
    let path = format!("/assets/{asset}");
    fixture.editor().put(&path, json!({ "asset": { "internal_tag_ids": [press, layout] } })).await;
    let shown = fixture.viewer().get(&path).await.expect(200);
    assert_eq!(shown["internal_tags_list"], json!([{ "id": press, "name": "Press" }]), "a tag of components is none of assets");
    let counted = fixture.viewer().get("/internal_tags?with_assets_count=true").await.expect(200);
    assert_eq!(each(&counted["internal_tags"], "assets_count"), [json!(1), json!(1)]);

    fixture.admin().delete(&format!("/internal_tags/{press}")).await.expect(200);
    fixture.admin().delete(&format!("/internal_tags/{layout}")).await.expect(200);
    let shown = fixture.viewer().get(&path).await.expect(200);
    assert_eq!((&shown["internal_tags_list"], &shown["internal_tag_ids"]), (&json!([]), &json!([layout])));
    let shown = fixture.viewer().get(&format!("/components/{}", component["id"])).await.expect(200);
    assert_eq!((&shown["component"]["internal_tags_list"], &shown["component"]["internal_tag_ids"]), (&json!([]), &json!([77])));
}

#[tokio::test]
async fn of_twenty_that_want_one_name_one_gets_it() {
    let fixture = SpaceFixture::new().await;
    let body = json!({ "internal_tag": { "name": "Layout", "object_type": "component" } });
    let mut statuses: Vec<u16> = join_all((0..20).map(|_| fixture.admin().post("/internal_tags", body.clone())))
        .await
        .into_iter()
        .map(|reply| reply.status)
        .collect();
    statuses.sort_unstable();
    assert_eq!(statuses, [[200].as_slice(), &[422; 19]].concat());
    assert_eq!(fixture.viewer().get("/internal_tags").await.header("total"), "1");
}
