//! Stories and folders (facts, section 2.6).

use super::{
    given,
    mend::{NUMBER, POSITION, Rule, TEXT},
    plain,
};
use crate::content::field::Field;
use jiff::{Timestamp, civil::Date};
use serde::Deserialize;
use serde_json::value::RawValue;
use uuid::Uuid;

/// What the attributes of a story have to be.
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
    ("translated_stories", Rule::Each(&[("lang", TEXT), ("published_at", TEXT), ("unpublished_changes", Rule::Flag)])),
    ("_schedulings", Rule::Each(&[("publish_at", TEXT), ("language", TEXT), ("status", TEXT)])),
];

/// A story or a folder; its content is the draft.
#[derive(Debug, Clone, Deserialize)]
#[expect(clippy::struct_excessive_bools, reason = "a story has so many flags")]
pub struct Story {
    /// Its number.
    pub id: i64,
    /// Its UUID.
    pub uuid: Uuid,
    /// The title.
    #[serde(default, deserialize_with = "plain")]
    pub name: String,
    /// Its own segment of the path.
    #[serde(default, deserialize_with = "plain")]
    pub slug: String,
    /// Its path.
    #[serde(default, deserialize_with = "plain")]
    pub full_slug: String,
    /// The folder it stands in.
    #[serde(default, deserialize_with = "plain")]
    pub parent_id: Option<i64>,
    /// What it shares with its alternates.
    #[serde(default, deserialize_with = "plain")]
    pub group_id: Option<Uuid>,
    /// Whether it is a folder.
    #[serde(default, deserialize_with = "plain")]
    pub is_folder: bool,
    /// Whether it answers for its folder's path.
    #[serde(default, deserialize_with = "plain")]
    pub is_startpage: bool,
    /// Its place among its siblings.
    #[serde(default, deserialize_with = "plain")]
    pub position: i32,
    /// Its tags.
    #[serde(default, deserialize_with = "plain")]
    pub tag_list: Vec<String>,
    /// The content.
    #[serde(default)]
    pub content: Option<Box<RawValue>>,
    /// Whether a published copy exists.
    #[serde(default, deserialize_with = "plain")]
    pub published: bool,
    /// Whether that copy differs from the draft.
    #[serde(default, deserialize_with = "plain")]
    pub unpublished_changes: bool,
    /// What the published copy has instead of the draft; not part of the hosted API. A source that fetches it puts it here.
    #[serde(default, rename = "_published")]
    pub published_copy: Option<PublishedCopy>,
    /// When it was published.
    #[serde(default, deserialize_with = "plain")]
    pub published_at: Option<Timestamp>,
    /// When it was published for the first time.
    #[serde(default, deserialize_with = "plain")]
    pub first_published_at: Option<Timestamp>,
    /// When it was made.
    #[serde(default, deserialize_with = "plain")]
    pub created_at: Option<Timestamp>,
    /// When it was last saved.
    #[serde(default, deserialize_with = "plain")]
    pub updated_at: Option<Timestamp>,
    /// When it is to be published.
    #[serde(default, deserialize_with = "plain")]
    pub publish_at: Option<String>,
    /// When it is to be taken offline.
    #[serde(default, deserialize_with = "plain")]
    pub expire_at: Option<String>,
    /// A folder's default content type.
    #[serde(default, deserialize_with = "plain")]
    pub default_root: Option<String>,
    /// Whether the visual editor is off.
    #[serde(default, deserialize_with = "plain")]
    pub disable_fe_editor: bool,
    /// The same in the hosted service's older spelling; both may be there.
    #[serde(default, deserialize_with = "plain")]
    pub disble_fe_editor: bool,
    /// Whether it is pinned.
    #[serde(default, deserialize_with = "plain")]
    pub pinned: bool,
    /// The 'real path'.
    #[serde(default, deserialize_with = "plain")]
    pub path: Option<String>,
    /// A date to sort by.
    #[serde(default, deserialize_with = "plain")]
    pub sort_by_date: Option<Date>,
    /// Free data of integrations.
    #[serde(default)]
    pub meta_data: Option<Box<RawValue>>,
    /// Its slugs and names in other languages.
    #[serde(default, deserialize_with = "plain")]
    pub translated_slugs: Vec<TranslatedSlug>,
    /// What is published of its translations, where each is published by itself.
    #[serde(default, deserialize_with = "plain")]
    pub translated_stories: Vec<TranslatedStory>,
    /// Whether its space publishes each translation by itself. Not part of the record: the source says so.
    #[serde(skip)]
    pub is_by_language: bool,
    /// When else it is to be published. The hosted API has a list of its own for these; a source that reads it puts them here.
    #[serde(default, rename = "_schedulings", deserialize_with = "plain")]
    pub schedulings: Vec<Scheduling>,
    /// What was wrong with it, and what was done.
    #[serde(skip)]
    pub odd: Vec<String>,
}

/// A planned publish of a story (facts, section 2.7).
#[derive(Debug, Clone, Deserialize)]
pub struct Scheduling {
    /// When.
    pub publish_at: String,
    /// One language alone.
    #[serde(default, deserialize_with = "plain")]
    pub language: Option<String>,
    /// What became of it; none: it waits.
    #[serde(default, deserialize_with = "plain")]
    pub status: Option<String>,
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
    /// Another 'real path', or none.
    #[serde(deserialize_with = "given")]
    pub path: Field<Option<String>>,
    /// Another date to sort by, or none.
    #[serde(deserialize_with = "given")]
    pub sort_by_date: Field<Option<Date>>,
    /// Other data of integrations, or none.
    pub meta_data: Field<Option<Box<RawValue>>>,
    /// It could not be had. Not part of any file: a source says so.
    #[serde(skip)]
    pub is_missing: bool,
}

/// A story's slug and name in a language.
#[derive(Debug, Clone, Default, Deserialize)]
pub struct TranslatedSlug {
    /// The language's code.
    #[serde(default, deserialize_with = "plain")]
    pub lang: String,
    /// The slug.
    #[serde(default, deserialize_with = "plain")]
    pub slug: Option<String>,
    /// The name.
    #[serde(default, deserialize_with = "plain")]
    pub name: Option<String>,
    /// Whether readers see them; nothing is said where translations are published with their stories.
    #[serde(default, deserialize_with = "plain")]
    pub published: Option<bool>,
}

/// What is published of a story in a language.
#[derive(Debug, Clone, Default, Deserialize)]
pub struct TranslatedStory {
    /// The language's code.
    #[serde(default, deserialize_with = "plain")]
    pub lang: String,
    /// When it was published; none: it is not.
    #[serde(default, deserialize_with = "plain")]
    pub published_at: Option<String>,
    /// Whether the draft has moved on since.
    #[serde(default, deserialize_with = "plain")]
    pub unpublished_changes: bool,
}
