//! Assets and their folders.

use super::{
    lenient, null_as_default,
    repair::{NUMBER, Rule, TEXT},
};
use crate::content::{
    asset::{self, MAX_META, MAX_TEXT, Stored, media},
    import::SourceId,
};
use percent_encoding::{AsciiSet, CONTROLS, utf8_percent_encode};
use serde::Deserialize;
use serde_json::Value;
use uuid::Uuid;

/// The expected types of an asset folder's attributes.
pub(super) const FOLDER_RULES: &[(&str, Rule)] = &[("name", Rule::Text(255)), ("uuid", Rule::Uuid), ("parent_id", NUMBER)];
/// The expected types of an asset's attributes.
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
    pub id: SourceId<Self>,
    #[serde(default, deserialize_with = "null_as_default")]
    pub name: String,
    pub uuid: Option<Uuid>,
    pub parent_id: Option<SourceId<Self>>,
    /// Whether it stands in itself, directly or through others. Not part of the record; the source sets it.
    #[serde(skip)]
    pub is_in_circle: bool,
    /// What was repaired, one sentence each.
    #[serde(skip)]
    pub repairs: Vec<String>,
}

/// An asset.
#[derive(Debug, Clone, Deserialize)]
pub struct Asset {
    pub id: SourceId<Self>,
    /// Its URL: that of the S3 origin, or the one used in content.
    #[serde(default, deserialize_with = "null_as_default")]
    pub filename: String,
    /// The URLs that its file had before, without the size in pixels, as an export of this server has them:
    /// content may name any of them.
    #[serde(default, deserialize_with = "lenient")]
    pub former_filenames: Vec<String>,
    pub asset_folder_id: Option<SourceId<AssetFolder>>,
    /// Its size in bytes, as reported.
    pub content_length: Option<u64>,
    /// Its media type, as reported.
    pub content_type: Option<String>,
    pub alt: Option<String>,
    pub title: Option<String>,
    pub copyright: Option<String>,
    /// Its origin, such as a photographer or an agency.
    pub source: Option<String>,
    /// The focal point, `x1:y1:x2:y2`.
    pub focus: Option<String>,
    /// Whether it is only served under signed URLs.
    #[serde(default, deserialize_with = "null_as_default")]
    pub is_private: bool,
    /// Whether it is locked against changes.
    #[serde(default, deserialize_with = "null_as_default")]
    pub locked: bool,
    /// Its id in an external system.
    pub ext_id: Option<String>,
    /// When its licence expires.
    pub expire_at: Option<String>,
    /// From when on it is meant to be used.
    pub publish_at: Option<String>,
    /// The ids of its internal tags.
    #[serde(default, deserialize_with = "null_as_default")]
    pub internal_tag_ids: Vec<i64>,
    pub meta_data: Option<serde_json::Map<String, Value>>,
    /// When it was deleted; not null for an asset in the trash.
    pub deleted_at: Option<String>,
    /// What was repaired, one sentence each.
    #[serde(skip)]
    pub repairs: Vec<String>,
}

impl Asset {
    /// The URL used in content: without the S3 origin.
    pub fn url(&self) -> String {
        let url = self.filename.replacen("https://s3.amazonaws.com/", "https://", 1);
        if url.starts_with("//") { format!("https:{url}") } else { url }
    }

    /// The URL from which the file can be fetched.
    pub fn fetch_url(&self) -> String {
        encode_url(&self.url())
    }

    /// How the fetched file differs from what was reported about it.
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

    /// The file name in its URL.
    pub fn name(&self) -> &str {
        let path = self.filename.split('?').next().unwrap_or_default();
        path.rsplit('/').next().unwrap_or_default()
    }

    /// The path of its file below `assets/` of an exported space: the decoded path of its URL. `None` if the
    /// path would leave that folder.
    pub fn path(&self) -> Option<String> {
        let url = self.url();
        let (_, path) = url.split_once("//")?.1.split_once('/')?;
        let path = percent_encoding::percent_decode_str(path.split('?').next()?).decode_utf8().ok()?.into_owned();
        let is_plain = |part: &str| !part.is_empty() && part != "." && part != ".." && !part.contains(['\\', '\0']);
        path.split('/').all(is_plain).then_some(path)
    }
}

/// The characters that the path of a URL cannot hold (RFC 3986, section 3.3), and `#`, which is part of a
/// file's name in the URL of an asset.
const RAW: &AsciiSet = &CONTROLS
    .add(b' ')
    .add(b'"')
    .add(b'#')
    .add(b'<')
    .add(b'>')
    .add(b'[')
    .add(b'\\')
    .add(b']')
    .add(b'^')
    .add(b'`')
    .add(b'{')
    .add(b'|')
    .add(b'}');

/// A URL of an asset with the characters behind its host encoded that no URL can hold; what is encoded
/// already stays as it is.
pub fn encode_url(url: &str) -> String {
    let url = url.trim();
    let host = url.find("://").map_or(0, |at| at + 3);
    let path = url.get(host..).and_then(|rest| rest.find('/')).map_or(url.len(), |at| host + at);
    let (origin, path) = url.split_at(path);
    let mut parts = path.split('%');
    let first = parts.next().unwrap_or_default();
    let mut encoded = format!("{origin}{}", utf8_percent_encode(first, RAW));
    for part in parts {
        let is_escape = part.as_bytes().get(..2).is_some_and(|digits| digits.iter().all(u8::is_ascii_hexdigit));
        encoded.push_str(if is_escape { "%" } else { "%25" });
        encoded.extend(utf8_percent_encode(part, RAW));
    }
    encoded
}

#[cfg(test)]
mod tests {
    use super::encode_url;
    use crate::content::import::{Kind, record::Record};

    #[test]
    fn raw_characters_behind_the_host_are_encoded_and_escapes_stay() {
        for (raw, url) in [
            ("https://a.storyblok.com/f/1/x/a b.png", "https://a.storyblok.com/f/1/x/a%20b.png"),
            ("https://a/f/ä\u{9}\"<>[]\\^`{|}#.png?x=1", "https://a/f/%C3%A4%09%22%3C%3E%5B%5D%5C%5E%60%7B%7C%7D%23.png?x=1"),
            ("https://a/f/a%20b%C3%A4.png", "https://a/f/a%20b%C3%A4.png"),
            ("https://a/f/100%.png", "https://a/f/100%25.png"),
            ("https://a/f/100%zz%4.png%", "https://a/f/100%25zz%254.png%25"),
            (" https://a/f/x.png ", "https://a/f/x.png"),
            ("https://a b/f", "https://a b/f"),
            ("not a url", "not a url"),
            ("", ""),
        ] {
            assert_eq!(encode_url(raw), url);
            assert_eq!(encode_url(url), url, "encoded once");
        }
    }

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
