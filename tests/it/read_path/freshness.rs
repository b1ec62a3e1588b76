//! A client that was told that its write is done reads nothing older.

use super::{fixture, name, publish, read, rename};
use futures_util::future::select;
use std::pin::pin;
use support::prelude::*;

const WRITERS: usize = 4;
const ROUNDS: usize = 250;

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_thousand_publishes_under_load_are_each_shown_by_the_very_next_read() {
    let fixture = SpaceFixture::new().await;
    let writers = join_all((0..WRITERS).map(|writer| publish_and_read(&fixture, writer)));
    let noise = join_all((0..4).map(|_| async {
        loop {
            let list = read(&fixture.app, &fixture.public, "stories?per_page=100").await;
            assert_eq!(list.status(), 200);
        }
    }));
    select(pin!(writers), pin!(noise)).await;
}

async fn publish_and_read(fixture: &SpaceFixture, writer: usize) {
    let slug = format!("story-{writer}");
    let story = publish(fixture, &slug, "").await;
    for round in 0..ROUNDS {
        let expected = format!("{writer} {round}");
        rename(fixture, story, &expected, true).await;
        for path in [format!("stories/{slug}"), format!("stories?by_slugs={slug}"), format!("links?starts_with={slug}")] {
            let body: Value =
                serde_json::from_str(&read(&fixture.app, &fixture.public, &path).await.text().await.unwrap()).unwrap();
            let link = body["links"].as_object().and_then(|b| b.values().next());
            let story = [body.get("story"), body["stories"].get(0), link].into_iter().flatten().next().unwrap();
            assert_eq!(story["name"], expected, "{path}, round {round}");
        }
    }
}

#[tokio::test]
async fn a_saved_draft_is_served_at_once_and_only_as_a_draft() {
    let fixture = SpaceFixture::new().await;
    let story = publish(&fixture, "s", "").await;
    for round in 0..20 {
        let saved = format!("draft {round}");
        rename(&fixture, story, &saved, false).await;
        assert_eq!(name(&fixture.app, &fixture.preview, "draft").await, saved);
        assert_eq!(name(&fixture.app, &fixture.public, "published").await, "s");
    }
}

#[tokio::test]
async fn a_revoked_token_and_a_deleted_space_answer_no_more() {
    let fixture = SpaceFixture::new().await;
    publish(&fixture, "s", "").await;
    for token in [&fixture.public, &fixture.preview, &fixture.private] {
        assert_eq!(read(&fixture.app, token, "stories/s").await.status(), 200);
    }
    let keys = fixture.admin().get("/api_keys").await.expect(200);
    let public = keys["api_keys"].as_array().unwrap().iter().find(|value| value["access"] == "public").unwrap();
    let revoked = fixture.admin().delete(&format!("/api_keys/{}", public["id"])).await;
    assert!(revoked.status < 300, "{}", revoked.text);
    assert_eq!(read(&fixture.app, &fixture.public, "stories/s").await.status(), 401);
    assert_eq!(read(&fixture.app, &fixture.preview, "stories/s").await.status(), 200);
    let deleted = fixture.delete(Caller::Owner, &fixture.path("")).await;
    assert!(deleted.status < 300, "{}", deleted.text);
    for token in [&fixture.public, &fixture.preview, &fixture.private] {
        assert_eq!(read(&fixture.app, token, "stories/s").await.status(), 401);
    }
}

#[tokio::test]
async fn the_languages_of_a_space_are_followed() {
    let fixture = fixture(&[]).await;
    publish(&fixture, "s", "").await;
    let lang = async || -> Value {
        let body = read(&fixture.app, &fixture.public, "stories/s?language=de").await.text().await.unwrap();
        serde_json::from_str::<Value>(&body).unwrap()["story"]["lang"].clone()
    };
    assert_eq!(lang().await, "default");
    let languages = json!({ "space": { "languages": [{ "code": "de", "name": "Deutsch" }] } });
    fixture.admin().put("", languages).await.expect(200);
    assert_eq!(lang().await, "de");
}
