//! Stories and folders through the Management API, and what the Delivery API makes of them.

mod access;
mod bodies;
mod delivery;
mod finding;
mod history;
mod languages;
mod links;
mod list;
mod list_parameters;
mod parallel;
mod parameters;
mod place;
mod publishing;
mod publishing_languages;
mod reach;
mod round_trips;
mod trash;

use crate::support::space_fixture::{Caller, SpaceFixture};
use serde_json::{Value, json};
use storage::Executor;

/// A story of the component `page`; `more` adds to it or overrides.
fn page(name: &str, slug: &str, more: Value) -> Value {
    let mut story = json!({ "name": name, "slug": slug, "content": { "component": "page", "title": name } });
    story.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
    story
}

impl SpaceFixture {
    /// Creates a story or folder as editor.
    async fn story(&self, story: Value) -> Value {
        self.write("POST", "/stories", json!({ "story": story }), 201).await
    }

    /// Creates a story and publishes it.
    async fn published(&self, story: Value) -> Value {
        self.write("POST", "/stories", json!({ "story": story, "publish": 1 }), 201).await
    }

    async fn folder(&self, name: &str, slug: &str, parent: i64) -> i64 {
        let folder = json!({ "name": name, "slug": slug, "is_folder": true, "parent_id": parent });
        self.story(folder).await["id"].as_i64().unwrap()
    }

    async fn update(&self, id: i64, story: Value) -> Value {
        self.write("PUT", &format!("/stories/{id}"), json!({ "story": story }), 200).await
    }

    /// An action without a body: `publish`, `move?to_folder=1` …
    async fn act(&self, method: &str, id: i64, action: &str) -> Value {
        self.write(method, &format!("/stories/{id}/{action}"), json!({}), 200).await
    }

    async fn write(&self, method: &str, below: &str, body: Value, status: u16) -> Value {
        let reply = self.json(Caller::Token(&self.editor), method, &self.path(below), body).await;
        reply.expect(status)["story"].clone()
    }

    /// The error of a write.
    async fn refused(&self, method: &str, below: &str, body: Value, status: u16) -> Value {
        self.json(Caller::Token(&self.editor), method, &self.path(below), body).await.expect(status)
    }

    async fn read(&self, id: i64) -> Value {
        self.get(Caller::Token(&self.viewer), &self.path(&format!("/stories/{id}"))).await.expect(200)["story"].clone()
    }

    /// The Delivery API with the preview token; `path` may hold a query.
    async fn cdn(&self, path: &str) -> crate::support::space_fixture::Reply {
        let joint = if path.contains('?') { '&' } else { '?' };
        self.get(Caller::Anonymous, &format!("/api/v2/cdn/{path}{joint}token={}", self.preview)).await
    }

    async fn cv(&self) -> i64 {
        self.cdn("spaces/me").await.expect(200)["space"]["version"].as_i64().unwrap()
    }

    /// The events of the outbox: action, full slug, old full slug.
    async fn events(&self) -> Vec<(String, String, Option<String>)> {
        let session = self.app().database.store.connection("test").await.unwrap();
        let sql = "select action, full_slug, old_full_slug from story_events where space_id = $1 order by seq";
        let rows = session.rows(sql, &[&self.space]).await.unwrap();
        rows.iter().map(|row| (row.get("action"), row.get("full_slug"), row.get("old_full_slug"))).collect()
    }
}

fn id(story: &Value) -> i64 {
    story["id"].as_i64().unwrap()
}

/// A member of each story of a list.
fn each<'a>(body: &'a Value, member: &str) -> Vec<&'a str> {
    body["stories"].as_array().unwrap().iter().map(|story| story[member].as_str().unwrap()).collect()
}
