//! `POST stories/{id}/validate`, and `validate=1` on writes.

use super::{draft, lines, page, space};
use support::prelude::*;

#[tokio::test]
async fn a_draft_is_validated_for_everybody_who_reads_it_and_nothing_is_changed() {
    let fixture = space().await;
    let body = json!([{ "component": "teaser", "_uid": "t", "label": "low" }, { "component": "page", "_uid": "p", "title": "x" }]);
    let story = draft(&fixture, "home", json!({ "title": "", "body": body, "stray": 1 })).await;
    let before = (fixture.read(story).await, fixture.audit_count().await, fixture.cv().await);
    let path = format!("/stories/{story}/validate");
    let expected = json!([
        { "field": "body/0/label", "uid": "t", "code": "patternMismatch", "message": "does not match the pattern of the field", "severity": "error" },
        { "field": "body/1", "uid": "p", "code": "componentNotAllowed", "message": "is a page, which is not allowed here", "severity": "error" },
        { "field": "stray", "uid": "root", "code": "unknownField", "message": "is not in the schema of its component", "severity": "warning" },
        { "field": "title", "uid": "root", "code": "blank", "message": "can't be blank", "severity": "error" },
    ]);
    for caller in [fixture.viewer(), fixture.editor()] {
        for body in [Value::Null, json!({}), json!({ "content": null })] {
            assert_eq!(caller.json("POST", &path, body).await.expect(200), json!({ "problems": expected }));
        }
    }
    let by_session = fixture.post(Caller::Owner, &fixture.path(&path), json!({})).await.expect(200);
    assert_eq!(by_session, json!({ "problems": expected }));
    assert_eq!((fixture.read(story).await, fixture.audit_count().await, fixture.cv().await), before);
}

#[tokio::test]
async fn a_content_in_the_body_is_validated_instead() {
    let fixture = space().await;
    let story = draft(&fixture, "home", json!({ "title": "Home" })).await;
    let author = fixture.draft("ann", json!({ "content": { "component": "author" } })).await;
    let uuid = |story: Value| story["uuid"].as_str().unwrap().to_owned();
    let (home, ann) = (uuid(fixture.read(story).await), uuid(fixture.read(author).await));
    let path = format!("/stories/{story}/validate");
    let of = async |content: Value| {
        lines(&fixture.viewer().post(&path, json!({ "content": page(content) })).await.expect(200)["problems"])
    };
    assert_eq!(of(json!({ "title": "Home" })).await, [""; 0]);
    assert_eq!(of(json!({ "title": "far too long" })).await, ["title tooLong"]);
    assert_eq!(of(json!({ "title": "Home", "author": ann })).await, [""; 0]);
    assert_eq!(of(json!({ "title": "Home", "author": home })).await, ["author storyTypeNotAllowed"]);
    assert_eq!(of(json!({ "title": "Home", "author": uuid::Uuid::nil() })).await, ["author unknownStory"]);
    fixture.editor().delete(&format!("/stories/{author}")).await.expect(200);
    assert_eq!(of(json!({ "title": "Home", "author": ann })).await, ["author unknownStory"], "it is in the trash");

    for (body, status, field) in
        [(json!({ "content": [] }), 422, Some("content")), (json!({ "content": "x" }), 422, Some("content"))]
    {
        let refused = fixture.viewer().post(&path, body).await.expect(status);
        assert_eq!(refused["details"][0]["field"].as_str(), field);
    }
    fixture.viewer().post("/stories/999999/validate", json!({})).await.expect(404);
    fixture.viewer().post(&format!("{path}?draft=1"), json!({})).await.expect(422);
    let broken =
        fixture.send(Caller::Token(&fixture.viewer), "POST", &fixture.path(&path), "application/json", b"{".to_vec()).await;
    broken.expect(400);
    let folder = fixture.folder("Blog", "blog", 0).await;
    assert_eq!(
        fixture.viewer().post(&format!("/stories/{folder}/validate"), json!({})).await.expect(200),
        json!({ "problems": [] })
    );
}

