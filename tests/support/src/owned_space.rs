//! A space of a person at a server that runs as a process of its own.

use crate::{Answer, Person, Response, multipart, server::Server};
use serde_json::{Value, json};
use std::time::Duration;

/// Longer than any test.
const FOR_GOOD: Duration = Duration::from_hours(1);

/// A space of the owner, with tokens.
#[derive(Clone)]
pub struct OwnedSpace {
    browser: reqwest::Client,
    /// The URL of the server.
    origin: String,
    /// The URL of the space in the Management API.
    url: String,
    pub id: i64,
    /// The public delivery token.
    pub public: String,
    /// The preview delivery token.
    pub preview: String,
    /// A management token with every right.
    pub admin: String,
}

impl Person {
    /// A GET whose answer goes on for as long as it likes.
    pub async fn stream(&self, path: &str) -> reqwest::Response {
        self.browser.get(self.url(path)).timeout(FOR_GOOD).send().await.unwrap()
    }

    /// Makes a space.
    pub async fn space(&self) -> OwnedSpace {
        let made = self.post("/api/v1/spaces", &json!({ "name": "Site" })).await.expect(201);
        let id = made["space"]["id"].as_i64().unwrap();
        let token = json!({ "name": "t", "role": "admin" });
        let token = self.post(&format!("/api/v1/spaces/{id}/tokens"), &token).await.expect(201);
        let text = |value: &Value| value.as_str().unwrap().to_owned();
        OwnedSpace {
            browser: self.browser.clone(),
            origin: self.origin.clone(),
            url: self.url(&format!("/api/v1/spaces/{id}")),
            id,
            public: text(&made["tokens"]["public"]),
            preview: text(&made["tokens"]["preview"]),
            admin: text(&token["plaintext"]),
        }
    }
}

impl OwnedSpace {
    /// The same space at another server.
    #[must_use]
    pub fn at(&self, server: &Server) -> Self {
        Self { origin: server.url(""), url: server.url(&format!("/api/v1/spaces/{}", self.id)), ..self.clone() }
    }

    /// A GET of a path of the server, without the management token.
    pub async fn get(&self, path: &str) -> Response {
        self.browser.get(format!("{}{path}", self.origin)).answer().await
    }

    /// A GET below the space.
    pub async fn managed(&self, below: &str) -> Response {
        self.browser.get(format!("{}{below}", self.url)).bearer_auth(&self.admin).answer().await
    }

    /// Uploads a file.
    pub async fn upload(&self, name: &str, bytes: &[u8]) -> Response {
        let (content_type, body) = multipart::form(&[("file", Some(name), bytes)]);
        let request = self.browser.post(format!("{}/assets", self.url)).bearer_auth(&self.admin);
        request.header("content-type", content_type).body(body).answer().await
    }

    /// A POST to the space.
    pub async fn post(&self, below: &str, body: Value) -> Response {
        self.browser.post(format!("{}{below}", self.url)).bearer_auth(&self.admin).json(&body).answer().await
    }

    /// A PUT below the space.
    pub async fn put(&self, below: &str, body: Value) -> Response {
        self.browser.put(format!("{}{below}", self.url)).bearer_auth(&self.admin).json(&body).answer().await
    }

    /// A GET whose answer goes on for as long as it likes.
    pub async fn stream(&self, below: &str) -> reqwest::Response {
        let request = self.browser.get(format!("{}{below}", self.url)).bearer_auth(&self.admin);
        request.timeout(FOR_GOOD).send().await.unwrap()
    }

    /// A DELETE below the space.
    pub async fn delete(&self, below: &str) -> Response {
        self.browser.delete(format!("{}{below}", self.url)).bearer_auth(&self.admin).answer().await
    }

    /// Publishes a new story.
    pub async fn publish(&self, slug: &str) -> Response {
        let story = json!({ "name": slug, "slug": slug, "content": { "component": "page" } });
        self.post("/stories", json!({ "publish": 1, "story": story })).await
    }

    /// The path of a published story.
    pub fn read(&self, slug: &str) -> String {
        format!("/api/v2/cdn/stories/{slug}?token={}", self.public)
    }
}
