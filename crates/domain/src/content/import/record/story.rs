//! Stories and folders.

use super::{
    null_as_default, present,
    repair::{NUMBER, POSITION, Rule, TEXT},
};
use crate::content::{field::Field, import::SourceId};
use jiff::{Timestamp, civil::Date};
use serde::Deserialize;
use serde_json::value::RawValue;
use uuid::Uuid;

/// The expected types of a story's attributes.
pub(super) const RULES: &[(&str, Rule)] = &[
    ("name", TEXT),
    ("slug", TEXT),
    ("full_slug", TEXT),
    ("parent_id", NUMBER),
    ("group_id", Rule::Uuid),
    ("is_folder", Rule::Flag),
    ("is_startpage", Rule::Flag),
    ("position", POSITION),
    ("tag_list", Rule::Texts),
    ("published", Rule::Flag),
    ("unpublished_changes", Rule::Flag),
    ("_published", Rule::Inside(&[("name", TEXT), ("tag_list", Rule::Texts), ("path", TEXT), ("sort_by_date", Rule::Day)])),
    ("published_at", Rule::Time),
    ("first_published_at", Rule::Time),
    ("created_at", Rule::Time),
    ("updated_at", Rule::Time),
    ("publish_at", TEXT),
    ("expire_at", TEXT),
    ("default_root", TEXT),
    ("disable_fe_editor", Rule::Flag),
    ("disble_fe_editor", Rule::Flag),
    ("pinned", Rule::Flag),
    ("path", TEXT),
    ("sort_by_date", Rule::Day),
    ("translated_slugs", Rule::Each(&[("lang", TEXT), ("slug", TEXT), ("name", TEXT), ("published", Rule::Flag)])),
    ("localized_paths", Rule::Each(&[("lang", TEXT), ("path", TEXT)])),
    ("translated_stories", Rule::Each(&[("lang", TEXT), ("published_at", TEXT), ("unpublished_changes", Rule::Flag)])),
    ("_schedulings", Rule::Each(&[("publish_at", TEXT), ("action", TEXT), ("language", TEXT), ("status", TEXT)])),
];

/// A story or a folder; its content is the draft.
#[derive(Debug, Clone, Deserialize)]
#[expect(clippy::struct_excessive_bools, reason = "a story has so many flags")]
pub struct Story {
    pub id: SourceId<Self>,
    pub uuid: Uuid,
    #[serde(default, deserialize_with = "null_as_default")]
    pub name: String,
    /// The last segment of its path.
    #[serde(default, deserialize_with = "null_as_default")]
    pub slug: String,
    #[serde(default, deserialize_with = "null_as_default")]
    pub full_slug: String,
    /// The id of its folder.
    pub parent_id: Option<SourceId<Self>>,
    /// The UUID that it shares with its alternates.
    pub group_id: Option<Uuid>,
    #[serde(default, deserialize_with = "null_as_default")]
    pub is_folder: bool,
    /// Whether it answers for its folder's path.
    #[serde(default, deserialize_with = "null_as_default")]
    pub is_startpage: bool,
    /// Its position among its siblings.
    #[serde(default, deserialize_with = "null_as_default")]
    pub position: i32,
    #[serde(default, deserialize_with = "null_as_default")]
    pub tag_list: Vec<String>,
    pub content: Option<Box<RawValue>>,
    /// Whether a published copy exists.
    #[serde(default, deserialize_with = "null_as_default")]
    pub published: bool,
    /// Whether that copy differs from the draft.
    #[serde(default, deserialize_with = "null_as_default")]
    pub unpublished_changes: bool,
    /// The differences of the published copy from the draft. Storyblok's story object does not have them; the
    /// source adds them.
    #[serde(rename = "_published")]
    pub published_copy: Option<PublishedCopy>,
    pub published_at: Option<Timestamp>,
    pub first_published_at: Option<Timestamp>,
    pub created_at: Option<Timestamp>,
    /// When it was last saved.
    pub updated_at: Option<Timestamp>,
    pub publish_at: Option<String>,
    /// When it is to be unpublished.
    pub expire_at: Option<String>,
    /// A folder's default content type.
    pub default_root: Option<String>,
    /// Whether the visual editor is off.
    #[serde(default, deserialize_with = "null_as_default")]
    pub disable_fe_editor: bool,
    /// The same in Storyblok's older, misspelled form; a story may have both.
    #[serde(default, deserialize_with = "null_as_default")]
    pub disble_fe_editor: bool,
    #[serde(default, deserialize_with = "null_as_default")]
    pub pinned: bool,
    pub path: Option<String>,
    pub sort_by_date: Option<Date>,
    /// Free data of integrations.
    pub meta_data: Option<Box<RawValue>>,
    /// Its slugs and names in other languages.
    #[serde(default, deserialize_with = "null_as_default")]
    pub translated_slugs: Vec<TranslatedSlug>,
    /// Its paths in other languages.
    #[serde(default, deserialize_with = "null_as_default")]
    pub localized_paths: Vec<LocalizedPath>,
    /// The publication states of its translations, where each is published by itself.
    #[serde(default, deserialize_with = "null_as_default")]
    pub translated_stories: Vec<TranslatedStory>,
    /// Whether its space publishes each translation by itself. Not part of the record; the source sets it.
    #[serde(skip)]
    pub is_by_language: bool,
    /// Further times at which it is to be published. Storyblok lists them separately; the source adds them.
    #[serde(default, rename = "_schedulings", deserialize_with = "null_as_default")]
    pub schedulings: Vec<Scheduling>,
    /// Why the details of a folder could not be read, if it was made of its line in the list. Not part of the
    /// record; the source sets it.
    #[serde(skip)]
    pub details_missing: Option<String>,
    /// What was repaired, one sentence each.
    #[serde(skip)]
    pub repairs: Vec<String>,
}

