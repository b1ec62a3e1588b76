//! Autosaves: the draft as it is typed, without a trace in the history of every second.

use support::{
    prelude::*,
    space_fixture::{Session, person},
};

/// A content that differs from others by its title alone.
fn content(text: &str) -> Value {
    json!({ "story": { "content": { "_uid": Uuid::nil(), "component": "page", "title": text } } })
}

/// A story, and its path with the switch of an autosave.
async fn story(fixture: &SpaceFixture) -> (i64, String) {
    let body = json!({ "story": { "name": "Home", "slug": "home", "content": { "component": "page", "title": "first" } } });
    let id = fixture.editor().post("/stories", body).await.expect(201)["story"]["id"].as_i64().unwrap();
    (id, format!("/stories/{id}?autosave=1"))
}

/// The titles of the versions, the newest first, each with its author.
async fn versions(fixture: &SpaceFixture, id: i64) -> Vec<(String, String)> {
    let all = fixture.viewer().get(&format!("/stories/{id}/versions?show_content=1&per_page=100")).await.expect(200);
    let text = |value: &Value| value.as_str().unwrap_or("-").to_owned();
    all["versions"]
        .as_array()
        .unwrap()
        .iter()
        .map(|version| (text(&version["content"]["title"]), text(&version["author"])))
        .collect()
}

#[tokio::test]
async fn it_writes_the_draft_and_nothing_else() {
    let fixture = SpaceFixture::new().await;
    let (id, autosave) = story(&fixture).await;
    fixture.editor().get(&format!("/stories/{id}/publish")).await.expect(200);
    let draft = fixture.url(&format!("/api/v2/cdn/stories/home?version=draft&token={}", fixture.preview));
    let browser = browser();
    assert_eq!(browser.get(&draft).answer().await.expect(200)["story"]["content"]["title"], "first");
    let tables = ["story_versions", "audit_log", "story_events"];
    let before = fixture.every_row(&tables).await;
    let cv = "select cv from space_counters where space_id = 1";
    let cv_before: i64 = fixture.row(cv, &[]).await.get("cv");
    let saved = fixture.editor().put(&autosave, content("typed")).await.expect(200)["story"].clone();
    assert_eq!((&saved["content"]["title"], &saved["unpublished_changes"]), (&json!("typed"), &json!(true)));
    // Draft reads see it at once, though they were cached.
    assert_eq!(browser.get(&draft).answer().await.expect(200)["story"]["content"]["title"], "typed");
    let beside = fixture.beside(&[]).await;
    let draft = beside.url(&format!("/api/v2/cdn/stories/home?version=draft&token={}", fixture.preview));
    assert_eq!(browser.get(&draft).answer().await.expect(200)["story"]["content"]["title"], "typed");
    assert_eq!(fixture.every_row(&tables).await, before);
    assert_eq!(fixture.row(cv, &[]).await.get::<_, i64>("cv"), cv_before);
    let published = fixture.url(&format!("/api/v2/cdn/stories/home?token={}", fixture.public));
    assert_eq!(browser.get(&published).answer().await.expect(200)["story"]["content"]["title"], "first");
    // The name is part of the draft.
    let named = fixture.editor().put(&autosave, json!({ "story": { "name": "Start" } })).await.expect(200);
    assert_eq!(named["story"]["name"], "Start");
}

#[tokio::test]
async fn what_it_may_not_change_is_refused_by_field() {
    let fixture = SpaceFixture::new().await;
    let (id, autosave) = story(&fixture).await;
    let before = fixture.every_row(&["stories", "editions", "story_versions"]).await;
    for (field, value) in [
        ("slug", json!("other")),
        ("position", json!(77)),
        ("is_startpage", json!(true)),
        ("tag_list", json!(["red"])),
        ("path", json!("/elsewhere")),
        ("sort_by_date", json!("2026-01-01")),
        ("meta_data", json!({ "a": 1 })),
        ("default_root", json!("page")),
        ("disable_fe_editor", json!(true)),
        ("pinned", json!(true)),
        ("group_id", json!(Uuid::from_u128(7))),
        ("first_published_at", json!("2020-01-01T00:00:00Z")),
        ("publish_at", json!("2030-01-01T00:00:00Z")),
        ("translated_slugs_attributes", json!([{ "lang": "de", "slug": "heim" }])),
    ] {
        let refused = fixture.editor().put(&autosave, json!({ "story": { field: value } })).await;
        assert_eq!((refused.status, &refused.body["details"][0]["field"]), (422, &json!(field)), "{}", refused.text);
    }
    let published = fixture.editor().put(&format!("{autosave}&publish=1"), content("x")).await;
    assert_eq!((published.status, &published.body["details"][0]["field"]), (422, &json!("publish")), "{}", published.text);
    assert_eq!(fixture.every_row(&["stories", "editions", "story_versions"]).await, before);
    // A whole story that was read, sent back with another content, is an autosave all the same.
    let mut whole = fixture.editor().get(&format!("/stories/{id}")).await.expect(200);
    whole["story"]["content"]["title"] = json!("typed");
    fixture.editor().put(&autosave, whole).await.expect(200);
}

