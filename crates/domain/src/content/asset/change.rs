//! The attributes of an asset, and their changes.
//!
//! The same attributes come as JSON, as fields of a form and in a query, where every value is text. So each
//! is read from either.

use super::super::checks::Checks;
use crate::shared::{
    AssetFolderId, Fault, FieldCode,
    json::{switch, whole_number},
    timestamp,
};
use jiff::Timestamp;
use serde_json::{Map, Value};

/// The most characters of a text.
pub const MAX_TEXT: usize = 5_000;
/// The most bytes of `meta_data` as JSON.
pub const MAX_META: usize = 65_536;
/// The most internal tags.
const MAX_TAGS: usize = 200;

/// The attributes of an asset.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct AssetMeta {
    pub alt: Option<String>,
    pub title: Option<String>,
    /// The holder of the copyright.
    pub copyright: Option<String>,
    /// The origin of the file.
    pub source: Option<String>,
    /// The part of an image that matters, as Storyblok's editor writes it: `100x200:101x201`.
    pub focus: Option<String>,
    /// Its identifier in another system.
    pub ext_id: Option<String>,
    pub folder: Option<AssetFolderId>,
    /// Whether it is served with a signed URL only.
    pub is_private: bool,
    /// A mark for editors, without effect here.
    pub locked: bool,
    /// The end of its licence: from then on its file is not served.
    pub expire_at: Option<Timestamp>,
    /// The begin of its use: before, its file is not served.
    pub publish_at: Option<Timestamp>,
    /// Tags of the editor's interface.
    pub internal_tag_ids: Vec<i64>,
    /// Free data, an object.
    pub meta_data: Map<String, Value>,
}

/// The attributes that a caller changes. The others stay.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct AssetChange {
    given: Map<String, Value>,
}

impl AssetChange {
    /// The attributes that can be changed, as they are named on the wire.
    pub const NAMES: [&'static str; 13] = [
        "alt",
        "title",
        "copyright",
        "source",
        "focus",
        "ext_id",
        "asset_folder_id",
        "is_private",
        "locked",
        "expire_at",
        "publish_at",
        "internal_tag_ids",
        "meta_data",
    ];

    /// The change in an object that a caller sent; keys that are no attribute are ignored.
    pub fn of(sent: &Map<String, Value>) -> Self {
        let known = sent.iter().filter(|(name, _)| Self::NAMES.contains(&name.as_str()));
        Self { given: known.map(|(name, value)| (name.clone(), value.clone())).collect() }
    }

    /// The change as an object, to be stored until the file has arrived.
    pub fn to_json(&self) -> Value {
        Value::Object(self.given.clone())
    }

    /// The attributes after the change; `old` are those before. 422 names each attribute that cannot be read.
    pub fn apply(&self, old: &AssetMeta) -> Result<AssetMeta, Fault> {
        let mut checks = Checks::default();
        let mut after = old.clone();
        for (name, value) in &self.given {
            match name.as_str() {
                "alt" => after.alt = text(name, value, &mut checks),
                "title" => after.title = text(name, value, &mut checks),
                "copyright" => after.copyright = text(name, value, &mut checks),
                "source" => after.source = text(name, value, &mut checks),
                "focus" => after.focus = text(name, value, &mut checks),
                "ext_id" => after.ext_id = text(name, value, &mut checks),
                // 0 is no folder, as with other parents.
                "asset_folder_id" => after.folder = number(name, value, &mut checks).filter(|n| *n != 0).map(AssetFolderId),
                // A protection is removed only by an explicit `false`: `null` and an empty text leave it.
                "is_private" | "locked" if value.is_null() || value.as_str() == Some("") => {}
                "is_private" => after.is_private = checks.collect(switch(name, value)).unwrap_or(old.is_private),
                "locked" => after.locked = checks.collect(switch(name, value)).unwrap_or(old.locked),
                "expire_at" => after.expire_at = time(name, value, &mut checks),
                "publish_at" => after.publish_at = time(name, value, &mut checks),
                "internal_tag_ids" => after.internal_tag_ids = numbers(name, value, &mut checks),
                "meta_data" => after.meta_data = object(name, value, &mut checks),
                _ => {}
            }
        }
        checks.finish()?;
        Ok(after)
    }
}

