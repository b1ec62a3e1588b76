//! Every way in which an event arises, seen by what a receiver gets.

use super::{fixture, with_webhook};
use support::prelude::*;

/// What came, sorted: action, path, former path.
async fn told(fixture: &SpaceFixture, receiver: &Receiver, webhook: i64, count: usize) -> Vec<(String, String, Value)> {
    fixture.until(webhook, "delivered", count).await;
    let text = |value: &Value| value.as_str().unwrap().to_owned();
    let of = |value: Value| (text(&value["action"]), text(&value["full_slug"]), value["old_full_slug"].clone());
    let mut all: Vec<_> = receiver.so_far().iter().map(|s| of(s.json())).collect();
    all.sort_by(|one, other| (&one.0, &one.1).cmp(&(&other.0, &other.1)));
    all
}

fn event(action: &str, slug: &str) -> (String, String, Value) {
    (format!("story.{action}"), slug.to_owned(), Value::Null)
}

fn moved(from: &str, to: &str) -> (String, String, Value) {
    ("story.moved".to_owned(), to.to_owned(), json!(from))
}

async fn story(fixture: &SpaceFixture, slug: &str, parent: i64) -> i64 {
    let story = json!({ "name": slug, "slug": slug, "parent_id": parent, "content": { "component": "page" } });
    fixture.act_on("POST", "/stories", json!({ "story": story }), 201).await["id"].as_i64().unwrap()
}

async fn folder(fixture: &SpaceFixture, slug: &str) -> i64 {
    let folder = json!({ "name": slug, "slug": slug, "is_folder": true });
    fixture.act_on("POST", "/stories", json!({ "story": folder }), 201).await["id"].as_i64().unwrap()
}

#[tokio::test]
async fn a_publish_by_action_by_flag_on_creation_and_by_flag_on_update() {
    let (fixture, receiver, webhook) = with_webhook().await;
    let by_action = story(&fixture, "action", 0).await;
    fixture.act_on("POST", &format!("/stories/{by_action}/publish"), json!({}), 200).await;
    fixture.publish("created").await;
    let by_update = story(&fixture, "updated", 0).await;
    fixture.act_on("PUT", &format!("/stories/{by_update}"), json!({ "story": { "name": "New" }, "publish": 1 }), 200).await;
    let all = told(&fixture, &receiver, webhook, 3).await;
    assert_eq!(all, [event("published", "action"), event("published", "created"), event("published", "updated")]);
}

#[tokio::test]
async fn an_unpublish_is_told_and_a_draft_is_not() {
    let (fixture, receiver) = (fixture().await, Receiver::start().await);
    let webhook = fixture.webhook_for(&receiver, &["story.unpublished"]).await;
    let id = fixture.publish("a").await;
    fixture.act_on("PUT", &format!("/stories/{id}"), json!({ "story": { "name": "Draft" } }), 200).await;
    fixture.act_on("POST", &format!("/stories/{id}/unpublish"), json!({}), 200).await;
    assert_eq!(told(&fixture, &receiver, webhook, 1).await, [event("unpublished", "a")]);
}

#[tokio::test]
async fn a_deletion_tells_of_every_story_below() {
    let (fixture, receiver) = (fixture().await, Receiver::start().await);
    let webhook = fixture.webhook_for(&receiver, &["story.deleted"]).await;
    let parent = folder(&fixture, "f").await;
    story(&fixture, "a", parent).await;
    story(&fixture, "b", parent).await;
    fixture.editor().delete(&format!("/stories/{parent}")).await.expect(200);
    let all = told(&fixture, &receiver, webhook, 3).await;
    assert_eq!(all, [event("deleted", "f"), event("deleted", "f/a"), event("deleted", "f/b")]);
}

#[tokio::test]
async fn a_move_or_a_new_name_of_a_folder_tells_of_every_story_below() {
    let (fixture, receiver) = (fixture().await, Receiver::start().await);
    let webhook = fixture.webhook_for(&receiver, &["story.moved"]).await;
    let (parent, elsewhere) = (folder(&fixture, "f").await, folder(&fixture, "g").await);
    story(&fixture, "a", parent).await;
    fixture.act_on("PUT", &format!("/stories/{parent}"), json!({ "story": { "slug": "h" } }), 200).await;
    assert_eq!(told(&fixture, &receiver, webhook, 2).await, [moved("f", "h"), moved("f/a", "h/a")]);
    fixture.act_on("PUT", &format!("/stories/{parent}/move?to_folder={elsewhere}"), json!({}), 200).await;
    let all = told(&fixture, &receiver, webhook, 4).await;
    assert_eq!(all[..2], [moved("h", "g/h"), moved("h/a", "g/h/a")]);
}
