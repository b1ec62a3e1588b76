//! Whoever was told that a write is done reads nothing older.

use super::{desk, name, publish, read, rename};
use crate::support::desk::{Caller, Desk};
use futures_util::future::{join_all, select};
use serde_json::{Value, json};
use std::pin::pin;

const WRITERS: usize = 4;
const ROUNDS: usize = 250;

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_thousand_publishes_under_load_are_each_shown_by_the_very_next_read() {
    let desk = Desk::new().await;
    let writers = join_all((0..WRITERS).map(|writer| publish_and_read(&desk, writer)));
    let noise = join_all((0..4).map(|_| async {
        loop {
            let list = read(desk.app(), &desk.public, "stories?per_page=100").await;
            assert_eq!(list.status(), 200);
        }
    }));
    select(pin!(writers), pin!(noise)).await;
}

async fn publish_and_read(desk: &Desk, writer: usize) {
    let slug = format!("story-{writer}");
    let story = publish(desk, &slug, "").await;
    for round in 0..ROUNDS {
        let expected = format!("{writer} {round}");
        rename(desk, story, &expected, true).await;
        for path in [format!("stories/{slug}"), format!("stories?by_slugs={slug}"), format!("links?starts_with={slug}")] {
            let body: Value = serde_json::from_str(&read(desk.app(), &desk.public, &path).await.text().await.unwrap()).unwrap();
            let link = body["links"].as_object().and_then(|b| b.values().next());
            let story = [body.get("story"), body["stories"].get(0), link].into_iter().flatten().next().unwrap();
            assert_eq!(story["name"], expected, "{path}, round {round}");
        }
    }
}

#[tokio::test]
async fn a_saved_draft_is_shown_at_once_and_only_to_who_reads_drafts() {
    let desk = Desk::new().await;
    let story = publish(&desk, "s", "").await;
    for round in 0..20 {
        let saved = format!("draft {round}");
        rename(&desk, story, &saved, false).await;
        assert_eq!(name(desk.app(), &desk.preview, "draft").await, saved);
        assert_eq!(name(desk.app(), &desk.public, "published").await, "s");
    }
}

#[tokio::test]
async fn a_revoked_token_and_a_deleted_space_answer_no_more() {
    let desk = Desk::new().await;
    publish(&desk, "s", "").await;
    for token in [&desk.public, &desk.preview, &desk.private] {
        assert_eq!(read(desk.app(), token, "stories/s").await.status(), 200);
    }
    let keys = desk.get(Caller::Token(&desk.admin), &desk.path("/api_keys")).await.expect(200);
    let public = keys["api_keys"].as_array().unwrap().iter().find(|value| value["access"] == "public").unwrap();
    let revoked = desk.delete(Caller::Token(&desk.admin), &desk.path(&format!("/api_keys/{}", public["id"]))).await;
    assert!(revoked.status < 300, "{}", revoked.text);
    assert_eq!(read(desk.app(), &desk.public, "stories/s").await.status(), 401);
    assert_eq!(read(desk.app(), &desk.preview, "stories/s").await.status(), 200);
    let deleted = desk.delete(Caller::Owner, &desk.path("")).await;
    assert!(deleted.status < 300, "{}", deleted.text);
    for token in [&desk.public, &desk.preview, &desk.private] {
        assert_eq!(read(desk.app(), token, "stories/s").await.status(), 401);
    }
}

#[tokio::test]
async fn the_languages_of_a_space_are_followed() {
    let desk = desk(&[]).await;
    publish(&desk, "s", "").await;
    let lang = async || -> Value {
        let body = read(desk.app(), &desk.public, "stories/s?language=de").await.text().await.unwrap();
        serde_json::from_str::<Value>(&body).unwrap()["story"]["lang"].clone()
    };
    assert_eq!(lang().await, "default");
    let languages = json!({ "space": { "languages": [{ "code": "de", "name": "Deutsch" }] } });
    desk.put(Caller::Token(&desk.admin), &desk.path(""), languages).await.expect(200);
    assert_eq!(lang().await, "de");
}
