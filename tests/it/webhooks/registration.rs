//! Registering, reading, changing and removing webhooks.

use super::{ALL, Caller, SECRET, desk, registration};
use serde_json::{Value, json};

fn members(of: &Value) -> Vec<&str> {
    of.as_object().unwrap().keys().map(String::as_str).collect()
}

#[tokio::test]
async fn a_registration_answers_the_shape_of_the_contract_and_never_the_secret() {
    let desk = desk().await;
    let body = registration("https://ci.example.org/hook", &ALL);
    let made = desk.post(Caller::Token(&desk.admin), &desk.path("/webhooks"), body).await.expect(201);
    let webhook = &made["webhook"];
    assert_eq!(members(webhook), ["id", "name", "url", "events", "active", "space_id", "created_at", "updated_at"]);
    assert_eq!(
        (&webhook["name"], &webhook["url"], &webhook["events"], &webhook["active"], &webhook["space_id"]),
        (&json!("Build"), &json!("https://ci.example.org/hook"), &json!(ALL), &json!(true), &json!(desk.space))
    );
    assert_eq!(desk.newest_entry().await, ["webhook.create", "webhook", "Build"]);

    let id = &webhook["id"];
    let read = desk.get(Caller::Token(&desk.viewer), &desk.path(&format!("/webhooks/{id}"))).await.expect(200);
    assert_eq!(read["webhook"]["health"], json!({ "status": "new", "failures": 0, "next_probe_at": null }));
    let listed = desk.get(Caller::Token(&desk.viewer), &desk.path("/webhooks")).await.expect(200);
    assert_eq!(listed["webhooks"], json!([webhook]));
    assert!(!format!("{made}{read}{listed}").contains(SECRET));
}

#[tokio::test]
async fn a_change_keeps_what_it_does_not_name_and_a_deletion_removes() {
    let desk = desk().await;
    let body = registration("https://ci.example.org/hook", &["story.moved"]);
    let made = desk.post(Caller::Token(&desk.admin), &desk.path("/webhooks"), body).await.expect(201);
    let path = desk.path(&format!("/webhooks/{}", made["webhook"]["id"]));
    let changed =
        desk.json(Caller::Token(&desk.admin), "PATCH", &path, json!({ "name": "New", "active": false })).await.expect(200);
    assert_eq!((&changed["webhook"]["name"], &changed["webhook"]["active"]), (&json!("New"), &json!(false)));
    assert_eq!(
        (&changed["webhook"]["url"], &changed["webhook"]["events"]),
        (&json!("https://ci.example.org/hook"), &json!(["story.moved"]))
    );
    desk.delete(Caller::Token(&desk.admin), &path).await.expect(200);
    assert_eq!(desk.newest_entry().await, ["webhook.delete", "webhook", "New"]);
    desk.get(Caller::Token(&desk.admin), &path).await.expect(404);
    desk.delete(Caller::Token(&desk.admin), &path).await.expect(404);
    desk.put(Caller::Token(&desk.admin), &path, json!({ "name": "X" })).await.expect(404);
}

#[tokio::test]
async fn what_is_wrong_is_named_by_its_field() {
    let desk = desk().await;
    let path = desk.path("/webhooks");
    let refused = desk.post(Caller::Token(&desk.admin), &path, json!({ "name": "N" })).await.expect(422);
    assert_eq!(members(&refused["fields"]), ["url", "events", "secret"]);
    let unknown = registration("https://ci.example.org/hook", &["published"]);
    assert_eq!(members(&desk.post(Caller::Token(&desk.admin), &path, unknown).await.expect(422)["fields"]), ["events"]);
    desk.post(Caller::Token(&desk.admin), &path, json!([])).await.expect(400);
    let query = desk.post(Caller::Token(&desk.admin), &format!("{path}?x=1"), registration("https://a.example.org", &ALL)).await;
    query.expect(422);
}

/// Attack 205: one code for all of them, and nothing is asked of the network.
#[tokio::test]
async fn targets_that_the_guard_refuses_are_refused_with_one_code() {
    let desk = desk().await;
    for url in [
        "http://10.0.0.1/",
        "http://169.254.169.254/latest/meta-data/",
        "http://[::1]:8080/",
        "http://2130706433/",
        "http://0x7f.1/",
        "http://localhost/",
        "http://metadata.google.internal/",
        "http://user:password@ci.example.org/",
        "http://ci.example.org:22/",
        "http://ci.example.org/#fragment",
        &desk.app().url("/hook"),
    ] {
        let body = registration(url, &ALL);
        let refused = desk.post(Caller::Token(&desk.admin), &desk.path("/webhooks"), body).await.expect(422);
        assert_eq!(refused["details"][0]["code"], "blocked_target", "{url}");
        assert_eq!(refused["details"][0]["message"], "may not be called", "{url}");
    }
    let made = desk.post(Caller::Token(&desk.admin), &desk.path("/webhooks"), registration("https://a.example.org", &ALL)).await;
    let path = desk.path(&format!("/webhooks/{}", made.expect(201)["webhook"]["id"]));
    desk.put(Caller::Token(&desk.admin), &path, json!({ "url": "http://10.0.0.1/" })).await.expect(422);
}

/// Attack 207.
#[tokio::test]
async fn a_space_has_a_hundred_webhooks_at_most() {
    let desk = desk().await;
    let path = desk.path("/webhooks");
    for _ in 0..100 {
        desk.post(Caller::Token(&desk.admin), &path, registration("https://a.example.org", &ALL)).await.expect(201);
    }
    desk.post(Caller::Token(&desk.admin), &path, registration("https://a.example.org", &ALL)).await.expect(422);
}
