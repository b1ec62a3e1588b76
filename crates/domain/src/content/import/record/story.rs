//! Stories and folders (facts, section 2.6).

use super::{given, lenient};
use crate::content::field::Field;
use jiff::{Timestamp, civil::Date};
use serde::Deserialize;
use serde_json::value::RawValue;
use uuid::Uuid;

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
    /// What is published of its translations, where each is published by itself.
    #[serde(default, deserialize_with = "lenient")]
    pub translated_stories: Vec<TranslatedStory>,
    /// Whether its space publishes each translation by itself. Not part of the record: the source says so.
    #[serde(skip)]
    pub is_by_language: bool,
    /// When else it is to be published. The hosted API has a list of its own for these; a source that reads it puts them here.
    #[serde(default, rename = "_schedulings", deserialize_with = "lenient")]
    pub schedulings: Vec<Scheduling>,
}

/// A planned publish of a story (facts, section 2.7).
#[derive(Debug, Clone, Deserialize)]
pub struct Scheduling {
    /// When.
    pub publish_at: String,
    /// One language alone.
    #[serde(default, deserialize_with = "lenient")]
    pub language: Option<String>,
    /// What became of it; none: it waits.
    #[serde(default, deserialize_with = "lenient")]
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
    #[serde(default, deserialize_with = "lenient")]
    pub lang: String,
    /// The slug.
    #[serde(default, deserialize_with = "lenient")]
    pub slug: Option<String>,
    /// The name.
    #[serde(default, deserialize_with = "lenient")]
    pub name: Option<String>,
    /// Whether readers see them; nothing is said where translations are published with their stories.
    #[serde(default, deserialize_with = "lenient")]
    pub published: Option<bool>,
}

/// What is published of a story in a language.
#[derive(Debug, Clone, Default, Deserialize)]
pub struct TranslatedStory {
    /// The language's code.
    #[serde(default, deserialize_with = "lenient")]
    pub lang: String,
    /// When it was published; none: it is not.
    #[serde(default, deserialize_with = "lenient")]
    pub published_at: Option<String>,
    /// Whether the draft has moved on since.
    #[serde(default, deserialize_with = "lenient")]
    pub unpublished_changes: bool,
}
