//! The delivery API: published content, a hundred stories a request, one language at a time.

use super::{
    Error, Limits, Member, RECORD, STORY, Vendor, VendorPage,
    http_pool::{Expected, Response},
    list, list_of, object, object_of, with_query,
};
use secrecy::{ExposeSecret, SecretString};
use serde::Deserialize;

/// A selection of published stories.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum StorySelection<'a> {
    /// A page of all stories.
    Page(u64),
    /// The stories with these UUIDs, at most a hundred.
    Uuids(&'a [String]),
}

/// A private asset.
#[derive(Deserialize)]
struct Signed {
    signed_url: String,
}

impl Vendor {
    /// Published stories in a language (`default` for the one that has no code), read with a token of the
    /// delivery API.
    pub async fn published(&self, token: &SecretString, language: &str, wanted: StorySelection<'_>) -> Result<VendorPage, Error> {
        let (page, uuids) = match wanted {
            StorySelection::Page(page) => (page.to_string(), None),
            StorySelection::Uuids(uuids) => ("1".to_owned(), Some(uuids.join(","))),
        };
        let mut parameters = vec![
            ("token", token.expose_secret()),
            ("version", "published"),
            ("per_page", "100"),
            ("page", &page),
            ("language", language),
        ];
        parameters.extend(uuids.as_deref().map(|uuid| ("by_uuids", uuid)));
        list(self.delivered("/v2/cdn/stories", &parameters, (const { &[list_of("stories")] }, STORY)).await?)
    }

    /// A URL that serves the file of a private asset for a while. It needs a token of the kind `asset`, which
    /// reads nothing else.
    pub async fn signed_url(&self, token: &SecretString, url: &str) -> Result<String, Error> {
        let parameters = [("token", token.expose_secret()), ("filename", url)];
        let asset = object(self.delivered("/v2/cdn/assets/me", &parameters, (const { &[object_of("asset")] }, RECORD)).await?)?;
        asset.members::<Signed>().map(|asset| asset.signed_url).ok_or(Error::Unreadable)
    }

    /// A GET, after waiting for the rate limit.
    async fn delivered(
        &self,
        path: &str,
        parameters: &[(&str, &str)],
        (wanted, limits): (&'static [Member], Limits),
    ) -> Result<Response, Error> {
        let sent = self.delivery.acquire().await;
        let expected = Expected { wanted, limits, memory: &self.memory };
        let response = self.pool.get((&self.origins.delivery, with_query(path, parameters)), None, expected).await;
        self.delivery.record(sent, &response);
        response
    }
}
