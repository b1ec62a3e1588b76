//! Lists, changes and the trash of assets, and assets in stories.

use super::{GIF, Kept, fetch, upload, uploaded};
use percent_encoding::{NON_ALPHANUMERIC, utf8_percent_encode};
use support::prelude::*;

async fn names(fixture: &SpaceFixture, query: &str) -> Vec<String> {
    let found = fixture.viewer().get(&format!("/assets?{query}")).await.expect(200);
    found["assets"].as_array().unwrap().iter().map(|f| f["short_filename"].as_str().unwrap().to_owned()).collect()
}

#[tokio::test]
async fn a_list_is_filtered_ordered_and_paged() {
    let fixture = &Kept::on_disk().await;
    let folder = fixture.create("asset_folder", json!({ "name": "F" })).await["id"].to_string();
    upload(fixture, &[("alt", None, b"Red fox"), ("ext_id", None, b"e1"), ("file", Some("one.gif"), GIF)]).await.expect(201);
    fixture.clock.advance(jiff::SignedDuration::from_hours(1));
    let fields: &[super::Part<'_>] = &[
        ("asset_folder_id", None, folder.as_bytes()),
        ("internal_tag_ids", None, b"5,6"),
        ("copyright", None, b"100% mine"),
        ("expire_at", None, b"2027-01-01T00:00:00Z"),
        ("file", Some("two.txt"), b"longer than the picture, by far, as everybody can see"),
    ];
    upload(fixture, fields).await.expect(201);
    fixture.clock.advance(jiff::SignedDuration::from_hours(1));
    upload(fixture, &[("is_private", None, b"true"), ("file", Some("three.gif"), GIF)]).await.expect(201);
    for (query, expected) in [
        (String::new(), &["three.gif", "two.txt", "one.gif"][..]),
        ("per_page=1&page=2".into(), &["two.txt"]),
        ("sort_by=short_filename:asc".into(), &["one.gif", "three.gif", "two.txt"]),
        ("sort_by=content_length:desc&per_page=1".into(), &["two.txt"]),
        ("search=FOX".into(), &["one.gif"]),
        ("search=.gif".into(), &["three.gif", "one.gif"]),
        ("by_alt=fox".into(), &["one.gif"]),
        ("by_copyright=100%25".into(), &["two.txt"]),
        ("by_copyright=1_0".into(), &[]),
        ("ext_id=e1".into(), &["one.gif"]),
        (format!("in_folder={folder}"), &["two.txt"]),
        ("in_folder=0".into(), &["three.gif", "one.gif"]),
        ("is_private=1".into(), &["three.gif"]),
        ("is_private=0".into(), &["two.txt", "one.gif"]),
        ("with_tags=6".into(), &["two.txt"]),
        ("with_tags=6,7".into(), &[]),
        ("created_at_gte=2026-03-01T13:00:00Z&created_at_lte=2026-03-01T13:00:00Z".into(), &["two.txt"]),
        ("expire_at_gte=2026-12-31T00:00:00Z".into(), &["two.txt"]),
    ] {
        assert_eq!(names(fixture, &query).await, expected, "{query}");
    }
    for query in ["foo=1", "sort_by=alt:asc", "page=0", "in_folder=x", "created_at_gte=x"] {
        fixture.viewer().get(&format!("/assets?{query}")).await.expect(422);
    }
}

#[tokio::test]
async fn a_change_keeps_what_it_does_not_name_and_is_told() {
    let fixture = &Kept::on_disk().await;
    let made = upload(fixture, &[("alt", None, b"A"), ("title", None, b"T"), ("file", Some("a.gif"), GIF)]).await.expect(201);
    let path = fixture.path(&format!("/assets/{}", made["id"]));
    let editor = Caller::Token(&fixture.editor);
    for (method, change) in
        [("PATCH", json!({ "alt": "B", "meta_data": { "x": [1] } })), ("PUT", json!({ "title": null, "locked": true }))]
    {
        assert_eq!(fixture.json(editor, method, &path, json!({ "asset": change })).await.status, 204);
        assert_eq!(fixture.newest_entry().await, ["asset.update", "asset", "a.gif"]);
    }
    let after = fixture.get(editor, &path).await.expect(200);
    assert_eq!([&after["alt"], &after["title"], &after["locked"]], [&json!("B"), &Value::Null, &json!(true)]);
    assert_eq!([&after["meta_data"], &after["filename"]], [&json!({ "x": [1] }), &made["filename"]]);
    fixture.json(editor, "PATCH", &path, json!({ "asset": { "asset_folder_id": 77 } })).await.expect(422);
    fixture.json(editor, "PATCH", &path, json!({ "alt": "unwrapped" })).await.expect(422);
    assert_eq!(fixture.json(editor, "PATCH", &fixture.path("/assets/99"), json!({ "asset": { "alt": "x" } })).await.status, 404);
}

