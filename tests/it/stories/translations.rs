//! How far a story is translated: missing and outdated fields by language.

use support::prelude::*;

/// A space with two languages, a component whose title and body are translated, and a story of it.
async fn story(fixture: &SpaceFixture) -> i64 {
    let languages =
        json!({ "space": { "languages": [{ "code": "de", "name": "German" }, { "code": "pt-br", "name": "Portuguese" }] } });
    fixture.put(Caller::Owner, &fixture.path(""), languages).await.expect(200);
    let schema = json!({
        "title": { "type": "text", "translatable": true }, "note": { "type": "text" }, "body": { "type": "bloks" },
    });
    fixture.create("component", json!({ "name": "page", "is_root": true, "schema": schema })).await;
    fixture.story(json!({ "name": "A", "slug": "a", "content": content("one", "eins") })).await["id"].as_i64().unwrap()
}

/// The title of a block below the root, and its German translation.
fn content(title: &str, german: &str) -> Value {
    json!({ "_uid": "r", "component": "page", "title": "Root", "title__i18n__de": "Wurzel", "title__i18n__pt_br": "Raiz", "note": "n",
        "body": [{ "_uid": "b", "component": "page", "title": title, "title__i18n__de": german }] })
}

async fn write(fixture: &SpaceFixture, id: i64, how: &str, content: Value) {
    fixture.editor().put(&format!("/stories/{id}?{how}"), json!({ "story": { "content": content } })).await.expect(200);
}

async fn translations(fixture: &SpaceFixture, id: i64) -> Value {
    fixture.viewer().get(&format!("/stories/{id}/translations")).await.expect(200)["translations"].clone()
}

fn expected(german_outdated: bool) -> Value {
    let place = json!({ "field": "body/0/title", "uid": "b" });
    json!([
        { "language": "de", "translatable": 2, "missing": [], "outdated": if german_outdated { json!([place]) } else { json!([]) } },
        { "language": "pt-br", "translatable": 2, "missing": [place], "outdated": [] },
    ])
}

#[tokio::test]
async fn a_translation_is_outdated_by_every_way_to_write_a_draft() {
    let fixture = SpaceFixture::new().await;
    let id = story(&fixture).await;
    assert_eq!(translations(&fixture, id).await, expected(false), "what was made at once is up to date");
    for how in ["autosave=1", "", "publish=1"] {
        write(&fixture, id, how, content("two", "eins")).await;
        assert_eq!(translations(&fixture, id).await, expected(true), "{how}");
        write(&fixture, id, how, content("two", "zwei")).await;
        assert_eq!(translations(&fixture, id).await, expected(false), "{how}");
        write(&fixture, id, how, content("one", "eins")).await;
    }
    fixture.act("POST", id, "publish").await;
    write(&fixture, id, "", content("two", "eins")).await;
    fixture.act("POST", id, "discard_changes").await;
    assert_eq!(translations(&fixture, id).await, expected(false), "back to what was translated");
    write(&fixture, id, "", content("two", "zwei")).await;
    write(&fixture, id, "", content("three", "zwei")).await;
    let versions = fixture.viewer().get(&format!("/stories/{id}/versions")).await.expect(200)["versions"].clone();
    let before = versions[1]["id"].clone();
    fixture.editor().get(&format!("/stories/{id}/restore_with?version={before}")).await.expect(200);
    assert_eq!(translations(&fixture, id).await, expected(false));
}

#[tokio::test]
async fn an_outdated_translation_stays_so_when_its_block_goes_and_comes_back() {
    let fixture = SpaceFixture::new().await;
    let id = story(&fixture).await;
    let only = |title: &str| {
        let mut only = content(title, "eins");
        only.as_object_mut().unwrap().retain(|name, _| !name.contains("__i18n__"));
        only
    };
    write(&fixture, id, "", only("one")).await;
    write(&fixture, id, "", only("two")).await;
    let outdated = async || translations(&fixture, id).await[0]["outdated"].clone();
    assert_eq!(outdated().await, json!([{ "field": "body/0/title", "uid": "b" }]));
    write(&fixture, id, "autosave=1", json!({ "_uid": "r", "component": "page", "body": [] })).await;
    assert_eq!(outdated().await, json!([]), "nothing is translated");
    write(&fixture, id, "autosave=1", json!({ "_uid": "r", "component": "page", "title": "Root", "body": [] })).await;
    write(&fixture, id, "autosave=1", only("two")).await;
    assert_eq!(outdated().await, json!([{ "field": "body/0/title", "uid": "b" }]));
}

