//! Records as a source gives them: the objects of the hosted Management API (facts, sections 2.5 to 2.10).
//!
//! They are read leniently, because they were written by another service: an attribute that is missing, null or of a strange form is
//! as if it was not there, as long as the record makes sense without it.

mod asset;
mod component;
mod datasource;
mod story;

pub use asset::{Asset, AssetFolder};
pub use component::{Component, ComponentGroup, Preset};
pub use datasource::{Datasource, DatasourceEntry, Dimension};
pub use story::{PublishedCopy, Scheduling, Story, TranslatedSlug, TranslatedStory};

use super::Kind;
use crate::content::{field::Field, language::Language};
use jiff::Timestamp;
use serde::{Deserialize, Deserializer};

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
    #[serde(deserialize_with = "languages")]
    pub languages: Vec<Language>,
    /// The name of the default language.
    #[serde(deserialize_with = "lenient")]
    pub default_lang_name: Option<String>,
    /// When it was made.
    #[serde(deserialize_with = "lenient")]
    pub created_at: Option<Timestamp>,
    /// How many stories it says it has, folders not counted.
    #[serde(deserialize_with = "lenient")]
    pub stories_count: Option<u64>,
    /// Whether each translation of a story is published by itself.
    #[serde(deserialize_with = "lenient")]
    use_translated_stories: Option<bool>,
    /// Further settings, in which the same may stand.
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

/// Reads what is there as given, null too.
fn given<'de, T: Deserialize<'de> + Default, D: Deserializer<'de>>(from: D) -> Result<Field<T>, D::Error> {
    lenient(from).map(Field::Given)
}

/// Reads languages, each by itself: one without a name is called by its code, and what has no code is none.
fn languages<'de, D: Deserializer<'de>>(from: D) -> Result<Vec<Language>, D::Error> {
    let all: Vec<serde_json::Value> = lenient(from)?;
    let text =
        |it: &serde_json::Value, key: &str| it.get(key)?.as_str().map(str::trim).filter(|it| !it.is_empty()).map(str::to_owned);
    let language = |it: &serde_json::Value| {
        let code = text(it, "code")?;
        Some(Language { name: text(it, "name").unwrap_or_else(|| code.clone()), code })
    };
    Ok(all.iter().filter_map(language).collect())
}

#[cfg(test)]
mod tests {
    use super::{Kind, Record, Space};

    #[test]
    fn each_language_is_read_by_itself() {
        let text = r#"{"id":1,"languages":[{"code":"de","name":null},{"name":"?"},5,{"code":"fr","name":"Français"}]}"#;
        let space: Space = serde_json::from_str(text).unwrap();
        let read: Vec<_> = space.languages.iter().map(|it| (it.code.as_str(), it.name.as_str())).collect();
        assert_eq!(read, [("de", "de"), ("fr", "Français")]);
    }

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
