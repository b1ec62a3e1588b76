//! The revision of a story: it grows with each change of what GET answers, and a write for a revision that is
//! no more changes nothing.

use support::prelude::*;

/// A story with this slug below a folder (0 for the top). Returns its id.
async fn story(fixture: &SpaceFixture, parent: i64, slug: &str) -> i64 {
    let body = json!({ "story": { "name": slug, "slug": slug, "parent_id": parent, "content": { "component": "page" } } });
    fixture.editor().post("/stories", body).await.expect(201)["story"]["id"].as_i64().unwrap()
}

async fn folder(fixture: &SpaceFixture, slug: &str) -> i64 {
    let body = json!({ "story": { "name": slug, "slug": slug, "is_folder": true } });
    fixture.editor().post("/stories", body).await.expect(201)["story"]["id"].as_i64().unwrap()
}

/// The answer of GET, and its revision, which is the `ETag` too.
async fn read(fixture: &SpaceFixture, id: i64) -> (i64, Value) {
    let answer = fixture.viewer().get(&format!("/stories/{id}")).await;
    let tag = answer.header("etag").to_owned();
    let mut story = answer.expect(200)["story"].clone();
    let revision = story["revision"].as_i64().unwrap();
    assert_eq!(tag, format!("\"{revision}\""));
    // Who wrote it last is told beside it.
    for beside in ["revision", "last_author", "last_author_id"] {
        story.as_object_mut().unwrap().remove(beside).unwrap();
    }
    (revision, story)
}

/// Sends a write with `If-Match`.
async fn write(fixture: &SpaceFixture, method: &str, below: &str, tag: &str, body: Value) -> Response {
    let client = reqwest::Client::builder().no_proxy().build().unwrap();
    let method = Method::from_bytes(method.as_bytes()).unwrap();
    let request = client.request(method, fixture.url(&fixture.path(below))).bearer_auth(&fixture.editor).header("if-match", tag);
    let request = if body.is_null() { request } else { request.json(&body) };
    request.answer().await
}

fn content(text: &str) -> Value {
    json!({ "story": { "content": { "component": "page", "title": text } } })
}

