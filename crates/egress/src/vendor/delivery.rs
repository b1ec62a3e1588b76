//! The delivery API: published content, a hundred stories a request, one language at a time.

use super::{Error, Page, Vendor, lines::Asked, list, object, with_query};
use secrecy::{ExposeSecret, SecretString};
use serde_json::Value;

/// Which published stories.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Wanted<'a> {
    /// A page of all of them.
    Page(u64),
    /// Those of these UUIDs, a hundred at most.
    Uuids(&'a [String]),
}

impl Vendor {
    /// Published stories in a language (`default` for the one that has no code), read with a token of the delivery API.
    pub async fn published(&self, token: &SecretString, language: &str, wanted: Wanted<'_>) -> Result<Page, Error> {
        let (page, uuids) = match wanted {
            Wanted::Page(page) => (page.to_string(), None),
            Wanted::Uuids(uuids) => ("1".to_owned(), Some(uuids.join(","))),
        };
        let mut parameters = vec![
            ("token", token.expose_secret()),
            ("version", "published"),
            ("per_page", "100"),
            ("page", &page),
            ("language", language),
        ];
        parameters.extend(uuids.as_deref().map(|uuid| ("by_uuids", uuid)));
        list(self.delivered("/v2/cdn/stories", &parameters).await?, "stories")
    }

    /// Where the file of a private asset can be had for a while. The token is one for assets: it reads nothing else, and no other reads this.
    pub async fn signed_url(&self, token: &SecretString, url: &str) -> Result<String, Error> {
        let parameters = [("token", token.expose_secret()), ("filename", url)];
        let asset = object(self.delivered("/v2/cdn/assets/me", &parameters).await?, "asset")?;
        asset.get("signed_url").and_then(Value::as_str).map(str::to_owned).ok_or(Error::Unreadable)
    }

    /// A GET, when it is its turn.
    async fn delivered(&self, path: &str, parameters: &[(&str, &str)]) -> Result<Asked, Error> {
        let turn = self.delivery.turn().await;
        let answer = self.lines.get(&self.origins.delivery, with_query(path, parameters), None).await;
        self.delivery.done(turn, &answer);
        answer
    }
}