fn text(name: &str, value: &Value, checks: &mut Checks) -> Option<String> {
    let text = match value {
        Value::Null => return None,
        Value::String(text) => text.clone(),
        Value::Number(_) | Value::Bool(_) => value.to_string(),
        Value::Array(_) | Value::Object(_) => {
            checks.refuse(name, FieldCode::Invalid, "must be a text");
            return None;
        }
    };
    checks.text(name, Some(&text), MAX_TEXT);
    Some(text)
}

fn number(name: &str, value: &Value, checks: &mut Checks) -> Option<i64> {
    let number = match value {
        Value::Null => return None,
        Value::String(text) if text.trim().is_empty() => return None,
        other => whole_number(other),
    };
    if number.is_none() {
        checks.refuse(name, FieldCode::Invalid, "must be a number");
    }
    number
}

fn numbers(name: &str, value: &Value, checks: &mut Checks) -> Vec<i64> {
    let parts: Vec<Value> = match value {
        Value::Null => Vec::new(),
        Value::Array(items) => items.clone(),
        Value::String(text) => text.split(',').map(|part| Value::from(part.trim())).collect(),
        other => vec![other.clone()],
    };
    if parts.len() > MAX_TAGS {
        checks.refuse(name, FieldCode::TooMany, format!("is too long (maximum is {MAX_TAGS})"));
    }
    parts.iter().filter_map(|part| number(name, part, checks)).collect()
}

fn time(name: &str, value: &Value, checks: &mut Checks) -> Option<Timestamp> {
    let text = match value {
        Value::Null => return None,
        Value::String(text) if text.trim().is_empty() => return None,
        Value::String(text) => text.trim(),
        _ => "",
    };
    checks.collect(timestamp::parse(name, text))
}

fn object(name: &str, value: &Value, checks: &mut Checks) -> Map<String, Value> {
    let read = match value {
        Value::Null => return Map::new(),
        Value::String(text) if text.trim().is_empty() => return Map::new(),
        Value::String(text) => crate::shared::json::parse(text.as_bytes()).ok(),
        Value::Object(object) => Some(object.clone()),
        _ => None,
    };
    let Some(object) = read else {
        checks.refuse(name, FieldCode::Invalid, "must be an object");
        return Map::new();
    };
    if Value::Object(object.clone()).to_string().len() > MAX_META {
        checks.refuse(name, FieldCode::TooLong, format!("is too long (maximum is {MAX_META} bytes)"));
    }
    object
}

#[cfg(test)]
mod tests {
    use super::{AssetChange, AssetMeta};
    use crate::shared::AssetFolderId;
    use serde_json::{Value, json};

    fn change(body: Value) -> AssetChange {
        AssetChange::of(body.as_object().unwrap())
    }

    #[test]
    fn json_and_text_say_the_same() {
        let typed = change(json!({
            "alt": "A", "asset_folder_id": 7, "is_private": true, "expire_at": "2027-01-01T00:00:00Z",
            "internal_tag_ids": [1, 2], "meta_data": {"a": "b"}, "filename": "not an attribute"
        }));
        let texts = change(json!({
            "alt": "A", "asset_folder_id": "7", "is_private": "1", "expire_at": "2027-01-01T00:00:00.000Z",
            "internal_tag_ids": "1, 2", "meta_data": "{\"a\":\"b\"}"
        }));
        let after = typed.apply(&AssetMeta::default()).unwrap();
        assert_eq!(texts.apply(&AssetMeta::default()).unwrap(), after);
        assert_eq!(
            (after.folder, after.is_private, after.internal_tag_ids.as_slice()),
            (Some(AssetFolderId(7)), true, &[1, 2][..])
        );
        assert_eq!(change(typed.to_json()), typed, "it can be kept");
    }

