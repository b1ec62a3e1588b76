//! Records as a source returns them: the objects of Storyblok's Management API.
//!
//! They are read leniently, because another service wrote them: a missing attribute counts as null, and an
//! attribute of an unexpected type is repaired or left out, with a warning, as long as the record makes sense
//! without it.

mod asset;
mod component;
mod datasource;
mod repair;
mod story;

pub use asset::{Asset, AssetFolder, encode_url};
pub use component::{Component, ComponentGroup, Preset};
pub use datasource::{Datasource, DatasourceEntry, Dimension};
pub use story::{LocalizedPath, PublishedCopy, Scheduling, Story, TranslatedSlug, TranslatedStory};

use super::{Kind, SourceId};
use crate::{
    content::{field::Field, language::Language},
    shared::json::null_as_default,
};
use jiff::Timestamp;
use serde::{Deserialize, Deserializer};

/// One record of a source.
#[derive(Debug, Clone)]
pub enum Record {
    /// A folder of assets.
    AssetFolder(AssetFolder),
    Asset(Box<Asset>),
    /// A group of components.
    ComponentGroup(ComponentGroup),
    Component(Box<Component>),
    Preset(Box<Preset>),
    Datasource(Datasource),
    /// An entry of a datasource.
    DatasourceEntry(DatasourceEntry),
    /// A folder or a story.
    Story(Box<Story>),
    /// A record that was listed and then deleted at the source.
    Gone {
        id: i64,
    },
    /// A record that could not be read.
    Unreadable {
        /// Its id, or 0 if that could not be read either.
        id: i64,
        why: String,
    },
}

/// The same of a record of each kind, and something else of one that is not there to be read.
macro_rules! each {
    ($of:expr, $record:ident => $value:expr, $missing:pat => $other:expr) => {
        match $of {
            Record::AssetFolder($record) => $value,
            Record::Asset($record) => $value,
            Record::ComponentGroup($record) => $value,
            Record::Component($record) => $value,
            Record::Preset($record) => $value,
            Record::Datasource($record) => $value,
            Record::DatasourceEntry($record) => $value,
            Record::Story($record) => $value,
            $missing => $other,
        }
    };
}

impl Record {
    /// Reads a record of a kind. Unreadable input becomes [`Record::Unreadable`], so that the report counts
    /// and names it.
    pub fn read(kind: Kind, text: &str) -> Self {
        // PostgreSQL cannot store U+0000, escaped or not; see `shared::json`.
        let holds_nul = text.contains("\\u0000") && crate::shared::json::parse::<serde::de::IgnoredAny>(text.as_bytes()).is_err();
        let read = match kind {
            _ if holds_nul => Err(serde::de::Error::custom("holds the character U+0000, or nests too deeply")),
            // The fast path first: stories are many and large, and nearly all of them need no repair.
            Kind::Folder | Kind::Story => Self::of(kind, text).or_else(|_| Self::repaired(kind, text)),
            _ => Self::repaired(kind, text),
        };
        read.unwrap_or_else(|error| {
            let id = serde_json::from_str::<Numbered>(text).map_or(0, |f| f.id);
            Self::Unreadable { id, why: error.to_string() }
        })
    }

    /// Reads a record whose attributes all have the expected types.
    fn of(kind: Kind, text: &str) -> serde_json::Result<Self> {
        fn of<'a, T: Deserialize<'a>>(text: &'a str, make: impl FnOnce(T) -> Record) -> serde_json::Result<Record> {
            serde_json::from_str(text).map(make)
        }
        match kind {
            Kind::AssetFolder => of(text, Self::AssetFolder),
            Kind::Asset => of(text, |value| Self::Asset(Box::new(value))),
            Kind::ComponentGroup => of(text, Self::ComponentGroup),
            Kind::Component => of(text, |value| Self::Component(Box::new(value))),
            Kind::Preset => of(text, |value| Self::Preset(Box::new(value))),
            Kind::Datasource => of(text, Self::Datasource),
            Kind::DatasourceEntry => of(text, Self::DatasourceEntry),
            Kind::Folder | Kind::Story => of(text, |value| Self::Story(Box::new(value))),
        }
    }