#[tokio::test]
async fn a_search_looks_in_tags_and_puts_the_best_first() {
    let fixture = &Kept::on_disk().await;
    let tag = json!({ "internal_tag": { "name": "Holiday foxes", "object_type": "asset" } });
    let tag = fixture.admin().post("/internal_tags", tag).await.expect(200)["internal_tag"]["id"].to_string();
    let file = |name| ("file", Some(name), GIF);
    upload(fixture, &[("alt", None, b"fox and hen"), file("fox.gif")]).await.expect(201);
    upload(fixture, &[("title", None, b"Fox"), file("a.gif")]).await.expect(201);
    upload(fixture, &[file("red-fox.gif")]).await.expect(201);
    upload(fixture, &[("alt", None, b"A fox"), file("b.gif")]).await.expect(201);
    upload(fixture, &[("internal_tag_ids", None, tag.as_bytes()), file("c.gif")]).await.expect(201);
    for (query, expected) in [
        ("search=fox", &["fox.gif", "a.gif", "red-fox.gif", "b.gif", "c.gif"][..]),
        ("search=fox&sort_by=short_filename:desc", &["red-fox.gif", "fox.gif", "c.gif", "b.gif", "a.gif"]),
        ("search=hen%20fox", &["fox.gif"]),
        ("search=foxes%20c.gif", &["c.gif"]),
        ("search=foxes%20a.gif", &[]),
    ] {
        assert_eq!(names(fixture, query).await, expected, "{query}");
    }
}

