//! The stories and folders that a source lists, before any of them is read.

use std::collections::{HashMap, HashSet};
use uuid::Uuid;

/// A story or folder in the list of the source.
#[derive(Debug, Clone)]
pub struct SourceStory {
    /// Its UUID.
    pub uuid: Uuid,
    /// Whether it is a folder.
    pub is_folder: bool,
    /// Its path, if the source lists it.
    pub full_slug: Option<String>,
}

/// All stories and folders of a source, by id, by UUID and by path.
#[derive(Debug, Default)]
pub struct SourceStories {
    by_id: HashMap<i64, SourceStory>,
    ids: HashMap<Uuid, i64>,
    paths: HashSet<String>,
}

impl SourceStories {
    /// The list of a source: id and story.
    pub fn new(listed: impl IntoIterator<Item = (i64, SourceStory)>) -> Self {
        let mut all = Self::default();
        for (id, story) in listed {
            all.ids.insert(story.uuid, id);
            all.paths.extend(story.full_slug.as_deref().map(|path| bare(path).to_owned()));
            all.by_id.insert(id, story);
        }
        all
    }

    /// The story or folder of an id.
    pub(crate) fn get(&self, id: i64) -> Option<&SourceStory> {
        self.by_id.get(&id)
    }

    /// The id and the path of the story or folder of a UUID, if the source lists its path.
    pub(crate) fn place_of(&self, uuid: Uuid) -> Option<(i64, &str)> {
        let id = *self.ids.get(&uuid)?;
        Some((id, self.get(id)?.full_slug.as_deref()?))
    }

    /// Whether any story or folder of the source has a path.
    pub(crate) fn has_path(&self, path: &str) -> bool {
        self.paths.contains(bare(path))
    }
}

/// Whether two paths are the same. A source may write the path of a start page with or without the slash at its end.
pub(crate) fn is_same_path(one: &str, other: &str) -> bool {
    bare(one) == bare(other)
}

fn bare(path: &str) -> &str {
    path.trim_matches('/')
}

#[cfg(test)]
mod tests {
    use super::{SourceStories, SourceStory, is_same_path};
    use uuid::Uuid;

    #[test]
    fn stories_are_found_by_id_uuid_and_path() {
        let story = |number, path: Option<&str>| SourceStory {
            uuid: Uuid::from_u128(number),
            is_folder: false,
            full_slug: path.map(str::to_owned),
        };
        let all = SourceStories::new([(1, story(10, Some("blog/"))), (2, story(20, None))]);
        assert_eq!((all.get(1).map(|story| story.uuid.as_u128()), all.get(3).is_none()), (Some(10), true));
        assert_eq!(all.place_of(Uuid::from_u128(10)), Some((1, "blog/")));
        assert_eq!((all.place_of(Uuid::from_u128(20)), all.place_of(Uuid::from_u128(30))), (None, None));
        assert_eq!(["blog", "blog/", "/blog", "blo", ""].map(|path| all.has_path(path)), [true, true, true, false, false]);
    }

    #[test]
    fn a_slash_at_either_end_makes_no_other_path() {
        assert!(is_same_path("blog", "/blog/") && is_same_path("a/b", "a/b"));
        assert!(!is_same_path("a/b", "ab") && !is_same_path("blog", "blogs"));
    }
}