    /// Repairs the attributes of a record, then reads it.
    fn repaired(kind: Kind, text: &str) -> serde_json::Result<Self> {
        let (text, repairs) = repair::repaired(rules(kind), text)?;
        let mut record = Self::of(kind, &text)?;
        if let Some(own) = record.repairs_mut() {
            *own = repairs;
        }
        Ok(record)
    }

    fn repairs_mut(&mut self) -> Option<&mut Vec<String>> {
        each!(self, record => Some(&mut record.repairs), Self::Gone { .. } | Self::Unreadable { .. } => None)
    }

    /// What was repaired, one sentence each.
    pub fn repairs(&self) -> &[String] {
        each!(self, record => &record.repairs, Self::Gone { .. } | Self::Unreadable { .. } => &[])
    }

    /// Marks a folder of assets or group of components that stands in itself at the source, directly or
    /// through others.
    pub fn mark_circle(&mut self) {
        match self {
            Self::AssetFolder(record) => record.is_in_circle = true,
            Self::ComponentGroup(record) => record.is_in_circle = true,
            _ => {}
        }
    }

    /// Its id at the source.
    pub fn id(&self) -> i64 {
        each!(self, record => record.id.number(), Self::Gone { id } | Self::Unreadable { id, .. } => *id)
    }
}

/// The expected types of the attributes of a kind.
fn rules(kind: Kind) -> &'static [(&'static str, repair::Rule)] {
    match kind {
        Kind::AssetFolder => asset::FOLDER_RULES,
        Kind::Asset => asset::RULES,
        Kind::ComponentGroup => component::GROUP_RULES,
        Kind::Component => component::RULES,
        Kind::Preset => component::PRESET_RULES,
        Kind::Datasource => datasource::RULES,
        Kind::DatasourceEntry => datasource::ENTRY_RULES,
        Kind::Folder | Kind::Story => story::RULES,
    }
}

/// The id of a record, read without the rest.
#[derive(Debug, Clone, Copy, Deserialize)]
pub struct Numbered {
    pub id: i64,
}

/// The space.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(default)]
pub struct Space {
    pub id: SourceId<Self>,
    #[serde(deserialize_with = "lenient")]
    pub name: String,
    /// The languages besides the default one.
    #[serde(deserialize_with = "languages")]
    pub languages: Vec<Language>,
    #[serde(deserialize_with = "lenient")]
    pub default_lang_name: Option<String>,
    /// The URL of its preview.
    #[serde(deserialize_with = "lenient")]
    pub domain: Option<String>,
    /// Where it is previewed beside that.
    #[serde(deserialize_with = "lenient")]
    pub environments: Vec<serde_json::Value>,
    /// The fields of its assets, each as it came.
    #[serde(default, deserialize_with = "null_as_default")]
    pub asset_custom_meta_data_schema: Vec<serde_json::Value>,
    /// Whether it publishes valid stories only: an export of this server says so.
    #[serde(deserialize_with = "lenient")]
    pub publish_requires_valid: Option<bool>,
    #[serde(deserialize_with = "lenient")]
    pub created_at: Option<Timestamp>,
    /// How many stories it claims to have, without folders.
    #[serde(deserialize_with = "lenient")]
    pub stories_count: Option<u64>,
    /// Whether each translation of a story is published by itself.
    #[serde(deserialize_with = "lenient")]
    use_translated_stories: Option<bool>,
    /// Further settings; some spaces have `use_translated_stories` here.
    #[serde(deserialize_with = "lenient")]
    options: Options,
}

/// Settings of a space.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(default)]
struct Options {
    #[serde(deserialize_with = "lenient")]
    use_translated_stories: Option<bool>,
}

