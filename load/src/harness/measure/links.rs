//! The stories and folders of a space, from the links endpoint of the Delivery API.

use crate::client::{Client, encode, get};
use anyhow::{Context, Result};
use serde_json::Value;

/// The paths of a space.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct Links {
    /// The paths of its stories.
    pub(crate) stories: Vec<String>,
    folders: Vec<String>,
}

impl Links {
    /// The prefixes to list: those of all folders, or none where there is no folder.
    pub(crate) fn folders(self) -> Vec<String> {
        if self.folders.is_empty() { vec![String::new()] } else { self.folders }
    }
}

/// Reads them, in the order of their paths, so that two runs send the same requests.
pub(crate) async fn fetch(client: &mut Client, token: &str, version: &str, prefix: Option<&str>) -> Result<Links> {
    let prefix = prefix.map(|prefix| format!("&starts_with={}", encode(prefix))).unwrap_or_default();
    let uri = format!("/api/v2/cdn/links?version={version}&token={}{prefix}", encode(token));
    read(&client.ask(get(&uri)?).await?)
}

fn read(body: &Value) -> Result<Links> {
    let map = body.get("links").and_then(Value::as_object).context("the answer has no links")?;
    let mut links = Links::default();
    for link in map.values() {
        let slug = link.get("slug").and_then(Value::as_str).context("a link has no slug")?.to_owned();
        if link.get("is_folder") == Some(&Value::Bool(true)) {
            links.folders.push(slug + "/");
        } else {
            links.stories.push(slug);
        }
    }
    links.stories.sort_unstable();
    links.folders.sort_unstable();
    Ok(links)
}

#[cfg(test)]
mod tests {
    use super::{Links, read};
    use serde_json::json;

    #[test]
    fn folders_and_stories_are_told_apart() {
        let links = read(&json!({ "links": {
            "1": { "slug": "b", "is_folder": true },
            "2": { "slug": "b/", "is_folder": false },
            "3": { "slug": "a", "is_folder": false },
        }}));
        assert_eq!(links.unwrap(), Links { stories: vec!["a".into(), "b/".into()], folders: vec!["b/".into()] });
        assert_eq!(Links::default().folders(), [""]);
        assert!(read(&json!({ "error": "no" })).is_err());
    }
}