#[tokio::test]
async fn groups_tags_datasources_and_languages_are_looked_up() {
    let fixture = space().await;
    let outer = fixture.create("component_group", json!({ "name": "Outer" })).await;
    let inner = fixture.create("component_group", json!({ "name": "Inner", "parent_id": outer["id"] })).await;
    let tag = json!({ "internal_tag": { "name": "wide", "object_type": "component" } });
    let tag = fixture.admin().post("/internal_tags", tag).await.expect(200)["internal_tag"]["id"].clone();
    fixture
        .create("component", json!({ "name": "grouped", "component_group_uuid": inner["uuid"], "internal_tag_ids": [tag] }))
        .await;
    let source = fixture.create("datasource", json!({ "name": "Colors", "slug": "colors" })).await;
    let path = fixture.path("/datasource_entries");
    let entry = json!({ "datasource_entry": { "name": "Red", "value": "red", "datasource_id": source["id"] } });
    fixture.post(Caller::Token(&fixture.admin), &path, entry).await.expect(201);
    let languages = json!({ "space": { "languages": [{ "code": "de", "name": "German" }] } });
    fixture.put(Caller::Token(&fixture.admin), &fixture.path(""), languages).await.expect(200);
    let list = |kind: &str, attribute: &str, listed: Value| json!({ "type": "bloks", "restrict_components": true, "restrict_type": kind, attribute: listed });
    let schema = json!({
        "groups": list("groups", "component_group_whitelist", json!([outer["uuid"]])),
        "tags": list("tags", "component_tag_whitelist", json!([tag])),
        "color": { "type": "option", "source": "internal", "datasource_slug": "colors" },
        "colors": { "type": "options", "source": "internal", "datasource_slug": "colors" },
        "language": { "type": "option", "source": "internal_languages" },
    });
    fixture.create("component", json!({ "name": "all", "is_root": true, "schema": schema })).await;
    let story = fixture.draft("all", json!({ "content": { "component": "all" } })).await;
    let of = async |content: Value| {
        let answer = fixture.viewer().post(&format!("/stories/{story}/validate"), json!({ "content": content })).await;
        lines(&answer.expect(200)["problems"])
    };
    let right = json!([{ "component": "grouped" }]);
    let good = json!({ "component": "all", "groups": right, "tags": right, "color": "red", "colors": ["red"], "language": "de" });
    assert_eq!(of(good).await, [""; 0]);
    let wrong = json!([{ "component": "teaser" }]);
    let bad = json!({ "component": "all", "groups": wrong, "tags": wrong, "color": "green", "colors": ["red", "blue"], "language": "fr" });
    let expected = [
        "groups/0 componentNotAllowed",
        "tags/0 componentNotAllowed",
        "color unknownOption",
        "colors unknownOption",
        "language unknownOption",
    ];
    assert_eq!(of(bad).await, expected);
}

#[tokio::test]
async fn writes_say_what_is_wrong_when_they_are_asked_and_never_refuse() {
    let fixture = space().await;
    let story = |title: &str, slug: &str| json!({ "name": "A", "slug": slug, "content": page(json!({ "title": title })) });
    let made = fixture.editor().post("/stories?validate=1", json!({ "story": story("", "a") })).await.expect(201);
    assert_eq!(lines(&made["problems"]), ["title blank"]);
    let in_body = fixture.editor().post("/stories", json!({ "story": story("", "b"), "validate": "true" })).await.expect(201);
    assert_eq!(lines(&in_body["problems"]), ["title blank"]);
    let unasked = fixture.editor().post("/stories", json!({ "story": story("", "c") })).await.expect(201);
    assert_eq!(unasked.get("problems"), None);
    let path = format!("/stories/{}", made["story"]["id"]);
    let worse = json!({ "story": { "content": page(json!({ "title": "far too long" })) } });
    let updated = fixture.editor().put(&format!("{path}?validate=1"), worse.clone()).await.expect(200);
    assert_eq!(
        (lines(&updated["problems"]), &updated["story"]["content"]["title"]),
        (vec!["title tooLong".to_owned()], &json!("far too long"))
    );
    let patched = fixture.editor().json("PATCH", &path, json!({ "story": { "name": "B" }, "validate": 1 })).await.expect(200);
    assert_eq!(lines(&patched["problems"]), ["title tooLong"]);
    assert_eq!(fixture.editor().put(&path, worse.clone()).await.expect(200).get("problems"), None);
    let right = json!({ "story": { "content": page(json!({ "title": "Home" })) }, "validate": true });
    assert_eq!(fixture.editor().put(&path, right).await.expect(200)["problems"], json!([]));
    let folder = json!({ "story": { "name": "F", "slug": "f", "is_folder": true }, "validate": 1 });
    assert_eq!(fixture.editor().post("/stories", folder).await.expect(201)["problems"], json!([]));
    // The space publishes what it is told to.
    let published = fixture.editor().put(&path, json!({ "story": worse["story"], "publish": 1, "validate": 1 })).await.expect(200);
    assert_eq!((&published["story"]["published"], lines(&published["problems"])), (&json!(true), vec!["title tooLong".to_owned()]));
    fixture.editor().put(&format!("{path}?validate=maybe"), json!({ "story": {} })).await.expect(422);
    // An autosave brings them as well.
    let saved = json!({ "story": { "content": page(json!({ "title": "" })) } });
    let saved = fixture.editor().put(&format!("{path}?autosave=1&validate=1"), saved).await.expect(200);
    assert_eq!(lines(&saved["problems"]), ["title blank"]);
}
