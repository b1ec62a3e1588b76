//! The server as the scenarios prepare it: the account that owns the spaces of the run, the spaces, and the
//! stories in them. Nothing here is recorded.

use super::browser::Browser;
use crate::client::{Client, Target, encode, get, json as send};
use anyhow::{Context, Result, ensure};
use bytes::Bytes;
use http::{Method, Request, StatusCode};
use http_body_util::Full;
use serde_json::{Value, json};
use std::sync::atomic::{AtomicU64, Ordering};

/// How many categories, tags and folders stories are spread over.
pub(crate) const KINDS: u32 = 10;

/// The server.
pub(crate) struct Site {
    pub(crate) target: Target,
    pub(crate) owner: Browser,
    spaces: Vec<Space>,
}

/// A space of the run, with tokens for it.
#[derive(Debug, Clone)]
pub(crate) struct Space {
    pub(crate) id: i64,
    /// Reads what is published.
    pub(crate) public: String,
    pub(crate) preview: String,
    pub(crate) admin: String,
}

/// A story that was written before the run.
#[derive(Debug, Clone)]
pub(crate) struct Story {
    pub(crate) id: i64,
    pub(crate) path: String,
}

impl Site {
    /// Signs in, and registers the account before if need be.
    pub(crate) async fn open(target: Target, email: &str, password: &str) -> Result<Self> {
        let mut owner = Browser::open(&target).await?;
        // Refused where the account is there or registration is closed: signing in shows it.
        owner.post("/api/auth/register", &json!({ "email": email, "password": password, "firstName": "Load" })).await?;
        let (status, body) = owner.post("/api/auth/login", &json!({ "email": email, "password": password })).await?;
        ensure!(status == StatusCode::OK && body.get("user").is_some(), "{email} cannot sign in: {status} {body}");
        owner.renew_csrf().await?;
        Ok(Self { target, owner, spaces: Vec::new() })
    }

    /// Makes a space.
    pub(crate) async fn space(&mut self, name: &str) -> Result<Space> {
        let (status, made) = self.owner.post("/api/v1/spaces", &json!({ "name": format!("Load: {name}") })).await?;
        ensure!(status == StatusCode::CREATED, "no space can be made: {status} {made}");
        let id = made.pointer("/space/id").and_then(Value::as_i64).context("the answer names no space")?;
        let token = |name: &str| made.pointer(&format!("/tokens/{name}")).and_then(Value::as_str).map(str::to_owned);
        let (public, preview) = (token("public").context("no public token")?, token("preview").context("no preview token")?);
        let (status, made) =
            self.owner.post(&format!("/api/v1/spaces/{id}/tokens"), &json!({ "name": "load", "role": "admin" })).await?;
        ensure!(status.is_success(), "no token can be made: {status} {made}");
        let admin = made.get("plaintext").and_then(Value::as_str).context("the answer has no token")?.to_owned();
        let space = Space { id, public, preview, admin };
        self.spaces.push(space.clone());
        Ok(space)
    }

    /// Writes published stories of about 4 KB into folders of a space.
    pub(crate) async fn write_stories(&mut self, space: &Space, count: u32) -> Result<Vec<Story>> {
        let mut folders = Vec::new();
        for number in 0..KINDS.min(count) {
            let slug = format!("folder-{number}");
            folders.push(self.write(space, &json!({ "name": slug, "slug": slug, "is_folder": true }), false).await?);
        }
        let mut stories = Vec::new();
        for number in 0..count {
            let folder = folders.get(number as usize % folders.len().max(1)).context("no folder")?;
            stories.push(self.write(space, &story(&format!("story-{number}"), number, folder.id), true).await?);
        }
        Ok(stories)
    }

    /// A request of the Management API, below a space, which has to succeed.
    pub(crate) async fn ask(&mut self, space: &Space, method: Method, below: &str, body: &Value) -> Result<Value> {
        space.ask(self.owner.client(), method, below, body).await
    }

