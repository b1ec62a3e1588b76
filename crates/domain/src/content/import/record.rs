//! Records as a source gives them: the objects of the hosted Management API (facts, sections 2.5 to 2.10).
//!
//! They are read leniently, because they were written by another service: an attribute that is missing, null or of a strange form is
//! as if it was not there, as long as the record makes sense without it.

use super::Kind;
use crate::content::language::Language;
use jiff::{Timestamp, civil::Date};
use serde::{Deserialize, Deserializer};
use serde_json::{Value, value::RawValue};
use std::collections::BTreeMap;
use uuid::Uuid;

/// One record of a source.
#[derive(Debug, Clone)]
pub enum Record {
    /// A folder of assets.
    AssetFolder(AssetFolder),
    /// An asset.
    Asset(Box<Asset>),
    /// A group of components.
    ComponentGroup(ComponentGroup),
    /// A component.
    Component(Box<Component>),
    /// A preset.
    Preset(Box<Preset>),
    /// A datasource.
    Datasource(Datasource),
    /// An entry of a datasource.
    DatasourceEntry(DatasourceEntry),
    /// A folder or a story.
    Story(Box<Story>),
    /// One that was listed, and is not there any more.
    Gone {
        /// Its number.
        id: i64,
    },
    /// One that could not be read.
    Unreadable {
        /// Its number, when at least that could be read.
        id: i64,
        /// What is wrong.
        why: String,
    },
}

impl Record {
    /// Reads a record of a kind; what cannot be read is a record too, so that it is counted and named.
    pub fn read(kind: Kind, text: &str) -> Self {
        fn of<'a, T: Deserialize<'a>>(text: &'a str, make: impl FnOnce(T) -> Record) -> serde_json::Result<Record> {
            serde_json::from_str(text).map(make)
        }
        // PostgreSQL holds no U+0000, escaped or not; see `shared::json`.
        let holds_nul = text.contains("\\u0000") && crate::shared::json::parse::<serde::de::IgnoredAny>(text.as_bytes()).is_err();
        let read = match kind {
            _ if holds_nul => Err(serde::de::Error::custom("holds the character U+0000, or nests too deeply")),
            Kind::AssetFolder => of(text, Self::AssetFolder),
            Kind::Asset => of(text, |it| Self::Asset(Box::new(it))),
            Kind::ComponentGroup => of(text, Self::ComponentGroup),
            Kind::Component => of(text, |it| Self::Component(Box::new(it))),
            Kind::Preset => of(text, |it| Self::Preset(Box::new(it))),
            Kind::Datasource => of(text, Self::Datasource),
            Kind::DatasourceEntry => of(text, Self::DatasourceEntry),
            Kind::Folder | Kind::Story => of(text, |it| Self::Story(Box::new(it))),
        };
        read.unwrap_or_else(|error| {
            let id = serde_json::from_str::<Numbered>(text).map_or(0, |it| it.id);
            Self::Unreadable { id, why: error.to_string() }
        })
    }

    /// Its number at the source.
    pub fn id(&self) -> i64 {
        match self {
            Self::AssetFolder(it) => it.id,
            Self::Asset(it) => it.id,
            Self::ComponentGroup(it) => it.id,
            Self::Component(it) => it.id,
            Self::Preset(it) => it.id,
            Self::Datasource(it) => it.id,
            Self::DatasourceEntry(it) => it.id,
            Self::Story(it) => it.id,
            Self::Gone { id } | Self::Unreadable { id, .. } => *id,
        }
    }
}

/// Only the number of a record.
#[derive(Debug, Clone, Copy, Deserialize)]
pub struct Numbered {
    /// The number.
    pub id: i64,
}

/// The space.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(default)]
pub struct Space {
    /// Its number.
    pub id: i64,
    /// Its name.
    #[serde(deserialize_with = "lenient")]
    pub name: String,
    /// The languages beside the default one.
    #[serde(deserialize_with = "lenient")]
    pub languages: Vec<Language>,
    /// The name of the default language.
    #[serde(deserialize_with = "lenient")]
    pub default_lang_name: Option<String>,
    /// How many stories it says it has, folders not counted.
    #[serde(deserialize_with = "lenient")]
    pub stories_count: Option<u64>,
}

