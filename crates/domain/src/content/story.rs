//! A story or a folder: its states and what may happen to it.
//!
//! ```text
//!            publish                 save (content differs)
//!   draft ───────────▶ published ───────────────────▶ published, changed
//!     ▲                 │   ▲                             │  │
//!     └── unpublish ────┘   └── publish, discard changes ─┘  │
//!     └──────────────────── unpublish ───────────────────────┘
//! ```
//! A folder has no such states. Deleting is soft and keeps the state for an undelete, but what is deleted is
//! no longer published.
//!
//! What a publish copies is the **edition**: name, content, tags, sort date, real path, meta data. The place
//! of a story (slug, folder, position, start page) has no draft: a change is visible to every reader at once.

use super::scheduling::PublishSchedule;
use crate::shared::{Authorship, Fault, FieldCode, StoryId, json};
use jiff::{Timestamp, civil::Date};
use serde_json::value::RawValue;
use strum::EnumString;
use uuid::Uuid;

mod story_content;
mod translations;

pub use story_content::StoryContent;
pub use translations::{PublishedTranslation, PublishedTranslations};

/// Whether a story can be read by the public.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Publication {
    /// Only the draft exists.
    Draft,
    /// A published copy exists.
    Published {
        /// The version that was published.
        version: i32,
        /// The time of the publish.
        at: Timestamp,
        /// Whether the draft differs from the published edition.
        changed: bool,
    },
}

/// What a list of stories can be narrowed to. A folder is in none of them.
#[derive(Debug, Clone, Copy, PartialEq, Eq, EnumString)]
#[strum(serialize_all = "snake_case")]
pub enum StoryState {
    /// Not published.
    Draft,
    /// Published, and the draft is the same.
    Published,
    /// Published, and the draft differs.
    Changed,
    /// A publish is planned, whatever else the story is.
    Scheduled,
}

/// What a publish copies: the part of a story that exists as draft and as published copy.
#[derive(Debug, Clone)]
pub struct Edition {
    pub name: String,
    /// The name of the root component; `None` for a folder.
    pub component: Option<String>,
    pub content: StoryContent,
    /// Tags, without repetition, in the author's order.
    pub tags: Vec<String>,
    /// A date to sort by.
    pub sort_by_date: Option<Date>,
    /// The 'real path' that a front end may use instead of the full slug.
    pub path: Option<String>,
    /// Free data of integrations.
    pub meta_data: Option<Box<RawValue>>,
}

impl Edition {
    /// Whether the value of any field differs. The order of keys in content and meta data is no part of their
    /// value.
    pub fn differs_from(&self, other: &Self) -> bool {
        !self.has_fields_of(other, json::same_value, StoryContent::has_value_of)
    }

    /// Whether every field is written in the same way, with the keys of content and meta data in the same
    /// order.
    pub fn is_written_as(&self, other: &Self) -> bool {
        let is_same = |one: &RawValue, other: &RawValue| one.get() == other.get();
        self.has_fields_of(other, is_same, |one, other| is_same(one.text(), other.text()))
    }

    /// Whether its meta data has the same value.
    pub fn has_meta_data_of(&self, other: &Self) -> bool {
        same_data(self.meta_data.as_deref(), other.meta_data.as_deref(), json::same_value)
    }

    fn has_fields_of(
        &self,
        other: &Self,
        is_same: impl Fn(&RawValue, &RawValue) -> bool,
        is_same_content: impl Fn(&StoryContent, &StoryContent) -> bool,
    ) -> bool {
        let has_same_data = same_data(self.meta_data.as_deref(), other.meta_data.as_deref(), is_same);
        self.name == other.name
            && self.tags == other.tags
            && self.sort_by_date == other.sort_by_date
            && self.path == other.path
            && has_same_data
            && is_same_content(&self.content, &other.content)
    }
}

fn same_data(one: Option<&RawValue>, other: Option<&RawValue>, is_same: impl Fn(&RawValue, &RawValue) -> bool) -> bool {
    match (one, other) {
        (Some(one), Some(other)) => is_same(one, other),
        (one, other) => one.is_none() && other.is_none(),
    }
}

/// The place of a story in its space.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StoryPlace {
    /// The folder, [`StoryId::ROOT`] at the top.
    pub parent: StoryId,
    /// The story's own segment of the path.
    pub slug: String,
    /// The whole path; see [`crate::content::slug`].
    pub full_slug: String,
    /// The position among its siblings, ascending.
    pub position: i32,
    /// Whether it answers for its folder's path.
    pub is_startpage: bool,
}

