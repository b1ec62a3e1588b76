//! Stories and folders of the space.

use super::{Caller, Response, SpaceFixture};
use serde_json::{Value, json};

impl SpaceFixture {
    /// Creates a story or folder as editor.
    pub async fn story(&self, story: Value) -> Value {
        self.write("POST", "/stories", json!({ "story": story }), 201).await
    }

    /// Creates a story and publishes it.
    pub async fn published(&self, story: Value) -> Value {
        self.write("POST", "/stories", json!({ "story": story, "publish": 1 }), 201).await
    }

    pub async fn folder(&self, name: &str, slug: &str, parent: i64) -> i64 {
        let folder = json!({ "name": name, "slug": slug, "is_folder": true, "parent_id": parent });
        self.story(folder).await["id"].as_i64().unwrap()
    }

    pub async fn update(&self, id: i64, story: Value) -> Value {
        self.write("PUT", &format!("/stories/{id}"), json!({ "story": story }), 200).await
    }

    /// An action without a body: `publish`, `move?to_folder=1` …
    pub async fn act(&self, method: &str, id: i64, action: &str) -> Value {
        self.write(method, &format!("/stories/{id}/{action}"), json!({}), 200).await
    }

    pub async fn write(&self, method: &str, below: &str, body: Value, status: u16) -> Value {
        let reply = self.editor().json(method, below, body).await;
        reply.expect(status)["story"].clone()
    }

    /// The error of a write.
    pub async fn refused(&self, method: &str, below: &str, body: Value, status: u16) -> Value {
        self.editor().json(method, below, body).await.expect(status)
    }

    /// A story as writes answer it: without the signature of its preview.
    pub async fn read(&self, id: i64) -> Value {
        let mut story = self.viewer().get(&format!("/stories/{id}")).await.expect(200)["story"].clone();
        story.as_object_mut().unwrap().remove("preview_token").unwrap();
        story
    }

    /// The Delivery API with the preview token; `path` may hold a query.
    pub async fn cdn(&self, path: &str) -> Response {
        let joint = if path.contains('?') { '&' } else { '?' };
        self.get(Caller::Anonymous, &format!("/api/v2/cdn/{path}{joint}token={}", self.preview)).await
    }

    pub async fn cv(&self) -> i64 {
        self.cdn("spaces/me").await.expect(200)["space"]["version"].as_i64().unwrap()
    }

    /// The events of the outbox: action, full slug, old full slug.
    pub async fn events(&self) -> Vec<(String, String, Option<String>)> {
        let sql = "select action, full_slug, old_full_slug from story_events where space_id = $1 order by seq";
        let rows = self.database.rows(sql, &[&self.space]).await;
        rows.iter().map(|row| (row.get("action"), row.get("full_slug"), row.get("old_full_slug"))).collect()
    }
}