#[tokio::test]
async fn an_hour_of_typing_is_seven_versions_at_most() {
    let fixture = SpaceFixture::new().await;
    let (id, autosave) = story(&fixture).await;
    for second in (0..3600).step_by(20) {
        fixture.clock.advance(SignedDuration::from_secs(20));
        fixture.editor().put(&autosave, content(&format!("after {second}"))).await.expect(200);
    }
    let kept = versions(&fixture, id).await.len();
    assert!((5..=7).contains(&kept), "{kept}");
    fixture.editor().put(&format!("/stories/{id}"), content("saved")).await.expect(200);
    assert_eq!(versions(&fixture, id).await.len(), kept + 1);
}

#[tokio::test]
async fn a_save_is_a_version_of_what_was_typed_unless_the_newest_one_holds_it() {
    let fixture = SpaceFixture::new().await;
    let (id, autosave) = story(&fixture).await;
    let save = format!("/stories/{id}");
    let titles = async || versions(&fixture, id).await.into_iter().map(|(title, _)| title).collect::<Vec<_>>();
    fixture.editor().put(&autosave, content("typed")).await.expect(200);
    fixture.editor().put(&save, content("typed")).await.expect(200);
    assert_eq!(titles().await, ["typed", "first"], "the draft is the last autosave");
    fixture.editor().put(&save, content("typed")).await.expect(200);
    assert_eq!(titles().await, ["typed", "first"], "nothing was edited");
    fixture.editor().put(&autosave, content("back")).await.expect(200);
    fixture.editor().put(&autosave, content("typed")).await.expect(200);
    fixture.editor().put(&save, content("typed")).await.expect(200);
    assert_eq!(titles().await, ["typed", "first"], "the newest version holds it");
}

#[tokio::test]
async fn nothing_that_was_typed_is_replaced_unseen() {
    let fixture = SpaceFixture::new().await;
    let (id, autosave) = story(&fixture).await;
    let save = format!("/stories/{id}");
    fixture.editor().get(&format!("{save}/publish")).await.expect(200);
    let first = fixture.viewer().get(&format!("{save}/versions")).await.expect(200)["versions"][0]["id"].clone();
    let newest = async || versions(&fixture, id).await[0].clone();
    let typed = async |text: &str| {
        fixture.editor().put(&autosave, content(text)).await.expect(200);
    };
    let kept = |title: &str| (title.to_owned(), "editor".to_owned());
    let eve: Session = person(&fixture.app, 11, true).await;
    let joined = "insert into space_members (space_id, user_id, role, role_since, created_at)
                  select $1, id, 'editor', created_at, created_at from users where email = '11@example.com'";
    fixture.execute(joined, &[&fixture.space]).await;

    typed("typed by the editor").await;
    fixture.put(Caller::Session(&eve), &fixture.path(&autosave), content("typed by Eve")).await.expect(200);
    assert_eq!(newest().await, kept("typed by the editor"), "an autosave of another account");
    fixture.put(Caller::Session(&eve), &fixture.path(&save), content("saved by Eve")).await.expect(200);
    let titles: Vec<_> = versions(&fixture, id).await.into_iter().map(|(title, _)| title).collect();
    assert_eq!(titles[..2], ["saved by Eve", "typed by the editor"], "an own autosave that is saved over is no version");

    typed("theirs").await;
    fixture.editor().put(&format!("{save}?keep=1"), content("mine")).await.expect(200);
    assert_eq!(versions(&fixture, id).await[..2], [kept("mine"), kept("theirs")], "keep=1");
    typed("before a restore").await;
    fixture.editor().get(&format!("{save}/restore_with?version={first}")).await.expect(200);
    assert_eq!(versions(&fixture, id).await[1], kept("before a restore"));
    typed("before a discard").await;
    fixture.editor().get(&format!("{save}/discard_changes")).await.expect(200);
    assert_eq!(versions(&fixture, id).await[1], kept("before a discard"));
    let numbers = fixture.viewer().get(&format!("{save}/versions?per_page=100")).await.expect(200);
    let numbers: Vec<i64> =
        numbers["versions"].as_array().unwrap().iter().map(|version| version["number"].as_i64().unwrap()).collect();
    assert_eq!(numbers, (1..=i64::try_from(numbers.len()).unwrap()).rev().collect::<Vec<_>>(), "without a gap");
}