#[tokio::test]
async fn a_list_is_filtered_by_kind_and_missing_alternative_text() {
    let fixture = &Kept::on_disk().await;
    let decorative = (("meta_data", None, &br#"{"decorative": true}"#[..]), ("alt", None, &b""[..]));
    upload(fixture, &[decorative.0, decorative.1, ("file", Some("line.GIF"), GIF)]).await.expect(201);
    for (name, alt) in [("a.png", "A"), ("b.jpg", ""), ("c.mp4", "C"), ("d.mp3", "D"), ("e.pdf", "E"), ("f.woff", "F"), ("g", "G")]
    {
        upload(fixture, &[("alt", None, alt.as_bytes()), ("file", Some(name), b"x")]).await.expect(201);
    }
    for (query, expected) in [
        ("kind=image", &["b.jpg", "a.png", "line.GIF"][..]),
        ("kind=video,audio", &["d.mp3", "c.mp4"]),
        ("kind=text", &["e.pdf"]),
        ("kind=other", &["g", "f.woff"]),
        ("kind=other,text", &["g", "f.woff", "e.pdf"]),
        ("without_alt=1", &["b.jpg"]),
        ("without_alt=1&kind=video", &[]),
    ] {
        assert_eq!(names(fixture, &format!("{query}&sort_by=created_at:desc")).await, expected, "{query}");
    }
    fixture.viewer().get("/assets?kind=images").await.expect(422);
}

#[tokio::test]
async fn an_asset_is_found_by_every_url_that_it_has_had() {
    let fixture = &Kept::on_disk().await;
    let made = uploaded(fixture, "a.gif", GIF).await;
    uploaded(fixture, "b.gif", b"GIF89a another").await;
    let former = made["filename"].as_str().unwrap().to_owned();
    let path = fixture.path(&format!("/assets/{}", made["id"]));
    let rename = json!({ "asset": { "short_filename": "fox.gif" } });
    assert_eq!(fixture.json(Caller::Token(&fixture.editor), "PATCH", &path, rename).await.status, 204);
    let now = fixture.viewer().get(&format!("/assets/{}", made["id"])).await.expect(200)["filename"].as_str().unwrap().to_owned();
    for url in [&former, &now, &former.replace("http://", "//"), &format!("{now}?cv=1")] {
        let query = utf8_percent_encode(url, NON_ALPHANUMERIC);
        assert_eq!(names(fixture, &format!("filename={query}")).await, ["fox.gif"], "{url}");
        assert_eq!(names(fixture, &format!("filename={query}&is_private=1")).await, [""; 0], "{url}");
    }
    for url in ["x", "https://example.org/x.gif", &former.replace("a.gif", "c.gif")] {
        assert_eq!(names(fixture, &format!("filename={}", utf8_percent_encode(url, NON_ALPHANUMERIC))).await, [""; 0], "{url}");
    }
    let other = fixture.another_space().await;
    let path = format!("/api/v1/spaces/{}/assets?filename={}", other.id, utf8_percent_encode(&now, NON_ALPHANUMERIC));
    assert_eq!(fixture.get(Caller::Token(&other.admin), &path).await.expect(200)["assets"], json!([]));
}

#[tokio::test]
async fn a_renamed_file_answers_its_former_name() {
    let fixture = &Kept::on_disk().await;
    let made = uploaded(fixture, "a.gif", GIF).await;
    let path = fixture.path(&format!("/assets/{}", made["id"]));
    let rename =
        |name: Value| fixture.json(Caller::Token(&fixture.editor), "PATCH", &path, json!({ "asset": { "short_filename": name } }));
    for (name, message) in
        [(json!("b.png"), "must keep its extension (.gif)"), (json!(" "), "can't be blank"), (json!(7), "can't be blank")]
    {
        let refused = rename(name).await.expect(422);
        assert_eq!(refused["fields"]["short_filename"], json!([message]));
    }
    assert_eq!(rename(json!("../Red fox.GIF")).await.status, 204);
    let after = fixture.viewer().get(&format!("/assets/{}", made["id"])).await.expect(200);
    assert_eq!(after["short_filename"], "Red-fox.GIF");
    assert_ne!(after["filename"], made["filename"]);
    for url in [&made["filename"], &after["filename"]] {
        let (status, headers, bytes) = fetch(fixture, url, &[]).await;
        assert_eq!((status, bytes.as_slice()), (200, GIF));
        assert!(headers["cache-control"].to_str().unwrap().ends_with("immutable"), "it is the same file");
    }
    assert_eq!(rename(json!("a.gif")).await.status, 204, "and back");
    assert_eq!(fetch(fixture, &after["filename"], &[]).await.2, GIF);
}

#[tokio::test]
async fn an_asset_in_the_trash_is_not_served_until_it_is_restored() {
    let fixture = &Kept::on_disk().await;
    let made = uploaded(fixture, "a.gif", GIF).await;
    let path = fixture.path(&format!("/assets/{}", made["id"]));
    let editor = Caller::Token(&fixture.editor);
    let gone = fixture.delete(editor, &path).await.expect(200);
    assert_eq!((&gone["id"], gone["deleted_at"].is_string()), (&made["id"], true));
    assert_eq!(fetch(fixture, &made["filename"], &[]).await.0, 404);
    assert_eq!((names(fixture, "").await.len(), names(fixture, "in_folder=-1").await), (0, vec!["a.gif".to_owned()]));
    assert_eq!(fixture.delete(editor, &path).await.status, 404);
    assert_eq!(fixture.json(editor, "PATCH", &path, json!({ "asset": { "alt": "x" } })).await.status, 404);

    let restore = fixture.path("/assets/bulk_restore");
    let back = fixture.post(editor, &restore, json!({ "ids": [made["id"]] })).await.expect(200);
    assert_eq!(back["assets"], json!([made]));
    assert_eq!(fixture.newest_entry().await, ["asset.restore", "asset", "a.gif"]);
    assert_eq!(fetch(fixture, &made["filename"], &[]).await.2, GIF);
    assert_eq!(fixture.post(editor, &restore, json!({ "ids": [99] })).await.status, 404);
}

#[tokio::test]
async fn a_story_is_answered_with_the_assets_that_it_names() {
    let fixture = &Kept::on_disk().await;
    let one = upload(fixture, &[("alt", None, b"A"), ("file", Some("a.gif"), GIF)]).await.expect(201);
    let other = uploaded(fixture, "b.gif", GIF).await;
    let field = |value: &Value| json!({ "fieldtype": "asset", "id": value["id"], "filename": value["filename"] });
    let content = json!({
        "component": "page", "image": field(&one),
        "body": [{ "component": "x", "images": [field(&other), field(&one), { "fieldtype": "asset", "id": 999 }] }],
    });
    let story = json!({ "story": { "name": "S", "slug": "s", "content": content }, "publish": 1 });
    fixture.editor().post("/stories", story).await.expect(201);
    let read = format!("/api/v2/cdn/stories/s?token={}&resolve_assets=1", fixture.public);
    let answer = fixture.get(Caller::Anonymous, &read).await.expect(200);
    let named: Vec<_> = answer["assets"].as_array().unwrap().iter().map(|a| [&a["id"], &a["filename"]]).collect();
    assert_eq!(named, [[&one["id"], &one["filename"]], [&other["id"], &other["filename"]]]);

    let path = fixture.path(&format!("/assets/{}", one["id"]));
    fixture.json(Caller::Token(&fixture.editor), "PATCH", &path, json!({ "asset": { "alt": "B" } })).await;
    let answer = fixture.get(Caller::Anonymous, &read).await.expect(200);
    assert_eq!(answer["assets"][0]["alt"], "B", "a change is seen at once");
    fixture.delete(Caller::Token(&fixture.editor), &path).await.expect(200);
    let answer = fixture.get(Caller::Anonymous, &read).await.expect(200);
    assert_eq!(answer["assets"][0]["id"], other["id"]);
}
