//! Rounds of publishing and reading: whether the next read after an acknowledged publish returns the new version.

use super::{encode, send};
use crate::client::{Client, Failure};
use anyhow::{Context, Result, ensure};
use bytes::Bytes;
use http::{Method, Request, StatusCode};
use http_body_util::Full;
use serde_json::{Value, json};

/// The story of one connection.
#[derive(Debug)]
pub(crate) struct Rounds {
    /// The path that it is written at.
    story: String,
    token: String,
    /// The path that it is read at.
    shown: String,
    round: u64,
}

impl Rounds {
    /// Creates the story.
    pub(super) async fn begin(client: &mut Client, path: &str, token: &str, reader: &str, connection: usize) -> Result<Self> {
        let slug = format!("fresh-{}-{connection}", std::process::id());
        let made = send(
            Method::POST,
            path,
            token,
            &json!({ "story": { "name": slug, "slug": slug, "content": { "component": "page" } } }),
        )?;
        let (status, body) = client.send(made).await.ok().context("the server does not answer")?;
        ensure!(status == StatusCode::CREATED, "the story {slug} cannot be made: {status} {}", String::from_utf8_lossy(&body));
        let answer: Value = serde_json::from_slice(&body)?;
        let id = answer.pointer("/story/id").and_then(Value::as_i64).context("the answer names no story")?;
        Ok(Self {
            story: format!("{path}/{id}"),
            token: token.to_owned(),
            shown: format!("/api/v2/cdn/stories/{slug}?version=published&token={}", encode(reader)),
            round: 0,
        })
    }

    /// Publishes it under a new name and reads it. Returns the status and the size of the read.
    pub(crate) async fn next(&mut self, client: &mut Client) -> Result<Result<(StatusCode, u64), Failure>> {
        self.round += 1;
        let name = format!("Round {}", self.round);
        let write = send(Method::PUT, &self.story, &self.token, &json!({ "story": { "name": name }, "publish": 1 }))?;
        let read = Request::get(&self.shown).body(Full::<Bytes>::default())?;
        Ok(match client.send(write).await {
            Ok((StatusCode::OK, _)) => client.send(read).await.and_then(|(status, body)| shown(status, &body, &name)),
            Ok((status, body)) => Ok((status, body.len().try_into()?)),
            Err(failure) => Err(failure),
        })
    }
}

fn shown(status: StatusCode, body: &Bytes, name: &str) -> Result<(StatusCode, u64), Failure> {
    let answer: Value = serde_json::from_slice(body).unwrap_or_default();
    let is_new = answer.pointer("/story/name").and_then(Value::as_str) == Some(name);
    if status == StatusCode::OK && !is_new {
        return Err(Failure::Stale);
    }
    Ok((status, u64::try_from(body.len()).unwrap_or(u64::MAX)))
}

#[cfg(test)]
mod tests {
    use super::shown;
    use crate::client::Failure;
    use bytes::Bytes;
    use http::StatusCode;

    #[test]
    fn an_older_name_is_stale_and_a_refusal_is_itself() {
        let body = Bytes::from_static(b"{\"story\":{\"name\":\"Round 1\"}}");
        assert_eq!(shown(StatusCode::OK, &body, "Round 1"), Ok((StatusCode::OK, 28)));
        assert_eq!(shown(StatusCode::OK, &body, "Round 2"), Err(Failure::Stale));
        assert_eq!(shown(StatusCode::NOT_FOUND, &Bytes::new(), "Round 2"), Ok((StatusCode::NOT_FOUND, 0)));
    }
}
