//! Assets and their folders (facts, section 2.10).

use super::{
    mend::{NUMBER, Rule, TEXT},
    plain,
};
use crate::content::asset::{self, MAX_META, MAX_TEXT, Stored, media};
use serde::Deserialize;
use serde_json::Value;
use uuid::Uuid;

/// What the attributes of a folder of assets have to be.
pub(super) const FOLDER_RULES: &[(&str, Rule)] = &[("name", Rule::Text(255)), ("uuid", Rule::Uuid), ("parent_id", NUMBER)];
/// What the attributes of an asset have to be.
pub(super) const RULES: &[(&str, Rule)] = &[
    ("filename", TEXT),
    ("asset_folder_id", NUMBER),
    ("content_length", Rule::Number(0, i64::MAX)),
    ("content_type", TEXT),
    ("alt", Rule::Text(MAX_TEXT)),
    ("title", Rule::Text(MAX_TEXT)),
    ("copyright", Rule::Text(MAX_TEXT)),
    ("source", Rule::Text(MAX_TEXT)),
    ("focus", Rule::Text(MAX_TEXT)),
    ("ext_id", Rule::Text(MAX_TEXT)),
    ("is_private", Rule::Guard),
    ("locked", Rule::Guard),
    ("expire_at", Rule::Time),
    ("publish_at", Rule::Time),
    ("internal_tag_ids", Rule::Numbers(200)),
    ("meta_data", Rule::Object(MAX_META)),
    ("deleted_at", TEXT),
];

/// A folder of assets.
#[derive(Debug, Clone, Deserialize)]
pub struct AssetFolder {
    /// Its number.
    pub id: i64,
    /// Its name.
    #[serde(default, deserialize_with = "plain")]
    pub name: String,
    /// Its UUID.
    #[serde(default, deserialize_with = "plain")]
    pub uuid: Option<Uuid>,
    /// The folder above.
    #[serde(default, deserialize_with = "plain")]
    pub parent_id: Option<i64>,
    /// What was wrong with it, and what was done.
    #[serde(skip)]
    pub odd: Vec<String>,
}

/// An asset.
#[derive(Debug, Clone, Deserialize)]
pub struct Asset {
    /// Its number.
    pub id: i64,
    /// Its URL: the origin's, or the one that content names.
    #[serde(default, deserialize_with = "plain")]
    pub filename: String,
    /// Its folder.
    #[serde(default, deserialize_with = "plain")]
    pub asset_folder_id: Option<i64>,
    /// How many bytes it is said to have.
    #[serde(default, deserialize_with = "plain")]
    pub content_length: Option<u64>,
    /// What it is said to be.
    #[serde(default, deserialize_with = "plain")]
    pub content_type: Option<String>,
    /// For who cannot see it.
    #[serde(default, deserialize_with = "plain")]
    pub alt: Option<String>,
    /// Its title.
    #[serde(default, deserialize_with = "plain")]
    pub title: Option<String>,
    /// Whose it is.
    #[serde(default, deserialize_with = "plain")]
    pub copyright: Option<String>,
    /// Where it is from.
    #[serde(default, deserialize_with = "plain")]
    pub source: Option<String>,
    /// The part that matters.
    #[serde(default, deserialize_with = "plain")]
    pub focus: Option<String>,
    /// Whether only signed URLs show it.
    #[serde(default, deserialize_with = "plain")]
    pub is_private: bool,
    /// Whether nobody may change it.
    #[serde(default, deserialize_with = "plain")]
    pub locked: bool,
    /// A name in another system.
    #[serde(default, deserialize_with = "plain")]
    pub ext_id: Option<String>,
    /// When its licence ends.
    #[serde(default, deserialize_with = "plain")]
    pub expire_at: Option<String>,
    /// When it is meant to be used from.
    #[serde(default, deserialize_with = "plain")]
    pub publish_at: Option<String>,
    /// The numbers of its internal tags.
    #[serde(default, deserialize_with = "plain")]
    pub internal_tag_ids: Vec<i64>,
    /// Further data.
    #[serde(default, deserialize_with = "plain")]
    pub meta_data: Option<serde_json::Map<String, Value>>,
    /// Not null for one in the trash.
    #[serde(default, deserialize_with = "plain")]
    pub deleted_at: Option<String>,
    /// What was wrong with it, and what was done.
    #[serde(skip)]
    pub odd: Vec<String>,
}

impl Asset {
    /// The URL that content names, and that can be fetched: without the origin's name before it.
    pub fn url(&self) -> String {
        let url = self.filename.replacen("https://s3.amazonaws.com/", "https://", 1);
        if url.starts_with("//") { format!("https:{url}") } else { url }
    }

    /// In what its file is not what was said of it.
    pub fn difference(&self, file: &Stored) -> Option<String> {
        let mut wrong = Vec::new();
        if let Some(bytes) = self.content_length.filter(|content_length| *content_length != file.bytes) {
            wrong.push(format!("it was said to have {bytes} bytes, and has {}", file.bytes));
        }
        if let Some(said) = self.content_type.as_deref().filter(|content_type| !media::may_be(content_type, file.content_type)) {
            wrong.push(format!("it was said to be {said}, and is {}", file.content_type));
        }
        (!wrong.is_empty()).then(|| format!("its file came with the SHA-256 {}: {}", asset::hex(&file.sha256), wrong.join("; ")))
    }

    /// Its name in URLs.
    pub fn name(&self) -> &str {
        let path = self.filename.split(['?', '#']).next().unwrap_or_default();
        path.rsplit('/').next().unwrap_or_default()
    }

    /// Where its file is below the folder of assets of an exported space: as in its URL, decoded. `None` when that would lead elsewhere.
    pub fn path(&self) -> Option<String> {
        let url = self.url();
        let (_, path) = url.split_once("//")?.1.split_once('/')?;
        let path = percent_encoding::percent_decode_str(path.split(['?', '#']).next()?).decode_utf8().ok()?.into_owned();
        let is_plain = |part: &str| !part.is_empty() && part != "." && part != ".." && !part.contains(['\\', '\0']);
        path.split('/').all(is_plain).then_some(path)
    }
}

#[cfg(test)]
mod tests {
    use crate::content::import::{Kind, record::Record};

    #[test]
    fn the_file_of_an_asset_is_found_by_its_url_and_never_outside_of_the_folder() {
        let path = |url: &str| {
            let Record::Asset(asset) = Record::read(Kind::Asset, &serde_json::json!({"id": 1, "filename": url}).to_string()) else {
                panic!()
            };
            asset.path()
        };
        let expected = Some("f/1/2x3/ab/b\u{e4}r.png".to_owned());
        assert_eq!(path("https://s3.amazonaws.com/a.storyblok.com/f/1/2x3/ab/b%C3%A4r.png"), expected);
        assert_eq!(path("//a.storyblok.com/f/1/2x3/ab/b\u{e4}r.png?x"), expected);
        for wrong in [
            "",
            "a.png",
            "https://a.storyblok.com",
            "https://a.storyblok.com/f/../../etc/passwd",
            "https://a/f/%2e%2e/x",
            "https://a//x",
        ] {
            assert_eq!(path(wrong), None, "{wrong}");
        }
    }
}