/// A folder of assets.
#[derive(Debug, Clone, Deserialize)]
pub struct AssetFolder {
    /// Its number.
    pub id: i64,
    /// Its name.
    #[serde(default, deserialize_with = "lenient")]
    pub name: String,
    /// Its UUID.
    #[serde(default, deserialize_with = "lenient")]
    pub uuid: Option<Uuid>,
    /// The folder above.
    #[serde(default, deserialize_with = "lenient")]
    pub parent_id: Option<i64>,
}

/// An asset.
#[derive(Debug, Clone, Deserialize)]
pub struct Asset {
    /// Its number.
    pub id: i64,
    /// Its URL: the origin's, or the one that content names.
    #[serde(default, deserialize_with = "lenient")]
    pub filename: String,
    /// Its folder.
    #[serde(default, deserialize_with = "lenient")]
    pub asset_folder_id: Option<i64>,
    /// How many bytes it is said to have.
    #[serde(default, deserialize_with = "lenient")]
    pub content_length: Option<u64>,
    /// What it is said to be.
    #[serde(default, deserialize_with = "lenient")]
    pub content_type: Option<String>,
    /// For who cannot see it.
    #[serde(default, deserialize_with = "lenient")]
    pub alt: Option<String>,
    /// Its title.
    #[serde(default, deserialize_with = "lenient")]
    pub title: Option<String>,
    /// Whose it is.
    #[serde(default, deserialize_with = "lenient")]
    pub copyright: Option<String>,
    /// Where it is from.
    #[serde(default, deserialize_with = "lenient")]
    pub source: Option<String>,
    /// The part that matters.
    #[serde(default, deserialize_with = "lenient")]
    pub focus: Option<String>,
    /// Whether only signed URLs show it.
    #[serde(default, deserialize_with = "lenient")]
    pub is_private: bool,
    /// Whether nobody may change it.
    #[serde(default, deserialize_with = "lenient")]
    pub locked: bool,
    /// A name in another system.
    #[serde(default, deserialize_with = "lenient")]
    pub ext_id: Option<String>,
    /// When its licence ends.
    #[serde(default, deserialize_with = "lenient")]
    pub expire_at: Option<String>,
    /// When it is meant to be used from.
    #[serde(default, deserialize_with = "lenient")]
    pub publish_at: Option<String>,
    /// Further data.
    #[serde(default, deserialize_with = "lenient")]
    pub meta_data: Option<serde_json::Map<String, Value>>,
    /// Not null for one in the trash.
    #[serde(default, deserialize_with = "lenient")]
    pub deleted_at: Option<String>,
}

