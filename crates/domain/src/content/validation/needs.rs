//! What a validation has to know beside content and schemas.

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};
use uuid::Uuid;

/// What has to be read: only what the content names.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Needs {
    /// Values by the slugs of the datasources that should have them.
    pub entries: BTreeMap<String, BTreeSet<String>>,
    /// Stories that are referred or linked to.
    pub stories: BTreeSet<StoryKey>,
    /// Whether the languages of the space are named.
    pub languages: bool,
}

impl Needs {
    pub(super) fn is_empty(&self) -> bool {
        *self == Self::default()
    }
}

/// What was read.
#[derive(Debug, Clone, Default)]
pub struct Surroundings {
    /// Those of the values that exist, by the slugs of their datasources.
    pub entries: HashMap<String, HashSet<String>>,
    /// Those of the stories that exist and are not deleted.
    pub stories: HashMap<StoryKey, StoryTarget>,
    /// The codes of the languages of the space, beside the default one.
    pub languages: HashSet<String>,
}

/// How content names a story.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum StoryKey {
    Uuid(Uuid),
    Number(i64),
}

impl StoryKey {
    /// Reads a UUID or a number; `None` for anything else.
    pub(super) fn read(text: &str) -> Option<Self> {
        let text = text.trim();
        text.parse().map(Self::Uuid).ok().or_else(|| text.parse().map(Self::Number).ok())
    }
}

/// A story that is referred or linked to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StoryTarget {
    /// The component of its root block; none of a folder.
    pub content_type: Option<String>,
    pub full_slug: String,
}

/// What is known about something outside of the content.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Known<T> {
    /// It has not been read yet.
    NotYet,
    Missing,
    There(T),
}