#[tokio::test]
async fn what_is_outdated_in_a_story_is_so_in_its_duplicate() {
    let fixture = SpaceFixture::new().await;
    let id = story(&fixture).await;
    write(&fixture, id, "", content("two", "eins")).await;
    let body = json!({ "story": { "slug": "copy" } });
    let copy = fixture.editor().put(&format!("/stories/{id}/duplicate"), body).await.expect(200)["story"]["id"].as_i64().unwrap();
    assert_eq!(translations(&fixture, copy).await, expected(true));
    write(&fixture, copy, "", content("two", "zwei")).await;
    assert_eq!(translations(&fixture, copy).await, expected(false));
    assert_eq!(translations(&fixture, id).await, expected(true), "each has its own");
}

#[tokio::test]
async fn a_translation_that_is_still_right_is_confirmed_without_a_new_revision() {
    let fixture = SpaceFixture::new().await;
    let id = story(&fixture).await;
    write(&fixture, id, "", content("two", "eins")).await;
    let path = format!("/stories/{id}/translations");
    let before = fixture.read(id).await["revision"].clone();
    let confirm = async |body: Value| fixture.editor().put(&path, json!({ "translation": body })).await;
    for (body, field) in [
        (json!({ "fields": ["body/0/title"] }), "language"),
        (json!({ "language": "de" }), "fields"),
        (json!({ "language": "de", "fields": [] }), "fields"),
        (json!({ "language": "fr", "fields": ["body/0/title"] }), "language"),
        (json!({ "language": "[default]", "fields": ["body/0/title"] }), "language"),
    ] {
        assert_eq!(confirm(body.clone()).await.expect(422)["details"][0]["field"], field, "{body}");
    }
    fixture.viewer().put(&path, json!({ "translation": { "language": "de", "fields": ["body/0/title"] } })).await.expect(403);
    let entries = fixture.audit_count().await;
    confirm(json!({ "language": "de", "fields": ["title", "nothing"] })).await.expect(200);
    assert_eq!((translations(&fixture, id).await, fixture.audit_count().await), (expected(true), entries), "nothing to confirm");

    let answer = confirm(json!({ "language": "de", "fields": ["body/0/title"] })).await.expect(200);
    assert_eq!(answer["translations"], expected(false));
    assert_eq!(translations(&fixture, id).await, expected(false));
    assert_eq!(fixture.newest_entry().await, ["story.confirm_translations", "story", "A"]);
    assert_eq!(fixture.read(id).await["revision"], before, "an editor who has the story open goes on");
    write(&fixture, id, "", content("three", "eins")).await;
    assert_eq!(translations(&fixture, id).await, expected(true));
    assert_eq!(fixture.viewer().get("/stories/999/translations").await.status, 404);
}

#[tokio::test]
async fn lists_show_how_far_stories_are_translated() {
    let fixture = SpaceFixture::new().await;
    let id = story(&fixture).await;
    fixture.folder("F", "f", 0).await;
    write(&fixture, id, "", content("two", "eins")).await;
    let plain = fixture.viewer().get("/stories?story_only=1").await.expect(200);
    assert_eq!(plain["stories"][0].get("translations"), None);
    let list = fixture.viewer().get("/stories?with_translations=1&sort_by=slug").await.expect(200);
    let counts = |language: &str, missing: u8, outdated: u8| json!({ "language": language, "translatable": 2, "missing": missing, "outdated": outdated });
    assert_eq!(list["stories"][0]["translations"], json!([counts("de", 0, 1), counts("pt-br", 1, 0)]));
    assert_eq!(list["stories"][1].get("translations"), None, "a folder has nothing to translate");
}