    /// Writes one story.
    pub(crate) async fn write(&mut self, space: &Space, story: &Value, publish: bool) -> Result<Story> {
        space.write(self.owner.client(), story, publish).await
    }

    /// Deletes the spaces of the run: all that it can. The error is the first one.
    pub(crate) async fn close(mut self) -> Result<()> {
        let mut closed = Ok(());
        for space in std::mem::take(&mut self.spaces) {
            closed = closed.and(self.delete(&space).await);
        }
        closed
    }

    async fn delete(&mut self, space: &Space) -> Result<()> {
        let (status, body) = self.owner.delete(&format!("/api/v1/spaces/{}", space.id)).await?;
        ensure!(status.is_success(), "the space {} cannot be deleted: {status} {body}", space.id);
        Ok(())
    }
}

impl Space {
    /// A request of the Delivery API; the parameters follow `?` in a path that has none yet.
    pub(crate) fn read(&self, path: &str, version: &str) -> Result<Request<Full<Bytes>>> {
        let token = if version == "draft" { &self.preview } else { &self.public };
        let separator = if path.contains('?') { '&' } else { '?' };
        let uri = format!("/api/v2/cdn/{path}{separator}version={version}&token={}", encode(token));
        get(&uri)
    }

    /// A request of the Management API, below the space.
    pub(crate) fn manage(&self, method: Method, below: &str, body: &Value) -> Result<Request<Full<Bytes>>> {
        send(method, &format!("/api/v1/spaces/{}{below}", self.id), &self.admin, body)
    }

    /// The same, which has to succeed.
    pub(crate) async fn ask(&self, client: &mut Client, method: Method, below: &str, body: &Value) -> Result<Value> {
        client.ask(self.manage(method, below, body)?).await
    }

    /// Writes one story.
    pub(crate) async fn write(&self, client: &mut Client, story: &Value, publish: bool) -> Result<Story> {
        let body = if publish { json!({ "story": story, "publish": 1 }) } else { json!({ "story": story }) };
        let made = self.ask(client, Method::POST, "/stories", &body).await?;
        let id = made.pointer("/story/id").and_then(Value::as_i64).context("the answer names no story")?;
        let path = made.pointer("/story/full_slug").and_then(Value::as_str).context("the answer names no path")?.to_owned();
        Ok(Story { id, path })
    }

    /// Registers a webhook for stories that are published. Returns its id.
    pub(crate) async fn webhook(&self, client: &mut Client, url: &str, active: bool) -> Result<Value> {
        let body = json!({ "name": "load", "url": url, "secret": "load", "events": ["story.published"], "active": active });
        let made = self.ask(client, Method::POST, "/webhooks", &body).await;
        let made = made.context("no webhook can be made: does APP_ALLOWED_PRIVATE_TARGETS have 127.0.0.1?")?;
        made.pointer("/webhook/id").cloned().context("the answer names no webhook")
    }

    /// Publishes a new story, which is small.
    pub(crate) async fn publish(&self, client: &mut Client) -> Result<()> {
        static NEXT: AtomicU64 = AtomicU64::new(0);
        let slug = format!("load-{}-{}", std::process::id(), NEXT.fetch_add(1, Ordering::Relaxed));
        self.write(client, &json!({ "name": slug, "slug": slug, "content": { "component": "page" } }), true).await.map(drop)
    }
}

/// A story of about 4 KB, with a category, a price and a tag to be found by.
pub(crate) fn story(slug: &str, number: u32, folder: i64) -> Value {
    json!({
        "name": slug,
        "slug": slug,
        "parent_id": folder,
        "tag_list": [format!("tag-{}", number % KINDS)],
        "content": {
            "component": "page",
            "title": format!("Title {number}"),
            "category": format!("category-{}", number % KINDS),
            "price": number.wrapping_mul(7_919) % 1_009,
            "text": "lorem ipsum dolor sit amet ".repeat(150),
        },
    })
}