impl Space {
    /// Whether each translation of a story is published by itself.
    pub fn is_by_language(&self) -> bool {
        self.use_translated_stories.or(self.options.use_translated_stories).unwrap_or(false)
    }
}

/// Reads a value; null and values of another type become the default.
fn lenient<'de, T: Deserialize<'de> + Default, D: Deserializer<'de>>(from: D) -> Result<T, D::Error> {
    #[derive(Deserialize)]
    #[serde(untagged)]
    enum Either<T> {
        Right(T),
        Strange(serde::de::IgnoredAny),
    }
    Ok(match Option::<Either<T>>::deserialize(from)? {
        Some(Either::Right(value)) => value,
        Some(Either::Strange(_)) | None => T::default(),
    })
}

/// Reads an attribute that is present, possibly null, as `Given`.
fn present<'de, T: Deserialize<'de> + Default, D: Deserializer<'de>>(from: D) -> Result<Field<T>, D::Error> {
    lenient(from).map(Field::Given)
}

/// Reads languages one by one: the name defaults to the code, and an item without a code is skipped.
fn languages<'de, D: Deserializer<'de>>(from: D) -> Result<Vec<Language>, D::Error> {
    let all: Vec<serde_json::Value> = lenient(from)?;
    let text = |value: &serde_json::Value, key: &str| {
        value.get(key)?.as_str().map(str::trim).filter(|value| !value.is_empty()).map(str::to_owned)
    };
    let language = |value: &serde_json::Value| {
        let code = text(value, "code")?;
        Some(Language { name: text(value, "name").unwrap_or_else(|| code.clone()), code })
    };
    Ok(all.iter().filter_map(language).collect())
}

#[cfg(test)]
mod tests {
    use super::{Kind, Record, SourceId, Space};
    use serde_json::{Value, json};

    #[test]
    fn languages_are_read_one_by_one() {
        let text = r#"{"id":1,"languages":[{"code":"de","name":null},{"name":"?"},5,{"code":"fr","name":"Français"}]}"#;
        let space: Space = serde_json::from_str(text).unwrap();
        let read: Vec<_> = space.languages.iter().map(|language| (language.code.as_str(), language.name.as_str())).collect();
        assert_eq!(read, [("de", "de"), ("fr", "Français")]);
    }

    #[test]
    fn odd_attributes_are_repaired_or_left_out_with_a_warning() {
        let text = r#"{"id":7,"uuid":"00000000-0000-4000-8000-00000000000a","name":"A","slug":"a","parent_id":null,"position":"x",
            "tag_list":["x",{},"y"],"published":1,"created_at":"2020-01-01 10:00","updated_at":"yesterday","disble_fe_editor":true,
            "sort_by_date":"2020-02-03T00:00:00.000Z","_schedulings":[{"at":1},{"publish_at":"soon"}],"content":{"b":1,  "a":2}}"#;
        let Record::Story(story) = Record::read(Kind::Story, text) else { panic!() };
        assert_eq!((story.id.number(), story.parent_id, story.position, story.published), (7, None, 0, true));
        assert_eq!(story.content.unwrap().get(), r#"{"b":1,  "a":2}"#, "content is kept as it was written");
        assert_eq!(story.created_at.unwrap().to_string(), "2020-01-01T10:00:00Z");
        assert!(story.updated_at.is_none() && story.disble_fe_editor);
        assert_eq!((story.sort_by_date.unwrap().to_string(), story.tag_list), ("2020-02-03".into(), vec!["x".into(), "y".into()]));
        assert_eq!(story.schedulings.len(), 1);
        let reported: Vec<_> = story.repairs.iter().filter_map(|o| o.split([' ', ':']).next()).collect();
        assert_eq!(reported, ["position", "tag_list", "updated_at", "_schedulings"], "{:?}", story.repairs);
    }