/// A scheduled publication of a story.
#[derive(Debug, Clone, Deserialize)]
pub struct Scheduling {
    /// When it is due.
    pub publish_at: String,
    /// What is to be done; none means `publish`.
    pub action: Option<String>,
    /// The only language that it is about; none for all.
    pub language: Option<String>,
    /// Its status; none means `scheduled`.
    pub status: Option<String>,
}

/// The attributes in which the published copy of a story differs from the draft.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(default)]
pub struct PublishedCopy {
    pub name: Option<String>,
    pub content: Option<Box<RawValue>>,
    pub tag_list: Option<Vec<String>>,
    /// Another 'real path', or none.
    #[serde(deserialize_with = "present")]
    pub path: Field<Option<String>>,
    /// Another date to sort by, or none.
    #[serde(deserialize_with = "present")]
    pub sort_by_date: Field<Option<Date>>,
    /// Other data of integrations, or none.
    pub meta_data: Field<Option<Box<RawValue>>>,
    /// Whether the copy could not be read. Not part of any file; the source sets it.
    #[serde(skip)]
    pub is_missing: bool,
}

/// A story's slug and name in a language.
#[derive(Debug, Clone, Default, Deserialize)]
pub struct TranslatedSlug {
    #[serde(default, deserialize_with = "null_as_default")]
    pub lang: String,
    pub slug: Option<String>,
    pub name: Option<String>,
    /// Whether the translation is published; `None` where translations are published with their stories.
    pub published: Option<bool>,
}

/// The path of a story in a language.
#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize)]
pub struct LocalizedPath {
    #[serde(default, deserialize_with = "null_as_default")]
    pub lang: String,
    /// The path, without the language in front.
    #[serde(default, deserialize_with = "null_as_default")]
    pub path: String,
}

/// The publication state of a story in a language.
#[derive(Debug, Clone, Default, Deserialize)]
pub struct TranslatedStory {
    #[serde(default, deserialize_with = "null_as_default")]
    pub lang: String,
    /// When it was published; none if it is unpublished.
    pub published_at: Option<String>,
    /// Whether the draft has changed since.
    #[serde(default, deserialize_with = "null_as_default")]
    pub unpublished_changes: bool,
}
