//! Registering, reading, changing and removing webhooks.

use super::{ALL, SECRET, fixture, registration};
use support::prelude::*;

fn members(of: &Value) -> Vec<&str> {
    of.as_object().unwrap().keys().map(String::as_str).collect()
}

#[tokio::test]
async fn a_registration_answers_the_shape_of_the_contract_and_never_the_secret() {
    let fixture = fixture().await;
    let body = registration("https://ci.example.org/hook", &ALL);
    let made = fixture.admin().post("/webhooks", body).await.expect(201);
    let webhook = &made["webhook"];
    assert_eq!(members(webhook), ["id", "name", "url", "events", "active", "space_id", "created_at", "updated_at"]);
    assert_eq!(
        (&webhook["name"], &webhook["url"], &webhook["events"], &webhook["active"], &webhook["space_id"]),
        (&json!("Build"), &json!("https://ci.example.org/hook"), &json!(ALL), &json!(true), &json!(fixture.space))
    );
    assert_eq!(fixture.newest_entry().await, ["webhook.create", "webhook", "Build"]);

    let id = &webhook["id"];
    let read = fixture.admin().get(&format!("/webhooks/{id}")).await.expect(200);
    assert_eq!(read["webhook"]["health"], json!({ "status": "new", "failures": 0, "next_probe_at": null }));
    let listed = fixture.admin().get("/webhooks").await.expect(200);
    assert_eq!(listed["webhooks"], json!([webhook]));
    assert!(!format!("{made}{read}{listed}").contains(SECRET));
}

/// The URL of a chat service's hook is a secret.
#[tokio::test]
async fn path_and_query_are_shown_to_admins_alone() {
    let fixture = fixture().await;
    let url = "https://hooks.example.org:8443/services/T0/B0?key=secret";
    let made = fixture.admin().post("/webhooks", registration(url, &ALL)).await.expect(201);
    let one = fixture.path(&format!("/webhooks/{}", made["webhook"]["id"]));
    let shown = async |token: &str| {
        let read = fixture.get(Caller::Token(token), &one).await.expect(200)["webhook"]["url"].clone();
        let listed = fixture.get(Caller::Token(token), &fixture.path("/webhooks")).await.expect(200)["webhooks"][0]["url"].clone();
        assert_eq!(read, listed);
        read
    };
    assert_eq!((made["webhook"]["url"].as_str(), shown(&fixture.admin).await), (Some(url), json!(url)));
    for token in [&fixture.editor, &fixture.viewer] {
        assert_eq!(shown(token).await, "https://hooks.example.org:8443/***");
    }
}

#[tokio::test]
async fn a_change_keeps_what_it_does_not_name_and_a_deletion_removes() {
    let fixture = fixture().await;
    let body = registration("https://ci.example.org/hook", &["story.moved"]);
    let made = fixture.admin().post("/webhooks", body).await.expect(201);
    let path = fixture.path(&format!("/webhooks/{}", made["webhook"]["id"]));
    let changed =
        fixture.json(Caller::Token(&fixture.admin), "PATCH", &path, json!({ "name": "New", "active": false })).await.expect(200);
    assert_eq!((&changed["webhook"]["name"], &changed["webhook"]["active"]), (&json!("New"), &json!(false)));
    assert_eq!(
        (&changed["webhook"]["url"], &changed["webhook"]["events"]),
        (&json!("https://ci.example.org/hook"), &json!(["story.moved"]))
    );
    fixture.delete(Caller::Token(&fixture.admin), &path).await.expect(200);
    assert_eq!(fixture.newest_entry().await, ["webhook.delete", "webhook", "New"]);
    fixture.get(Caller::Token(&fixture.admin), &path).await.expect(404);
    fixture.delete(Caller::Token(&fixture.admin), &path).await.expect(404);
    fixture.put(Caller::Token(&fixture.admin), &path, json!({ "name": "X" })).await.expect(404);
}

#[tokio::test]
async fn what_is_wrong_is_named_by_its_field() {
    let fixture = fixture().await;
    let path = fixture.path("/webhooks");
    let refused = fixture.post(Caller::Token(&fixture.admin), &path, json!({ "name": "N" })).await.expect(422);
    assert_eq!(members(&refused["fields"]), ["url", "events", "secret"]);
    let unknown = registration("https://ci.example.org/hook", &["published"]);
    assert_eq!(members(&fixture.post(Caller::Token(&fixture.admin), &path, unknown).await.expect(422)["fields"]), ["events"]);
    fixture.post(Caller::Token(&fixture.admin), &path, json!([])).await.expect(400);
    let query =
        fixture.post(Caller::Token(&fixture.admin), &format!("{path}?x=1"), registration("https://a.example.org", &ALL)).await;
    query.expect(422);
}

/// One code for all of them, and no name is resolved, so the answer tells nothing about the network.
#[tokio::test]
async fn targets_that_the_guard_refuses_are_refused_with_one_code_and_what_the_url_shows() {
    let fixture = fixture().await;
    let (address, spelling, name, parts) = ("address", "as they are read", "reserved", "no user name");
    for (url, said) in [
        ("http://10.0.0.1/", address),
        ("http://169.254.169.254/latest/meta-data/", address),
        ("http://[::1]:8080/", address),
        ("http://2130706433/", spelling),
        ("http://0x7f.1/", spelling),
        ("http://localhost/", name),
        ("http://metadata.google.internal/", name),
        ("http://user:password@ci.example.org/", parts),
        ("http://ci.example.org/#fragment", parts),
        ("http://ci.example.org:22/", "port"),
        ("ftp://ci.example.org/", "https:// or http://"),
        ("javascript:alert(1)", "https:// or http://"),
        ("ci.example.org", "absolute URL"),
        ("https://", "absolute URL"),
        ("https:///hook", "absolute URL"),
        ("https://a b.example.org/", "without spaces"),
        ("https://ci.example.org\\hook", "without spaces"),
        (fixture.url("/hook").as_str(), ""),
    ] {
        let body = registration(url, &ALL);
        let refused = fixture.admin().post("/webhooks", body).await.expect(422);
        assert_eq!(refused["details"][0]["code"], "blocked_target", "{url}");
        assert!(refused["details"][0]["message"].as_str().unwrap().contains(said), "{url}: {refused}");
    }
    let made = fixture.admin().post("/webhooks", registration("https://a.example.org", &ALL)).await;
    let path = fixture.path(&format!("/webhooks/{}", made.expect(201)["webhook"]["id"]));
    fixture.put(Caller::Token(&fixture.admin), &path, json!({ "url": "http://10.0.0.1/" })).await.expect(422);
}

#[tokio::test]
async fn a_space_has_a_hundred_webhooks_at_most() {
    let fixture = fixture().await;
    let path = fixture.path("/webhooks");
    for _ in 0..100 {
        fixture.post(Caller::Token(&fixture.admin), &path, registration("https://a.example.org", &ALL)).await.expect(201);
    }
    fixture.post(Caller::Token(&fixture.admin), &path, registration("https://a.example.org", &ALL)).await.expect(422);
}
