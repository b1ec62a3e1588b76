//! What Storyblok's management client and command line ask for beside content: people, tags, the history of components, bulk changes of assets, activities.

mod activities;
mod bulk_assets;
mod components;
mod internal_tags;
mod parameters;
mod people;
mod tags;
mod unused_features;
mod webhook_endpoints;

use serde_json::{Value, json};
use support::{
    Response,
    space_fixture::{Caller, SpaceFixture},
};

/// A JSON request with a token of the role; `below` may hold a query.
async fn send(fixture: &SpaceFixture, role: &str, method: &str, below: &str, body: Value) -> Response {
    let token = match role {
        "admin" => &fixture.admin,
        "editor" => &fixture.editor,
        _ => &fixture.viewer,
    };
    if body.is_null() {
        return fixture.send(Caller::Token(token), method, &fixture.path(below), "", Vec::new()).await;
    }
    fixture.json(Caller::Token(token), method, &fixture.path(below), body).await
}

async fn get(fixture: &SpaceFixture, below: &str) -> Response {
    send(fixture, "viewer", "GET", below, Value::Null).await
}

/// A story of the component `page`, published when asked for.
async fn story(fixture: &SpaceFixture, slug: &str, more: Value, publish: bool) -> Value {
    let mut story = json!({ "name": slug, "slug": slug, "content": { "component": "page" } });
    story.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
    let body = json!({ "story": story, "publish": i32::from(publish) });
    send(fixture, "editor", "POST", "/stories", body).await.expect(201)["story"].clone()
}

/// The Delivery API with the preview token.
async fn cdn(fixture: &SpaceFixture, path: &str) -> Value {
    let joint = if path.contains('?') { '&' } else { '?' };
    fixture.get(Caller::Anonymous, &format!("/api/v2/cdn/{path}{joint}token={}", fixture.preview)).await.expect(200)
}

async fn cv(fixture: &SpaceFixture) -> i64 {
    cdn(fixture, "spaces/me").await["space"]["version"].as_i64().unwrap()
}

/// A member of each item of a list.
fn each(items: &Value, member: &str) -> Vec<Value> {
    items.as_array().unwrap().iter().map(|item| item[member].clone()).collect()
}
