//! The delivery API: published content, a hundred stories a request, one language at a time.

use super::{Error, Page, Vendor, list, with_query};
use secrecy::{ExposeSecret, SecretString};

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
        parameters.extend(uuids.as_deref().map(|it| ("by_uuids", it)));
        let path = with_query("/v2/cdn/stories", &parameters);
        let turn = self.delivery.turn().await;
        let answer = self.lines.get(&self.origins.delivery, path, None).await;
        self.delivery.done(turn, &answer);
        list(answer?, "stories")
    }
}
