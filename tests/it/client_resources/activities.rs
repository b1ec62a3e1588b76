//! The audit log in Storyblok's shape, and what differs between versions of a story.

use super::{each, story};
use support::prelude::*;

async fn activities(fixture: &SpaceFixture, query: &str) -> Vec<Value> {
    let listed = fixture.admin().get(&format!("/activities{query}")).await.expect(200);
    each(&listed["activities"], "activity")
}

#[tokio::test]
async fn activities_are_the_audit_log_with_the_people_behind_it() {
    let fixture = SpaceFixture::new().await;
    let made = story(&fixture, "home", json!({}), true).await;
    let reply = fixture.admin().get("/activities?per_page=2").await;
    let total = fixture.audit_count().await.to_string();
    assert_eq!((reply.header("total"), reply.header("per-page")), (total.as_str(), "2"));
    let listed = reply.expect(200)["activities"].clone();
    let newest = &listed[0];
    let keys: Vec<&str> = newest.as_object().unwrap().keys().map(String::as_str).collect();
    assert_eq!(keys, ["activity", "trackable", "user"]);
    let activity = &newest["activity"];
    let keys: Vec<&str> = activity.as_object().unwrap().keys().map(String::as_str).collect();
    assert_eq!(
        keys,
        [
            "id",
            "trackable_id",
            "trackable_type",
            "owner_id",
            "owner_type",
            "key",
            "parameters",
            "recipient_id",
            "recipient_type",
            "created_at",
            "updated_at",
            "space_id"
        ]
    );
    assert_eq!(
        (&activity["trackable_id"], &activity["trackable_type"], &activity["space_id"]),
        (&made["id"], &json!("Story"), &json!(fixture.space))
    );
    assert_eq!(newest["trackable"], json!({ "id": made["id"], "name": "home" }));
    // A token acts for the person who made it.
    assert_eq!(newest["user"], json!({ "id": 1, "userid": "1@example.com", "friendly_name": "A", "active": true }));
    assert_eq!(activity["owner_id"], 1);
    let one = fixture.admin().get(&format!("/activities/{}", activity["id"])).await.expect(200);
    assert_eq!(&one, newest);
    fixture.admin().get("/activities/999999").await.expect(404);
    for role in ["editor", "viewer"] {
        fixture.role(role).get("/activities").await.expect(403);
        fixture.role(role).get("/activities/1").await.expect(403);
    }
    let log = fixture.admin().get("/audit_log?per_page=100").await.expect(200);
    let actions = each(&log["audit_log"], "action");
    let keys: Vec<Value> = activities(&fixture, "?per_page=100").await.iter().map(|a| a["key"].clone()).collect();
    assert_eq!(keys, actions);
}

#[tokio::test]
async fn activities_are_selected_by_type_thing_person_key_and_time() {
    let fixture = SpaceFixture::new().await;
    let made = story(&fixture, "home", json!({}), false).await;
    fixture.create("component", json!({ "name": "hero" })).await;
    fixture.create("component_group", json!({ "name": "Group" })).await;
    let keys = |query: String| {
        let fixture = &fixture;
        async move { activities(fixture, &query).await.iter().map(|a| a["key"].as_str().unwrap().to_owned()).collect::<Vec<_>>() }
    };
    assert_eq!(keys("?types=Component".to_owned()).await, ["component.create"]);
    assert_eq!(keys("?types=Story,ComponentGroup".to_owned()).await.len(), 2);
    assert_eq!(keys("?types=Nothing".to_owned()).await.len(), 0);
    assert_eq!(keys(format!("?types=Story&by_trackable_ids={}", made["id"])).await, ["story.create"]);
    assert_eq!(keys("?key_like=component.".to_owned()).await, ["component.create"]);
    let all = keys("?per_page=100".to_owned()).await.len();
    assert_eq!(keys("?per_page=100&by_owner_ids=1".to_owned()).await.len(), all, "by the owner, and by tokens of the owner");
    assert_eq!(keys("?by_owner_ids=2,3".to_owned()).await.len(), 0);
    assert_eq!(keys("?created_at_lte=2001-01-01".to_owned()).await.len(), 0);
    assert_eq!(keys("?per_page=100&created_at_gte=2001-01-01".to_owned()).await.len(), all);
    for wrong in ["?created_at_gte=soon", "?by_owner_ids=x", "?page=0", "?owner=1"] {
        fixture.admin().get(&format!("/activities{wrong}")).await.expect(422);
    }
    let other = fixture.another_space().await;
    let foreign = format!("/api/v1/spaces/{}/activities?types=Story", other.id);
    assert_eq!(fixture.get(Caller::Token(&other.admin), &foreign).await.expect(200)["activities"], json!([]));
}

#[tokio::test]
async fn a_version_is_compared_with_the_draft() {
    let fixture = SpaceFixture::new().await;
    let content =
        json!({ "component": "page", "_uid": "p", "title": "Old", "body": [{ "component": "x", "_uid": "x", "n": 1 }], "same": 1 });
    let made = story(&fixture, "home", json!({ "name": "Home", "content": content }), true).await;
    let path = format!("/stories/{}", made["id"]);
    let now = json!({ "same": 1, "_uid": "p", "component": "page", "title": "New", "body": [{ "n": 2, "_uid": "x", "component": "x" }], "more": null });
    fixture.editor().put(&path, json!({ "story": { "name": "Start", "content": now } })).await.expect(200);
    let versions = fixture.viewer().get(&format!("{path}/versions")).await.expect(200)["versions"].clone();
    let (newest, oldest) = (&versions[0]["id"], &versions.as_array().unwrap().last().unwrap()["id"]);
    let compared = fixture.viewer().get(&format!("{path}/compare?version={oldest}")).await.expect(200);
    assert_eq!((&compared["story_id"], &compared["version"]["id"]), (&made["id"], oldest));
    assert_eq!((&compared["version"]["content"], &compared["current"]["content"]), (&content, &now));
    let changes: Vec<Value> = compared["changes"].as_array().unwrap().iter().map(|c| json!([c["path"], c["change"]])).collect();
    assert_eq!(
        changes,
        [json!(["name", "changed"]), json!(["title", "changed"]), json!(["body.0.n", "changed"]), json!(["more", "added"])]
    );
    let same = fixture.viewer().get(&format!("{path}/compare?version_v2={newest}")).await.expect(200);
    assert_eq!(same["changes"], json!([]));

    let other = story(&fixture, "other", json!({}), false).await;
    fixture.viewer().get(&format!("/stories/{}/compare?version={oldest}", other["id"])).await.expect(404);
    fixture.viewer().get(&format!("{path}/compare?version=999999")).await.expect(404);
    fixture.viewer().get(&format!("{path}/compare")).await.expect(422);
    fixture.viewer().get(&format!("{path}/compare?version=x")).await.expect(422);
}
