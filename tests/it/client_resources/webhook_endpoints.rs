//! Webhooks under Storyblok's names.

use super::story;
use support::prelude::*;

fn endpoint(more: Value) -> Value {
    let mut endpoint = json!({ "name": "Build", "endpoint": "https://ci.example.org/h", "actions": ["story.published"] });
    endpoint.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
    json!({ "webhook_endpoint": endpoint })
}

async fn made(fixture: &SpaceFixture, more: Value) -> Value {
    fixture.admin().post("/webhook_endpoints", endpoint(more)).await.expect(201)["webhook_endpoint"].clone()
}

#[tokio::test]
async fn an_endpoint_is_a_webhook_in_another_shape() {
    let fixture = SpaceFixture::new().await;
    let one = made(&fixture, json!({ "secret": "hidden-secret", "description": "Builds the site", "activated": false })).await;
    let keys: Vec<&str> = one.as_object().unwrap().keys().map(String::as_str).collect();
    assert_eq!(
        keys,
        [
            "id",
            "name",
            "description",
            "endpoint",
            "space_id",
            "secret",
            "actions",
            "activated",
            "created_at",
            "updated_at",
            "deleted_at"
        ]
    );
    assert_eq!((&one["description"], &one["activated"], &one["secret"]), (&json!("Builds the site"), &json!(false), &Value::Null));
    assert_eq!(fixture.newest_entry().await, ["webhook.create", "webhook", "Build"]);
    let path = format!("/webhook_endpoints/{}", one["id"]);
    let admin = fixture.admin();
    let as_webhook = admin.get(&format!("/webhooks/{}", one["id"])).await.expect(200);
    assert_eq!((&as_webhook["webhook"]["url"], &as_webhook["webhook"]["active"]), (&one["endpoint"], &json!(false)));

    // What was read can be sent back: nothing changes but what is named.
    let mut back = one.clone();
    back["name"] = json!("Rebuild");
    back["actions"] = json!(["story.published", "story.moved"]);
    let changed = fixture.admin().json("PATCH", &path, json!({ "webhook_endpoint": back })).await.expect(200);
    assert_eq!(
        (&changed["webhook_endpoint"]["name"], &changed["webhook_endpoint"]["description"]),
        (&json!("Rebuild"), &one["description"])
    );
    assert_eq!(fixture.newest_entry().await[0], "webhook.update", "the secret stays");
    let none = fixture.admin().put(&path, json!({ "webhook_endpoint": { "description": null } })).await.expect(200);
    assert_eq!(none["webhook_endpoint"]["description"], Value::Null);
    assert_eq!(fixture.admin().get(&path).await.expect(200), none);
    made(&fixture, json!({})).await;
    let listed = fixture.admin().get("/webhook_endpoints?page=1&per_page=1").await;
    assert_eq!(listed.header("total"), "2");
    assert_eq!(listed.expect(200)["webhook_endpoints"], json!([none["webhook_endpoint"]]));
    assert!(!fixture.every_row(&["webhooks", "receivers", "audit_log"]).await.contains("hidden-secret"));
    fixture.admin().delete(&path).await.expect(200);
    fixture.admin().get(&path).await.expect(404);
    let allowed = fixture.admin().get("/webhook_endpoints/allowed_actions").await.expect(200);
    let named = ["story.published", "story.unpublished", "story.deleted", "story.moved"].map(|action| json!({ "action": action }));
    assert_eq!(allowed["allowed_actions"], json!(named));
}

#[tokio::test]
async fn a_bad_endpoint_is_refused_in_its_own_names() {
    let fixture = SpaceFixture::new().await;
    let one = made(&fixture, json!({})).await;
    let path = format!("/webhook_endpoints/{}", one["id"]);
    let entries = fixture.audit_count().await;
    for (body, field) in [
        (json!({ "name": "" }), "name"),
        (json!({ "endpoint": "" }), "endpoint"),
        (json!({ "endpoint": "http://127.0.0.1/" }), "endpoint"),
        (json!({ "actions": [] }), "actions"),
        (json!({ "actions": ["asset.created"] }), "actions"),
        (json!({ "secret": "x".repeat(600) }), "secret"),
        (json!({ "description": "x".repeat(1001) }), "description"),
    ] {
        let refused = fixture.admin().post("/webhook_endpoints", endpoint(body.clone())).await.expect(422);
        assert!(refused["fields"][field].is_array(), "{refused}");
        let refused = fixture.admin().json("PATCH", &path, json!({ "webhook_endpoint": body })).await.expect(422);
        assert!(refused["fields"][field].is_array(), "{refused}");
    }
    fixture.admin().post("/webhook_endpoints", json!({})).await.expect(422);
    for role in ["editor", "viewer"] {
        for (method, below) in [("GET", "/webhook_endpoints"), ("GET", path.as_str()), ("DELETE", path.as_str())] {
            fixture.role(role).json(method, below, Value::Null).await.expect(403);
        }
        fixture.role(role).post("/webhook_endpoints", endpoint(json!({}))).await.expect(403);
    }
    assert_eq!(fixture.audit_count().await, entries);
}

#[tokio::test]
async fn an_endpoint_without_a_secret_gets_signed_deliveries() {
    let receiver = Receiver::start().await;
    let fixture = SpaceFixture::with_variables(&[("APP_ALLOWED_PRIVATE_TARGETS", "127.0.0.1")]).await;
    made(&fixture, json!({ "endpoint": receiver.url() })).await;
    let published = story(&fixture, "home", json!({}), true).await;
    let got = receiver.got(1).await;
    assert_eq!((&got[0].json()["action"], &got[0].json()["story_id"]), (&json!("story.published"), &published["id"]));
    assert_eq!(got[0].header("x-webhook-signature").len(), 64);
}