    #[test]
    fn what_is_not_named_stays_and_null_or_nothing_empties() {
        let old = AssetMeta { alt: Some("old".into()), folder: Some(AssetFolderId(1)), locked: true, ..AssetMeta::default() };
        assert_eq!(change(json!({})).apply(&old).unwrap(), old);
        let after = change(json!({"alt": null, "asset_folder_id": "", "locked": false})).apply(&old).unwrap();
        assert_eq!(after, AssetMeta::default());
        assert_eq!(change(json!({"asset_folder_id": 0})).apply(&old).unwrap().folder, None);
    }

    #[test]
    fn what_cannot_be_read_is_named() {
        for (body, field) in [
            (json!({"alt": []}), "alt"),
            (json!({"alt": "a\u{7}"}), "alt"),
            (json!({"title": "x".repeat(5_001)}), "title"),
            (json!({"asset_folder_id": "x"}), "asset_folder_id"),
            (json!({"expire_at": "soon"}), "expire_at"),
            (json!({"publish_at": 5}), "publish_at"),
            (json!({"publish_at": "-005000-01-01T00:00:00Z"}), "publish_at"),
            (json!({"internal_tag_ids": ["x"]}), "internal_tag_ids"),
            (json!({"meta_data": []}), "meta_data"),
            (json!({"meta_data": "{\"a\":\"\\u0000\"}"}), "meta_data"),
        ] {
            assert_eq!(change(body).apply(&AssetMeta::default()).unwrap_err().details[0].field, field);
        }
    }

    #[test]
    fn every_text_is_kept_under_its_own_name() {
        let after = change(json!({"alt": "a", "title": "t", "copyright": "c", "source": "s", "focus": "f", "ext_id": "e"}));
        let after = after.apply(&AssetMeta::default()).unwrap();
        let texts = [after.alt, after.title, after.copyright, after.source, after.focus, after.ext_id];
        assert_eq!(texts.map(Option::unwrap), ["a", "t", "c", "s", "f", "e"]);
    }

    #[test]
    fn a_protection_is_removed_by_an_explicit_no_only() {
        let old = AssetMeta { is_private: true, locked: true, ..AssetMeta::default() };
        for nothing in [json!(null), json!("")] {
            let after = change(json!({"is_private": nothing, "locked": nothing})).apply(&old).unwrap();
            assert_eq!(after, old, "{nothing}");
        }
        let after = change(json!({"is_private": "0", "locked": false})).apply(&old).unwrap();
        assert_eq!((after.is_private, after.locked), (false, false));
    }

    #[test]
    fn null_or_nothing_ends_a_time_and_empties_lists_and_objects() {
        let old = change(json!({"expire_at": "2027-01-01T00:00:00Z", "publish_at": "2026-01-01T00:00:00Z", "meta_data": {"a": 1},
            "internal_tag_ids": [1]}));
        let old = old.apply(&AssetMeta::default()).unwrap();
        assert!(old.expire_at.is_some() && old.publish_at.is_some() && old.meta_data.len() == 1);
        for nothing in [json!(null), json!(" ")] {
            let body = json!({"expire_at": nothing, "publish_at": nothing, "meta_data": nothing, "internal_tag_ids": nothing});
            assert_eq!(change(body).apply(&old).unwrap(), AssetMeta::default(), "{nothing}");
        }
    }

    #[test]
    fn lists_and_objects_are_bounded() {
        let tags = |count: i64| json!({"internal_tag_ids": (0..count).collect::<Vec<_>>()});
        assert_eq!(change(tags(200)).apply(&AssetMeta::default()).unwrap().internal_tag_ids.len(), 200);
        assert_eq!(change(tags(201)).apply(&AssetMeta::default()).unwrap_err().details[0].field, "internal_tag_ids");
        // With its braces, quotes and colon it has eight bytes more than its text.
        let meta = |bytes: usize| json!({"meta_data": {"a": "x".repeat(bytes - 8)}});
        assert!(change(meta(65_536)).apply(&AssetMeta::default()).is_ok());
        assert_eq!(change(meta(65_537)).apply(&AssetMeta::default()).unwrap_err().details[0].code.name(), "tooLong");
    }
}
