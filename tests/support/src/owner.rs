//! A person with a browser at a server that runs as a process of its own.

use crate::{browser, multipart, server::Server};
use serde_json::{Value, json};
use std::time::Duration;

/// Longer than any test.
const FOR_GOOD: Duration = Duration::from_hours(1);

/// Somebody who has registered and is signed in.
pub struct Owner {
    browser: reqwest::Client,
    url: String,
    email: String,
}

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

impl Owner {
    /// Registers an account and signs in.
    pub async fn new(server: &Server, email: &str) -> Self {
        let owner = Self::of(server, email);
        let account = json!({ "email": email, "password": "correct horse battery", "firstName": "Ann" });
        owner.posted("/api/auth/register", account).await;
        owner.sign_in().await;
        owner
    }

    /// An account without a session.
    pub fn of(server: &Server, email: &str) -> Self {
        Self { browser: browser(), url: server.url(""), email: email.to_owned() }
    }

    /// Signs in.
    pub async fn sign_in(&self) {
        self.posted("/api/auth/login", json!({ "email": self.email, "password": "correct horse battery" })).await;
    }

    /// A GET with the owner's cookies.
    pub async fn get(&self, path: &str) -> Value {
        self.browser.get(format!("{}{path}", self.url)).send().await.unwrap().json().await.unwrap()
    }

    /// A GET with the owner's cookies, whose answer goes on for as long as it likes.
    pub async fn stream(&self, path: &str) -> reqwest::Response {
        self.browser.get(format!("{}{path}", self.url)).timeout(FOR_GOOD).send().await.unwrap()
    }

    /// Opens a link.
    pub async fn visit(&self, path: &str) {
        self.browser.get(format!("{}{path}", self.url)).send().await.unwrap();
    }

    /// A POST that has to succeed.
    pub async fn posted(&self, path: &str, body: Value) -> Value {
        let csrf = self.get("/api/csrf-token").await;
        let request = self.browser.post(format!("{}{path}", self.url)).header("x-csrf-token", csrf["csrfToken"].as_str().unwrap());
        let response = request.json(&body).send().await.unwrap();
        assert!(response.status().is_success(), "{path}: {}", response.status());
        response.json().await.unwrap()
    }

    /// Makes a space.
    pub async fn space(&self) -> OwnedSpace {
        let made = self.posted("/api/v1/spaces", json!({ "name": "Site" })).await;
        let id = made["space"]["id"].as_i64().unwrap();
        let token = self.posted(&format!("/api/v1/spaces/{id}/tokens"), json!({ "name": "t", "role": "admin" })).await;
        let text = |value: &Value| value.as_str().unwrap().to_owned();
        OwnedSpace {
            browser: self.browser.clone(),
            origin: self.url.clone(),
            url: format!("{}/api/v1/spaces/{id}", self.url),
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
    pub async fn get(&self, path: &str) -> reqwest::Response {
        self.browser.get(format!("{}{path}", self.origin)).send().await.unwrap()
    }

    /// A GET below the space.
    pub async fn managed(&self, below: &str) -> reqwest::Response {
        self.browser.get(format!("{}{below}", self.url)).bearer_auth(&self.admin).send().await.unwrap()
    }

    /// Uploads a file.
    pub async fn upload(&self, name: &str, bytes: &[u8]) -> reqwest::Response {
        let (content_type, body) = multipart::form(&[("file", Some(name), bytes)]);
        let request = self.browser.post(format!("{}/assets", self.url)).bearer_auth(&self.admin);
        request.header("content-type", content_type).body(body).send().await.unwrap()
    }

    /// A POST to the space.
    pub async fn post(&self, below: &str, body: Value) -> reqwest::Response {
        self.browser.post(format!("{}{below}", self.url)).bearer_auth(&self.admin).json(&body).send().await.unwrap()
    }

    /// A PUT below the space.
    pub async fn put(&self, below: &str, body: Value) -> reqwest::Response {
        self.browser.put(format!("{}{below}", self.url)).bearer_auth(&self.admin).json(&body).send().await.unwrap()
    }

    /// A GET whose answer goes on for as long as it likes.
    pub async fn stream(&self, below: &str) -> reqwest::Response {
        let request = self.browser.get(format!("{}{below}", self.url)).bearer_auth(&self.admin);
        request.timeout(FOR_GOOD).send().await.unwrap()
    }

    /// A DELETE below the space.
    pub async fn delete(&self, below: &str) -> reqwest::Response {
        self.browser.delete(format!("{}{below}", self.url)).bearer_auth(&self.admin).send().await.unwrap()
    }

    /// Publishes a new story.
    pub async fn publish(&self, slug: &str) -> reqwest::Response {
        let story = json!({ "name": slug, "slug": slug, "content": { "component": "page" } });
        self.post("/stories", json!({ "publish": 1, "story": story })).await
    }

    /// The path of a published story.
    pub fn read(&self, slug: &str) -> String {
        format!("/api/v2/cdn/stories/{slug}?token={}", self.public)
    }
}