/// A stored story or folder.
#[expect(clippy::struct_excessive_bools, reason = "they are columns of its row")]
#[derive(Debug, Clone)]
pub struct Story {
    pub id: StoryId,
    /// Its UUID, which never changes.
    pub uuid: Uuid,
    /// Shared by the alternates of a story.
    pub group_id: Uuid,
    /// A folder has children and no published copy.
    pub is_folder: bool,
    pub place: StoryPlace,
    /// A folder's default content type for its children.
    pub default_root: Option<String>,
    /// Whether the visual editor is off for it.
    pub disable_fe_editor: bool,
    /// Whether an editor pinned it.
    pub pinned: bool,
    /// Whether and since when it is published.
    pub publication: Publication,
    /// The translations that are published, once some were published on their own; `None` when all are as the
    /// story is.
    pub translations: Option<PublishedTranslations>,
    /// The number of its newest version.
    pub last_version: i32,
    /// The time of its creation.
    pub created_at: Timestamp,
    /// The time of the last save.
    pub updated_at: Timestamp,
    /// The time of the first publish.
    pub first_published_at: Option<Timestamp>,
    /// Grows with each change of what is shown of it to those who write: of its own, of the folders above, of
    /// its alternates, and of the languages of the space.
    pub revision: i64,
    /// Who changed it last.
    pub author: Authorship,
    /// Whether its draft is one that no version holds.
    pub is_autosaved: bool,
    /// The times of its scheduled publish and unpublish.
    pub schedule: PublishSchedule,
    /// The time of its deletion, if it is deleted.
    pub deleted_at: Option<Timestamp>,
}

impl Story {
    /// Whether a published copy exists.
    pub fn is_published(&self) -> bool {
        matches!(self.publication, Publication::Published { .. })
    }

    /// Whether the draft has changes that are not published. A folder never has.
    pub fn has_unpublished_changes(&self) -> bool {
        match self.publication {
            Publication::Draft => !self.is_folder,
            Publication::Published { changed, .. } => changed,
        }
    }

    /// The time of the last publish.
    pub fn published_at(&self) -> Option<Timestamp> {
        match self.publication {
            Publication::Draft => None,
            Publication::Published { at, .. } => Some(at),
        }
    }

    /// The story after its draft was saved as a version; `differs` says whether the draft now differs from
    /// the published copy.
    #[must_use]
    pub fn saved(mut self, version: i32, at: Timestamp, differs: bool) -> Self {
        self.is_autosaved &= version == self.last_version;
        self.last_version = version;
        self.updated_at = at;
        if let Publication::Published { changed, .. } = &mut self.publication {
            *changed = differs;
        }
        self
    }

    /// The story after its draft was published as a version. 422 for a folder.
    pub fn publish(mut self, version: i32, at: Timestamp) -> Result<Self, Fault> {
        if self.is_folder {
            return Err(Fault::invalid("base", FieldCode::Folder, "A folder cannot be published"));
        }
        self.is_autosaved = false;
        self.last_version = version;
        self.first_published_at.get_or_insert(at);
        self.schedule.publish_at = None;
        self.translations = None;
        self.publication = Publication::Published { version, at, changed: false };
        Ok(self)
    }

    /// The story after its deletion: it keeps its draft, and is neither published nor scheduled any more.
    #[must_use]
    pub fn delete(mut self, at: Timestamp) -> Self {
        self.publication = Publication::Draft;
        self.translations = None;
        self.schedule = PublishSchedule::default();
        self.deleted_at = Some(at);
        self
    }

    /// The story without its published copy. 422 when it has none.
    pub fn unpublish(mut self) -> Result<Self, Fault> {
        if !self.is_published() {
            return Err(Fault::invalid("base", FieldCode::NotPublished, "The story is not published"));
        }
        self.publication = Publication::Draft;
        self.translations = None;
        self.schedule.expire_at = None;
        Ok(self)
    }
}

/// Tags as they are stored: trimmed, none blank, none twice.
pub fn clean_tags(tags: Vec<String>) -> Result<Vec<String>, Fault> {
    let mut cleaned: Vec<String> = Vec::with_capacity(tags.len());
    for tag in tags {
        let tag = tag.trim();
        if tag.chars().count() > 255 {
            return Err(Fault::invalid("tag_list", FieldCode::TooLong, "has a tag longer than 255 characters"));
        }
        if !tag.is_empty() && !cleaned.iter().any(|c| c == tag) {
            cleaned.push(tag.to_owned());
        }
    }
    if cleaned.len() > 500 {
        return Err(Fault::invalid("tag_list", FieldCode::TooMany, "has more than 500 tags"));
    }
    Ok(cleaned)
}

/// A story's name, stored as it was sent, leading and trailing blanks included. 422 on `name` when blank or
/// longer than 255 characters.
pub fn clean_name(name: &str) -> Result<String, Fault> {
    if name.trim().is_empty() {
        return Err(Fault::invalid("name", FieldCode::Blank, "can't be blank"));
    }
    if name.chars().count() > 255 {
        return Err(Fault::invalid("name", FieldCode::TooLong, "is too long (maximum is 255 characters)"));
    }
    Ok(name.to_owned())
}

#[cfg(test)]
mod tests;