#[tokio::test]
async fn it_grows_with_every_change_of_what_is_shown_and_is_never_used_again() {
    let fixture = SpaceFixture::new().await;
    let above = folder(&fixture, "above").await;
    let id = story(&fixture, above, "home").await;
    let other = story(&fixture, 0, "other").await;
    let editor = fixture.editor();
    let group = read(&fixture, id).await.1["group_id"].clone();
    let mut seen = BTreeSet::from([read(&fixture, id).await.0]);
    let (mut revision, mut shown) = read(&fixture, id).await;
    let languages = json!({ "space": { "languages": [{ "code": "de", "name": "Deutsch" }] } });
    let slugs = json!({ "story": { "translated_slugs_attributes": [{ "lang": "de", "slug": "heim" }] } });
    let folder_slugs = json!({ "story": { "translated_slugs_attributes": [{ "lang": "de", "slug": "oben" }] } });
    let renamed = json!({ "story": { "name": "Higher" } });
    let moved = json!({ "story": { "slug": "higher" } });
    let grouped = json!({ "story": { "group_id": group } });
    let alone = json!({ "story": { "group_id": Uuid::from_u128(7) } });
    let own = format!("/stories/{id}");
    let steps: Vec<(&str, &str, String, Value)> = vec![
        ("a save", "PUT", own.clone(), content("one")),
        ("an autosave", "PUT", format!("{own}?autosave=1"), content("two")),
        ("a publish", "GET", format!("{own}/publish"), json!(null)),
        ("a language of the space", "PUT", String::new(), languages),
        ("a translated slug", "PUT", own.clone(), slugs),
        ("a translated slug above", "PUT", format!("/stories/{above}"), folder_slugs),
        ("a name above", "PUT", format!("/stories/{above}"), renamed),
        ("a slug above", "PUT", format!("/stories/{above}"), moved),
        ("an alternate", "PUT", format!("/stories/{other}"), grouped),
        ("the name of an alternate", "PUT", format!("/stories/{other}"), json!({ "story": { "name": "Another" } })),
        ("the slug of an alternate", "PUT", format!("/stories/{other}"), json!({ "story": { "slug": "another" } })),
        ("an alternate that is published", "GET", format!("/stories/{other}/publish"), json!(null)),
        ("an alternate that is moved", "PUT", format!("/stories/{other}/move?to_folder={above}"), json!(null)),
        ("an alternate that is deleted", "DELETE", format!("/stories/{other}"), json!(null)),
        ("an alternate that comes back", "GET", format!("/stories/{other}/undelete"), json!(null)),
        ("an alternate that leaves", "PUT", format!("/stories/{other}"), alone),
        ("a tag", "POST", "/tags".to_owned(), json!({ "tag": { "name": "red", "story_id": id } })),
        ("another name of a tag", "PUT", "/tags/red".to_owned(), json!({ "tag": { "name": "blue" } })),
        ("a tag that is removed", "DELETE", "/tags/blue".to_owned(), json!(null)),
        ("an unpublish", "GET", format!("{own}/unpublish"), json!(null)),
        ("a move", "PUT", format!("{own}/move?to_folder=0"), json!(null)),
        ("a delete", "DELETE", own.clone(), json!(null)),
        ("an undelete", "GET", format!("{own}/undelete"), json!(null)),
    ];
    for (what, method, below, body) in steps {
        let by = if below.is_empty() { fixture.admin() } else { editor };
        let answer = by.json(method, &below, body).await;
        assert!((200..300).contains(&answer.status), "{what}: {} {}", answer.status, answer.text);
        let (now, answered) = read(&fixture, id).await;
        assert_ne!(answered, shown, "{what} is shown");
        assert!(now > revision && seen.insert(now), "{what}: {revision} -> {now}");
        (revision, shown) = (now, answered);
    }
    // A change of something else leaves it.
    let component = json!({ "component": { "name": "page", "schema": {} } });
    fixture.admin().post("/components", component).await.expect(201);
    assert_eq!(read(&fixture, id).await, (revision, shown));
    // A rename of the component in contents is one of this story.
    let components = fixture.admin().get("/components").await.expect(200)["components"].clone();
    let rename = json!({ "component": { "name": "seite" }, "update_content": true });
    fixture.admin().put(&format!("/components/{}", components[0]["id"]), rename).await.expect(200);
    assert!(read(&fixture, id).await.0 > revision);
}

#[tokio::test]
async fn a_write_says_its_revision_and_lists_say_it_too() {
    let fixture = SpaceFixture::new().await;
    let id = story(&fixture, 0, "home").await;
    let written = fixture.editor().put(&format!("/stories/{id}"), content("one")).await;
    let tag = written.header("etag").to_owned();
    let story = written.expect(200)["story"].clone();
    assert_eq!((tag, story["revision"].as_i64()), (format!("\"{}\"", story["revision"]), Some(read(&fixture, id).await.0)));
    let listed = fixture.viewer().get("/stories").await.expect(200)["stories"][0].clone();
    assert_eq!(listed["revision"], story["revision"]);
    // By a token, which has no person's name.
    let author = json!({ "id": null, "userid": null, "friendly_name": "editor", "avatar": null });
    assert_eq!((&story["last_author"], &listed["last_author"]), (&author, &author));
    let by_person = fixture.put(Caller::Owner, &fixture.path(&format!("/stories/{id}")), content("two")).await.expect(200);
    let person = json!({ "id": 1, "userid": "1", "friendly_name": "A", "avatar": null });
    assert_eq!((&by_person["story"]["last_author"], &by_person["story"]["last_author_id"]), (&person, &json!(1)));
}