    #[test]
    fn an_odd_attribute_never_fails_the_record() {
        let long = "x".repeat(6_000);
        for (kind, base, key, odd, kept) in [
            (Kind::Asset, json!({}), "alt", json!(long), json!("x".repeat(5_000))),
            (Kind::Asset, json!({}), "title", json!("a\u{7}b"), json!("ab")),
            (Kind::Asset, json!({}), "expire_at", json!("some day"), Value::Null),
            (Kind::Asset, json!({}), "meta_data", json!(["x"]), Value::Null),
            (Kind::Asset, json!({}), "content_length", json!(-5), Value::Null),
            (Kind::AssetFolder, json!({}), "name", json!([1]), Value::Null),
            (Kind::Component, json!({}), "color", json!("x".repeat(65)), json!("x".repeat(64))),
            (Kind::Component, json!({}), "image", json!("x".repeat(3_000)), Value::Null),
            (Kind::Component, json!({}), "internal_tag_ids", json!([1, "2", "x"]), json!([1, 2])),
            (Kind::Component, json!({}), "metadata", json!("x"), Value::Null),
            (Kind::Component, json!({}), "schema", json!({"a": {"type": "hologram"}}), json!({"a": {"type": "hologram"}})),
            (Kind::Preset, json!({}), "preset", json!("x"), Value::Null),
            (Kind::Datasource, json!({}), "dimensions", json!([{"id": 1}, {"name": "x"}, 5]), json!([{"id": 1}])),
            (Kind::DatasourceEntry, json!({}), "dimension_values", json!({"de": [], "fr": "x"}), json!({"de": null, "fr": "x"})),
            (Kind::ComponentGroup, json!({"uuid": "00000000-0000-4000-8000-00000000000a"}), "parent_id", json!("x"), Value::Null),
        ] {
            let mut record = base;
            (record["id"], record[key]) = (json!(7), odd.clone());
            let text = record.to_string();
            let read = Record::read(kind, &text);
            assert_eq!((read.id(), read.repairs().len()), (7, 1), "{key} {:?}", read.repairs());
            let (repaired, _) = super::repair::repaired(super::rules(kind), &text).unwrap();
            assert_eq!(serde_json::from_str::<Value>(&repaired).unwrap()[key], kept, "{key}");
        }
    }

    #[test]
    fn an_unreadable_flag_that_protects_an_asset_counts_as_true() {
        for (sent, is_private, is_reported) in
            [("null", false, false), ("0", false, false), (r#""perhaps""#, true, true), ("[]", true, true)]
        {
            let text = format!(r#"{{"id":7,"is_private":{sent}}}"#);
            let Record::Asset(asset) = Record::read(Kind::Asset, &text) else { panic!("{text}") };
            assert_eq!((asset.is_private, asset.repairs.len() == 1), (is_private, is_reported), "{text}");
        }
    }

    #[test]
    fn correct_attributes_cause_no_warning() {
        let text = r#"{"id":7,"alt":"a","asset_folder_id":"5","is_private":"1","expire_at":"2026-01-01 10:00","publish_at":"","meta_data":{}}"#;
        let Record::Asset(asset) = Record::read(Kind::Asset, text) else { panic!() };
        assert_eq!(
            (asset.asset_folder_id.map(SourceId::number), asset.is_private, asset.repairs.as_slice()),
            (Some(5), true, &[] as &[String])
        );
        assert_eq!(asset.expire_at.as_deref(), Some("2026-01-01T10:00:00Z"));
    }

    #[test]
    fn an_unreadable_record_keeps_its_id() {
        for text in
            [r#"{"id":7}"#, r#"{"id":7,"uuid":"x"}"#, r#"{"id":7,"uuid":"00000000-0000-4000-8000-00000000000a","name":"a\u0000"}"#]
        {
            let Record::Unreadable { id, .. } = Record::read(Kind::Story, text) else { panic!("{text}") };
            assert_eq!(id, 7);
        }
        assert!(matches!(Record::read(Kind::Component, "[]"), Record::Unreadable { id: 0, .. }));
    }
}
