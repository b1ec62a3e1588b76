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

/// How far the first story of the list is translated, as it is listed and as it is told of the story itself.
async fn listed_and_told(fixture: &SpaceFixture, id: i64) -> (Value, Value) {
    let list = fixture.viewer().get("/stories?with_translations=1&story_only=1&sort_by=slug").await.expect(200);
    let told = translations(fixture, id).await;
    let count = |status: &Value, name: &str| status[name].as_array().map(Vec::len);
    let told = told.as_array().unwrap().iter().map(|status| {
        json!({
            "language": status["language"], "translatable": status["translatable"], "missing": count(status, "missing"),
            "outdated": count(status, "outdated"),
        })
    });
    (list["stories"][0]["translations"].clone(), told.collect())
}

#[tokio::test]
async fn what_lists_show_is_kept_when_a_draft_is_written() {
    let fixture = SpaceFixture::new().await;
    let id = story(&fixture).await;
    let kept = async || {
        let sql = "select (schemas_revision = (select max(schemas_revision) from spaces)) and counts <> '[]' from story_translations where story_id = $1";
        fixture.app.rows(sql, &[&id]).await[0].get::<_, bool>(0)
    };
    for (how, title, german) in
        [("autosave=1", "two", "eins"), ("", "two", "zwei"), ("publish=1", "three", ""), ("", "four", "vier")]
    {
        write(&fixture, id, how, content(title, german)).await;
        let (listed, told) = listed_and_told(&fixture, id).await;
        assert_eq!(listed, told, "{how} {title}");
        assert!(kept().await, "{how} {title}");
    }
    // They are read and not counted: what is kept is what is shown.
    fixture.app.sql("update story_translations set counts = jsonb_set(counts, '{0,missing}', '77')").await;
    assert_eq!(listed_and_told(&fixture, id).await.0[0]["missing"], 77);

    // Whatever becomes of a component, they are those of the schemas that there are.
    let component = fixture.viewer().get("/components?search=page").await.expect(200)["components"][0]["id"].clone();
    let path = format!("/components/{component}");
    let versions =
        fixture.viewer().get(&format!("/versions?model=components&model_id={component}")).await.expect(200)["versions"].clone();
    let schema =
        json!({ "title": { "type": "text" }, "note": { "type": "text", "translatable": true }, "body": { "type": "bloks" } });
    let nothing = Value::Null;
    for (method, path, body, translatable) in [
        ("PUT", path.clone(), json!({ "component": { "schema": schema } }), 1),
        ("DELETE", path.clone(), nothing.clone(), 0),
        ("POST", format!("{path}/restore"), nothing.clone(), 1),
        ("PUT", format!("/versions/{}", versions[0]["id"]), json!({ "model": "components", "model_id": component }), 2),
    ] {
        write(&fixture, id, "", content("five", &format!("fünf {translatable} {method}"))).await;
        let answer = fixture.admin().json(method, &path, body).await;
        assert!((200..205).contains(&answer.status), "{method} {path}: {}", answer.body);
        let (listed, told) = listed_and_told(&fixture, id).await;
        assert_eq!((&listed, &listed[0]["translatable"]), (&told, &json!(translatable)), "{method} {path}");
    }
    let languages = json!({ "space": { "languages": [{ "code": "fr", "name": "French" }, { "code": "de", "name": "German" }] } });
    fixture.put(Caller::Owner, &fixture.path(""), languages).await.expect(200);
    let (listed, told) = listed_and_told(&fixture, id).await;
    assert_eq!((&listed, &listed[0]["language"]), (&told, &json!("fr")));
    assert!(!kept().await);
    write(&fixture, id, "", content("six", "sechs")).await;
    assert!(kept().await);
    assert_eq!(listed_and_told(&fixture, id).await, (told.clone(), told));
}