#[tokio::test]
async fn a_write_for_a_revision_that_is_no_more_is_told_what_is_and_changes_nothing() {
    let fixture = SpaceFixture::new().await;
    let above = folder(&fixture, "above").await;
    let id = story(&fixture, 0, "home").await;
    let (first, _) = read(&fixture, id).await;
    fixture.put(Caller::Owner, &fixture.path(&format!("/stories/{id}")), content("theirs")).await.expect(200);
    fixture.editor().get(&format!("/stories/{id}/publish")).await.expect(200);
    fixture.put(Caller::Owner, &fixture.path(&format!("/stories/{id}")), content("theirs again")).await.expect(200);
    let version = fixture.editor().get(&format!("/stories/{id}/versions")).await.expect(200)["versions"][0]["id"].clone();
    let (now, shown) = read(&fixture, id).await;
    let tables = ["stories", "editions", "story_versions", "audit_log", "story_events"];
    let before = fixture.every_row(&tables).await;
    let stale = format!("\"{first}\"");
    let own = format!("/stories/{id}");
    let restore = json!({ "model": "stories", "model_id": id });
    for (method, below, body) in [
        ("PUT", own.clone(), content("mine")),
        ("PATCH", own.clone(), content("mine")),
        ("PUT", format!("{own}?autosave=1"), content("mine")),
        ("DELETE", own.clone(), json!(null)),
        ("GET", format!("{own}/publish"), json!(null)),
        ("POST", format!("{own}/publish"), json!(null)),
        ("GET", format!("{own}/publish?lang=[default]"), json!(null)),
        ("GET", format!("{own}/unpublish"), json!(null)),
        ("GET", format!("{own}/discard_changes"), json!(null)),
        ("GET", format!("{own}/restore_with?version={version}"), json!(null)),
        ("PUT", format!("/versions/{version}"), restore),
        ("PUT", format!("{own}/move?to_folder={above}"), json!(null)),
    ] {
        let refused = write(&fixture, method, &below, &stale, body.clone()).await;
        assert_eq!(refused.refusal(), (412, "stale"), "{method} {below}: {}", refused.text);
        assert_eq!(refused.header("etag"), format!("\"{now}\""), "{method} {below}");
        let told = &refused.body;
        assert_eq!((&told["story"]["content"], &told["story"]["revision"]), (&shown["content"], &json!(now)), "{method} {below}");
        assert_eq!((&told["changed_by"]["friendly_name"], &told["changed_at"]), (&json!("A"), &shown["updated_at"]));
        let malformed = write(&fixture, method, &below, &first.to_string(), body).await;
        assert_eq!((malformed.status, &malformed.body["details"][0]["field"]), (400, &json!("If-Match")), "{}", malformed.text);
    }
    // A confirmation as well: the default text may not be the one that the caller has seen.
    let confirmed = json!({ "translation": { "language": "de", "fields": ["title"] } });
    let refused = write(&fixture, "PUT", &format!("{own}/translations"), &stale, confirmed).await;
    assert_eq!(refused.refusal(), (412, "stale"), "{}", refused.text);
    assert_eq!(fixture.every_row(&tables).await, before);
    write(&fixture, "PUT", &own, &format!("\"{first}\", \"{now}\""), content("mine")).await.expect(200);
    let weak = format!("W/\"{}\"", read(&fixture, id).await.0);
    assert_eq!(write(&fixture, "PUT", &own, &weak, content("weak")).await.status, 412);
    write(&fixture, "PUT", &own, "*", content("any")).await.expect(200);
    write(&fixture, "PUT", "/stories/999999", "*", content("none")).await.expect(404);
}

#[tokio::test]
async fn of_fifty_writes_with_one_revision_one_succeeds() {
    let fixture = SpaceFixture::new().await;
    let id = story(&fixture, 0, "home").await;
    let (revision, _) = read(&fixture, id).await;
    let (below, tag) = (format!("/stories/{id}"), format!("\"{revision}\""));
    let texts: Vec<String> = (0..50).map(|number| format!("text {number}")).collect();
    let answers = join_all(texts.iter().map(|text| write(&fixture, "PUT", &below, &tag, content(text)))).await;
    let mut statuses: Vec<u16> = answers.iter().map(|answer| answer.status).collect();
    statuses.sort_unstable();
    assert_eq!(statuses, [&[200][..], &[412; 49]].concat());
}
