//! Rights on datasources: every endpoint with every kind of caller.

use super::{cdn, datasource, entry};
use support::prelude::*;

/// Method, path below the space, status for a viewer and for an editor. Numbers and bodies are ones that
/// change nothing.
fn endpoints() -> Vec<(&'static str, &'static str, Value, u16, u16)> {
    let (source, entry) = (|| json!({ "datasource": { "name": "" } }), || json!({ "datasource_entry": { "name": "" } }));
    vec![
        ("GET", "/datasources", json!({}), 200, 200),
        ("POST", "/datasources", source(), 403, 422),
        ("GET", "/datasources/labels", json!({}), 200, 200),
        ("GET", "/datasources/999999", json!({}), 404, 404),
        ("PUT", "/datasources/labels", source(), 403, 422),
        ("PATCH", "/datasources/labels", source(), 403, 422),
        ("DELETE", "/datasources/999999", json!({}), 403, 404),
        ("GET", "/datasource_entries", json!({}), 200, 200),
        ("POST", "/datasource_entries", entry(), 403, 422),
        ("GET", "/datasource_entries/999999", json!({}), 404, 404),
        ("PUT", "/datasource_entries/999999", entry(), 403, 404),
        ("PATCH", "/datasource_entries/999999", entry(), 403, 404),
        ("DELETE", "/datasource_entries/999999", json!({}), 403, 404),
    ]
}

#[tokio::test]
async fn every_endpoint_asks_every_credential_the_same_questions() {
    let fixture = SpaceFixture::new().await;
    let other = fixture.another_space().await;
    datasource(&fixture, "labels", &["de"]).await;
    let (entries, before) = (fixture.audit_count().await, fixture.viewer().get("/datasources").await.text);
    for (method, path, body, viewer, writer) in endpoints() {
        for (who, caller, status) in [
            ("anonymous", Caller::Anonymous, 401),
            ("garbage", Caller::Token("sbmcp_0000000000000000000000000000000000000000"), 401),
            ("a delivery token", Caller::Token(&fixture.private), 401),
            ("a session of no member", Caller::Other, 404),
            ("an admin of another space", Caller::Token(&other.admin), 404),
            ("viewer", Caller::Token(&fixture.viewer), viewer),
            ("editor", Caller::Raw(&fixture.editor), writer),
            ("admin", Caller::Token(&fixture.admin), writer),
        ] {
            let reply = fixture.json(caller, method, &fixture.path(path), body.clone()).await;
            assert_eq!(reply.status, status, "{who}: {method} {path}: {}", reply.text);
        }
    }
    assert_eq!(
        (fixture.audit_count().await, fixture.viewer().get("/datasources").await.text),
        (entries, before),
        "none of it changed anything"
    );
}

#[tokio::test]
async fn what_another_space_has_does_not_exist() {
    let fixture = SpaceFixture::new().await;
    let other = fixture.another_space().await;
    let admin = Caller::Token(&other.admin);
    let theirs = format!("/api/v1/spaces/{}", other.id);
    let mine = datasource(&fixture, "labels", &["de"]).await;
    let hello = entry(&fixture, &mine, "hello").await;
    let dimension = &mine["dimensions"][0]["id"];

    for path in [format!("datasources/{}", mine["id"]), "datasources/labels".into(), format!("datasource_entries/{hello}")] {
        fixture.get(admin, &format!("{theirs}/{path}")).await.expect(404);
        let body = json!({ "datasource": { "name": "X" }, "datasource_entry": { "name": "X" } });
        fixture.put(admin, &format!("{theirs}/{path}"), body).await.expect(404);
        fixture.delete(admin, &format!("{theirs}/{path}")).await.expect(404);
    }
    for query in [format!("datasource_id={}", mine["id"]), "datasource_slug=labels".into(), format!("dimension={dimension}")] {
        let found = fixture.get(admin, &format!("{theirs}/datasource_entries?{query}")).await.expect(200);
        assert_eq!(found, json!({ "datasource_entries": [] }), "{query}");
    }
    let new = json!({ "datasource_entry": { "name": "x", "datasource_id": mine["id"] } });
    let refused = fixture.post(admin, &format!("{theirs}/datasource_entries"), new).await.expect(422);
    assert_eq!(refused["fields"], json!({ "datasource_id": ["does not exist"] }));

    // The same names are free there, and its dimensions are its own.
    let body = json!({ "datasource": { "name": "labels", "slug": "labels", "dimensions_attributes": [{ "name": "DE", "entry_value": "de" }] } });
    let made = fixture.post(admin, &format!("{theirs}/datasources"), body).await.expect(201)["datasource"].clone();
    let new = json!({ "datasource_entry": { "name": "hello", "datasource_id": made["id"] } });
    let there =
        fixture.post(admin, &format!("{theirs}/datasource_entries"), new).await.expect(201)["datasource_entry"]["id"].clone();
    let value = json!({ "datasource_entry": { "dimension_value": "X" } });
    fixture.put(admin, &format!("{theirs}/datasource_entries/{there}?dimension_id={dimension}"), value).await.expect(422);
    let edit = json!({ "datasource": { "dimensions_attributes": [{ "id": dimension, "_destroy": true }] } });
    fixture.put(admin, &format!("{theirs}/datasources/labels"), edit).await.expect(422);

    let read = cdn(&fixture, "datasource_entries").await.expect(200);
    assert_eq!(read["datasource_entries"].as_array().unwrap().len(), 1);
    assert_eq!(cdn(&fixture, &format!("datasources/{}", made["id"])).await.status, 404);
    assert_eq!(fixture.viewer().get("/datasources/labels").await.expect(200)["datasource"], mine);
}