impl Asset {
    /// The URL that content names, and that can be fetched: without the origin's name before it.
    pub fn url(&self) -> String {
        let url = self.filename.replacen("https://s3.amazonaws.com/", "https://", 1);
        if url.starts_with("//") { format!("https:{url}") } else { url }
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

/// A group of components.
#[derive(Debug, Clone, Deserialize)]
pub struct ComponentGroup {
    /// Its number.
    pub id: i64,
    /// Its name.
    #[serde(default, deserialize_with = "lenient")]
    pub name: String,
    /// Its UUID, which components name.
    pub uuid: Uuid,
    /// The group above.
    #[serde(default, deserialize_with = "lenient")]
    pub parent_id: Option<i64>,
}

/// A component.
#[derive(Debug, Clone, Deserialize)]
pub struct Component {
    /// Its number.
    pub id: i64,
    /// Its name.
    #[serde(default, deserialize_with = "lenient")]
    pub name: String,
    /// The preset that new bloks start from.
    #[serde(default, deserialize_with = "lenient")]
    pub preset_id: Option<i64>,
    /// The group it is in.
    #[serde(default, deserialize_with = "lenient")]
    pub component_group_uuid: Option<Uuid>,
    /// Everything else that its author decided.
    #[serde(flatten)]
    pub definition: BTreeMap<String, Value>,
}

impl Component {
    /// What a caller would send to make it, or to make it what it is at the source: in this group, with these fields.
    pub fn body(&self, group: Option<Uuid>, schema: &serde_json::Map<String, Value>) -> String {
        let decided =
            |key: &str| !matches!(key, "schema" | "created_at" | "updated_at" | "real_name" | "all_presets" | "internal_tags_list");
        let given = self.definition.iter().filter(|(key, value)| decided(key) && !value.is_null());
        let mut body: serde_json::Map<String, Value> = given.map(|(key, value)| (key.clone(), value.clone())).collect();
        body.insert("name".into(), self.name.clone().into());
        body.insert("component_group_uuid".into(), group.map(|it| it.to_string()).into());
        body.insert("schema".into(), Value::Object(schema.clone()));
        Value::Object(body).to_string()
    }

    /// Its fields.
    pub fn schema(&self) -> Option<&serde_json::Map<String, Value>> {
        self.definition.get("schema")?.as_object()
    }
}

/// A preset.
#[derive(Debug, Clone, Deserialize)]
pub struct Preset {
    /// Its number.
    pub id: i64,
    /// Its name.
    #[serde(default, deserialize_with = "lenient")]
    pub name: String,
    /// The component it is for.
    #[serde(default, deserialize_with = "lenient")]
    pub component_id: i64,
    /// The content.
    #[serde(default, deserialize_with = "lenient")]
    pub preset: Value,
    /// A preview picture.
    #[serde(default, deserialize_with = "lenient")]
    pub image: Option<String>,
    /// The icon's colour.
    #[serde(default, deserialize_with = "lenient")]
    pub color: Option<String>,
    /// The icon's name.
    #[serde(default, deserialize_with = "lenient")]
    pub icon: Option<String>,
    /// For editors.
    #[serde(default, deserialize_with = "lenient")]
    pub description: Option<String>,
}

/// A datasource.
#[derive(Debug, Clone, Deserialize)]
pub struct Datasource {
    /// Its number.
    pub id: i64,
    /// Its name.
    #[serde(default, deserialize_with = "lenient")]
    pub name: String,
    /// What readers ask by.
    #[serde(default, deserialize_with = "lenient")]
    pub slug: String,
    /// Its dimensions.
    #[serde(default, deserialize_with = "lenient")]
    pub dimensions: Vec<Dimension>,
}

/// A dimension of a datasource.
#[derive(Debug, Clone, Deserialize)]
pub struct Dimension {
    /// Its number.
    pub id: i64,
    /// Its name.
    #[serde(default, deserialize_with = "lenient")]
    pub name: String,
    /// The code that readers ask by.
    #[serde(default, deserialize_with = "lenient")]
    pub entry_value: String,
}

/// An entry, with the values of all dimensions.
#[derive(Debug, Clone, Deserialize)]
pub struct DatasourceEntry {
    /// Its number.
    pub id: i64,
    /// The datasource it is of.
    #[serde(default, deserialize_with = "lenient")]
    pub datasource_id: i64,
    /// Its name.
    #[serde(default, deserialize_with = "lenient")]
    pub name: String,
    /// Its value.
    #[serde(default, deserialize_with = "lenient")]
    pub value: String,
    /// Its place among the others.
    #[serde(default, deserialize_with = "lenient")]
    pub position: Option<i32>,
    /// Its values in dimensions, by their codes.
    #[serde(default, deserialize_with = "lenient")]
    pub dimension_values: BTreeMap<String, Option<String>>,
}

/// A story or a folder; its content is the draft.
#[derive(Debug, Clone, Deserialize)]
#[expect(clippy::struct_excessive_bools, reason = "a story has so many flags")]
pub struct Story {
    /// Its number.
    pub id: i64,
    /// Its UUID.
    pub uuid: Uuid,
    /// The title.
    #[serde(default, deserialize_with = "lenient")]
    pub name: String,
    /// Its own segment of the path.
    #[serde(default, deserialize_with = "lenient")]
    pub slug: String,
    /// Its path.
    #[serde(default, deserialize_with = "lenient")]
    pub full_slug: String,
    /// The folder it stands in.
    #[serde(default, deserialize_with = "lenient")]
    pub parent_id: Option<i64>,
    /// What it shares with its alternates.
    #[serde(default, deserialize_with = "lenient")]
    pub group_id: Option<Uuid>,
    /// Whether it is a folder.
    #[serde(default, deserialize_with = "lenient")]
    pub is_folder: bool,
    /// Whether it answers for its folder's path.
    #[serde(default, deserialize_with = "lenient")]
    pub is_startpage: bool,
    /// Its place among its siblings.
    #[serde(default, deserialize_with = "lenient")]
    pub position: i32,
    /// Its tags.
    #[serde(default, deserialize_with = "lenient")]
    pub tag_list: Vec<String>,
    /// The content.
    #[serde(default)]
    pub content: Option<Box<RawValue>>,
    /// Whether a published copy exists.
    #[serde(default, deserialize_with = "lenient")]
    pub published: bool,
    /// Whether that copy differs from the draft.
    #[serde(default, deserialize_with = "lenient")]
    pub unpublished_changes: bool,
    /// What the published copy has instead of the draft; not part of the hosted API. A source that fetches it puts it here.
    #[serde(default, rename = "_published")]
    pub published_copy: Option<PublishedCopy>,
    /// When it was published.
    #[serde(default, deserialize_with = "lenient")]
    pub published_at: Option<Timestamp>,
    /// When it was published for the first time.
    #[serde(default, deserialize_with = "lenient")]
    pub first_published_at: Option<Timestamp>,
    /// When it was made.
    #[serde(default, deserialize_with = "lenient")]
    pub created_at: Option<Timestamp>,
    /// When it was last saved.
    #[serde(default, deserialize_with = "lenient")]
    pub updated_at: Option<Timestamp>,
    /// When it is to be published.
    #[serde(default, deserialize_with = "lenient")]
    pub publish_at: Option<String>,
    /// When it is to be taken offline.
    #[serde(default, deserialize_with = "lenient")]
    pub expire_at: Option<String>,
    /// A folder's default content type.
    #[serde(default, deserialize_with = "lenient")]
    pub default_root: Option<String>,
    /// Whether the visual editor is off.
    #[serde(default, deserialize_with = "lenient")]
    pub disable_fe_editor: bool,
    /// The same in the hosted service's older spelling; both may be there.
    #[serde(default, deserialize_with = "lenient")]
    pub disble_fe_editor: bool,
    /// Whether it is pinned.
    #[serde(default, deserialize_with = "lenient")]
    pub pinned: bool,
    /// The 'real path'.
    #[serde(default, deserialize_with = "lenient")]
    pub path: Option<String>,
    /// A date to sort by.
    #[serde(default, deserialize_with = "lenient")]
    pub sort_by_date: Option<Date>,
    /// Free data of integrations.
    #[serde(default)]
    pub meta_data: Option<Box<RawValue>>,
    /// Its slugs and names in other languages.
    #[serde(default, deserialize_with = "lenient")]
    pub translated_slugs: Vec<TranslatedSlug>,
}

/// What the published copy of a story has instead of the draft.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(default)]
pub struct PublishedCopy {
    /// Another title.
    pub name: Option<String>,
    /// Another content.
    pub content: Option<Box<RawValue>>,
    /// Other tags.
    pub tag_list: Option<Vec<String>>,
    /// It could not be had. Not part of any file: a source says so.
    #[serde(skip)]
    pub is_missing: bool,
}

/// A story's slug and name in a language.
#[derive(Debug, Clone, Deserialize)]
pub struct TranslatedSlug {
    /// The language's code.
    #[serde(default, deserialize_with = "lenient")]
    pub lang: String,
    /// The slug.
    #[serde(default, deserialize_with = "lenient")]
    pub slug: Option<String>,
    /// The name.
    #[serde(default, deserialize_with = "lenient")]
    pub name: Option<String>,
}

/// Reads a value, or the default one when it is null or of another form.
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

#[cfg(test)]
mod tests {
    use super::{Kind, Record};

    #[test]
    fn what_is_strange_is_as_if_it_was_not_there() {
        let text = r#"{"id":7,"uuid":"00000000-0000-4000-8000-00000000000a","name":"A","slug":"a","parent_id":null,"position":"x",
            "tag_list":null,"published":null,"created_at":"2020-01-01T00:00:00.000Z","updated_at":"yesterday","disble_fe_editor":true,
            "sort_by_date":"2020-02-03","content":{"b":1,  "a":2}}"#;
        let Record::Story(story) = Record::read(Kind::Story, text) else { panic!() };
        assert_eq!((story.id, story.parent_id, story.position, story.published), (7, None, 0, false));
        assert_eq!(story.content.unwrap().get(), r#"{"b":1,  "a":2}"#, "content is kept as it was written");
        assert!(story.created_at.is_some() && story.updated_at.is_none() && story.disble_fe_editor);
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

    #[test]
    fn what_makes_no_sense_is_a_record_with_its_number() {
        for text in
            [r#"{"id":7}"#, r#"{"id":7,"uuid":"x"}"#, r#"{"id":7,"uuid":"00000000-0000-4000-8000-00000000000a","name":"a\u0000"}"#]
        {
            let Record::Unreadable { id, .. } = Record::read(Kind::Story, text) else { panic!("{text}") };
            assert_eq!(id, 7);
        }
        assert!(matches!(Record::read(Kind::Component, "[]"), Record::Unreadable { id: 0, .. }));
    }
}
