//! A space that is written to, with a management token of an administrator of it.

use crate::{
    client::{Client, Target},
    scenario::send,
};
use anyhow::{Context, Result, bail, ensure};
use bytes::Bytes;
use http::{Request, StatusCode, header};
use http_body_util::Full;
use serde_json::{Value, json};

/// A connection that writes to a space.
pub(crate) struct Space {
    client: Client,
    token: String,
    path: String,
    stories: u64,
}

impl Space {
    /// Not connected yet.
    pub(crate) fn new(target: Target, id: u64, token: &str) -> Self {
        Self { client: Client::new(target), token: token.to_owned(), path: format!("/api/v1/spaces/{id}"), stories: 0 }
    }

    /// A request that has to succeed. Returns the body.
    pub(crate) async fn ask(&mut self, method: &str, below: &str, body: &Value) -> Result<Value> {
        let request = send(method.parse()?, &format!("{}{below}", self.path), &self.token, body)?;
        let Ok((status, body)) = self.client.send(request).await else { bail!("the server does not answer") };
        ensure!(status.is_success(), "{method} {below}: {status} {}", String::from_utf8_lossy(&body));
        Ok(serde_json::from_slice(&body)?)
    }

    /// Reads what may be refused.
    pub(crate) async fn get(&mut self, below: &str) -> Result<(StatusCode, Value)> {
        let path = format!("{}{below}", self.path);
        let request =
            Request::get(&path).header(header::AUTHORIZATION, format!("Bearer {}", self.token)).body(Full::<Bytes>::default())?;
        let Ok((status, body)) = self.client.send(request).await else { bail!("the server does not answer") };
        Ok((status, serde_json::from_slice(&body)?))
    }

    /// Registers a webhook for stories that are published. Returns its id.
    pub(crate) async fn webhook(&mut self, url: &str, active: bool) -> Result<Value> {
        let body = json!({ "name": "load", "url": url, "secret": "load", "events": ["story.published"], "active": active });
        let made = self.ask("POST", "/webhooks", &body).await?;
        made.pointer("/webhook/id").cloned().context("the answer names no webhook")
    }

    /// Publishes a new story.
    pub(crate) async fn publish(&mut self) -> Result<()> {
        let slug = format!("load-{}-{}", std::process::id(), self.stories);
        self.stories += 1;
        let story = json!({ "name": slug, "slug": slug, "content": { "component": "page" } });
        self.ask("POST", "/stories", &json!({ "story": story, "publish": 1 })).await.map(drop)
    }
}
