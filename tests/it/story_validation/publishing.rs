//! `publish_requires_valid`: a story with errors is not published, on any way.

use super::{draft, lines, page, space, strict_space};
use support::prelude::*;

#[tokio::test]
async fn the_setting_is_a_member_of_the_space() {
    let fixture = space().await;
    let read = async || fixture.viewer().get("").await.expect(200)["space"]["publish_requires_valid"].clone();
    let write = async |value: Value| {
        let body = json!({ "space": { "publish_requires_valid": value } });
        fixture.put(Caller::Token(&fixture.admin), &fixture.path(""), body).await
    };
    assert_eq!(read().await, false);
    for (value, after) in [(json!(true), true), (Value::Null, true), (json!("0"), false), (json!(1), true), (json!(false), false)] {
        let answer = write(value.clone()).await.expect(200);
        assert_eq!(
            (&answer["space"]["publish_requires_valid"], answer.get("warnings"), read().await),
            (&json!(after), None, json!(after)),
            "{value}"
        );
    }
    write(json!("maybe")).await.expect(422);
    assert_eq!(read().await, false);
    let log = fixture.admin().get("/audit_log?types=space.update&per_page=1").await.expect(200);
    assert_eq!(log["audit_log"][0]["meta"]["changed"], json!(["publish_requires_valid"]));
    let body = json!({ "name": "Strict", "publish_requires_valid": true });
    let made = fixture.post(Caller::Owner, "/api/v1/spaces", body).await.expect(201);
    let path = format!("/api/v1/spaces/{}", made["space"]["id"]);
    assert_eq!(fixture.get(Caller::Owner, &path).await.expect(200)["space"]["publish_requires_valid"], true);
}

#[tokio::test]
async fn no_way_of_publishing_takes_an_invalid_story() {
    let fixture = strict_space().await;
    let bad = json!({ "title": "", "stray": 1, "body": [{ "component": "teaser", "_uid": "t", "label": "low" }] });
    let story = draft(&fixture, "bad", bad.clone()).await;
    let tables = ["stories", "editions", "story_versions", "audit_log", "story_events", "space_counters", "story_schedulings"];
    let before = fixture.every_row(&tables).await;
    let new = json!({ "story": { "name": "New", "slug": "new", "content": page(bad.clone()) }, "publish": 1 });
    let changed = json!({ "story": { "name": "Changed", "content": page(bad) }, "publish": 1 });
    let one_language = json!({ "story": { "name": "Changed" }, "publish": 1, "lang": "[default]" });
    let mut refused = Vec::new();
    for (method, path, body) in [
        ("GET", format!("/stories/{story}/publish"), Value::Null),
        ("POST", format!("/stories/{story}/publish"), json!({})),
        ("PUT", format!("/stories/{story}/publish?lang=%5Bdefault%5D"), json!({})),
        ("POST", "/stories".to_owned(), new.clone()),
        ("POST", "/stories?lang=%5Bdefault%5D".to_owned(), new),
        ("PUT", format!("/stories/{story}"), changed.clone()),
        ("PATCH", format!("/stories/{story}?validate=1"), changed),
        ("PUT", format!("/stories/{story}"), one_language),
    ] {
        refused.push(fixture.editor().json(method, &path, body.clone()).await.expect(422));
        // A signed-in member gets no further.
        refused.push(fixture.json(Caller::Owner, method, &fixture.path(&path), body).await.expect(422));
    }
    for error in refused {
        assert_eq!(
            (&error["error"], lines(&error["details"])),
            (
                &json!("validation"),
                vec!["body/0/label patternMismatch".to_owned(), "title blank".to_owned(), "stray unknownField".to_owned()]
            ),
            "errors first"
        );
        assert_eq!(
            error["details"][1],
            json!({ "field": "title", "uid": "root", "code": "blank", "message": "can't be blank", "severity": "error" })
        );
        assert!(
            error["message"]
                .as_str()
                .unwrap()
                .starts_with("The story is not valid and was not published: 2 fields have to be corrected")
        );
    }
    assert_eq!(fixture.every_row(&tables).await, before, "nothing was changed");
}

#[tokio::test]
async fn warnings_publish_and_so_does_what_was_corrected() {
    let fixture = strict_space().await;
    let story = draft(&fixture, "a", json!({ "title": "A", "stray": 1, "author": uuid::Uuid::nil() })).await;
    fixture.act("GET", story, "publish").await;
    assert_eq!(fixture.read(story).await["published"], true);
    // The draft may become invalid, and then it may not replace what is published.
    fixture.update(story, json!({ "content": page(json!({ "title": "" })) })).await;
    fixture.editor().post(&format!("/stories/{story}/publish"), json!({})).await.expect(422);
    assert_eq!(fixture.cdn("stories/a?version=published").await.expect(200)["story"]["content"]["title"], "A");
    let right = json!({ "story": { "content": page(json!({ "title": "B" })) }, "publish": 1 });
    fixture.editor().put(&format!("/stories/{story}"), right).await.expect(200);
    assert_eq!(fixture.cdn("stories/a?version=published").await.expect(200)["story"]["content"]["title"], "B");
    // What goes offline or is a folder is not asked.
    fixture.update(story, json!({ "content": page(json!({ "title": "" })) })).await;
    fixture.act("GET", story, "unpublish").await;
    let folder = fixture.folder("F", "f", 0).await;
    fixture.act("GET", folder, "publish").await;
}

/// Of a publish in one language what counts is what would go live.
#[tokio::test]
async fn a_language_is_published_when_what_goes_live_is_valid() {
    let fixture = strict_space().await;
    let languages = json!({ "space": { "languages": [{ "code": "de", "name": "German" }] } });
    fixture.put(Caller::Token(&fixture.admin), &fixture.path(""), languages).await.expect(200);
    let story = draft(&fixture, "a", json!({ "title": "A" })).await;
    fixture.act("GET", story, "publish").await;
    fixture.update(story, json!({ "content": page(json!({ "title": "", "title__i18n__de": "B" })) })).await;
    fixture.act("GET", story, "publish?lang=de").await;
    assert_eq!(fixture.cdn("stories/a?version=published&language=de").await.expect(200)["story"]["content"]["title"], "B");
    fixture.update(story, json!({ "content": page(json!({ "title": "", "title__i18n__de": "far too long" })) })).await;
    let refused = fixture.editor().post(&format!("/stories/{story}/publish?lang=de"), json!({})).await.expect(422);
    assert_eq!(lines(&refused["details"]), ["title__i18n__de tooLong"]);
}
