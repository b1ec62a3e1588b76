//! What an update takes and does not do is named beside the story; parameters come in the query and in the
//! body.

use super::{id, page};
use support::prelude::*;

async fn put(fixture: &SpaceFixture, below: &str, body: Value) -> Value {
    fixture.editor().put(below, body).await.expect(200)
}

fn fields(answer: &Value) -> Vec<&str> {
    answer["warnings"].as_array().into_iter().flatten().map(|warning| warning["field"].as_str().unwrap()).collect()
}

#[tokio::test]
async fn features_that_are_not_here_are_named() {
    let fixture = SpaceFixture::new().await;
    let story = id(&fixture.story(page("S", "s", json!({}))).await);
    let path = format!("/stories/{story}");
    for (query, body, named) in [
        ("", json!({ "story": { "name": "A" } }), &[][..]),
        ("?strict_mode=0&ai_translate_language=", json!({ "story": { "name": "A", "base_version_id": null } }), &[]),
        ("?strict_mode=1&ai_translate_language=de", json!({ "story": { "name": "B" } }), &["strict_mode", "ai_translate_language"]),
        ("", json!({ "story": { "base_version_id": 7 }, "strict_mode": "true" }), &["base_version_id", "strict_mode"]),
    ] {
        let answer = put(&fixture, &format!("{path}{query}"), body).await;
        assert_eq!(fields(&answer), named, "{query}");
    }
    assert_eq!(fixture.read(story).await["name"], "B");
    let misspelt = put(&fixture, &path, json!({ "story": { "disble_fe_editor": true } })).await;
    assert_eq!((&misspelt["story"]["disable_fe_editor"], fields(&misspelt).len()), (&json!(true), 0));
}

#[tokio::test]
async fn settings_of_a_space_that_are_not_here_are_named_and_the_others_written() {
    let fixture = SpaceFixture::new().await;
    let admin = fixture.admin();
    let german = json!([{ "code": "de", "name": "German", "ai_translation_code": "de" }]);
    let space = json!({ "name": "N", "options": { "languages": german }, "version": fixture.cv().await, "webhook_token": "t", "routes": null });
    let written = admin.put("", json!({ "space": space })).await.expect(200);
    assert_eq!((&written["space"]["name"], &written["space"]["languages"][0]["code"]), (&json!("N"), &json!("de")));
    assert_eq!(fields(&written), ["webhook_token"]);
    let french = json!([{ "code": "fr", "name": "French" }]);
    let both = json!({ "languages": french, "options": { "languages": german } });
    let written = admin.put("", json!({ "space": both })).await.expect(200);
    assert_eq!(written["space"]["languages"][0]["code"], "fr", "the member itself wins");
    let read = admin.get("").await.expect(200);
    let again = admin.put("", read).await.expect(200);
    assert_eq!(fields(&again), [""; 0], "what was read can be sent back");
    let made = json!({ "space": { "name": "Wrapped", "domain": "https://a.example/", "is_demo": true } });
    let made = fixture.post(Caller::Owner, "/api/v1/spaces?space_type=x", made).await.expect(201);
    assert_eq!((&made["space"]["name"], fields(&made)), (&json!("Wrapped"), vec!["is_demo", "space_type"]));
}

#[tokio::test]
async fn a_story_names_its_space() {
    let fixture = SpaceFixture::new().await;
    let story = fixture.story(page("S", "s", json!({}))).await;
    let listed = fixture.viewer().get("/stories").await.expect(200);
    for shown in [&story, &fixture.read(id(&story)).await, &listed["stories"][0]] {
        assert_eq!(shown["space_id"], fixture.space);
    }
}
