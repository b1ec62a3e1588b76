//! The stories and folders that a source lists, before any of them is read.

use domain::content::import::{
    SourceId, Tree,
    prepare::{last_segment, slug_of},
    record::{LocalizedPath, Story},
};
use std::collections::{HashMap, HashSet};
use uuid::Uuid;

/// A story or folder in the list of the source.
#[derive(Debug, Clone)]
pub struct SourceStory {
    pub id: SourceId<Story>,
    pub uuid: Uuid,
    /// Its folder; `NONE` at the top.
    pub parent: SourceId<Story>,
    pub is_folder: bool,
    /// Whether it answers for its folder's path.
    pub is_startpage: bool,
    /// Its slug, if that is not the end of its path.
    pub slug: Option<String>,
    /// Its path, if the source lists it.
    pub full_slug: Option<String>,
    /// The paths of a folder in other languages, as far as the source lists them.
    pub localized: Vec<LocalizedPath>,
}

impl SourceStory {
    /// The slug that it has here unless that is taken, and whether the source knows it by that slug.
    pub(crate) fn slug(&self) -> (String, bool) {
        let path = self.full_slug.as_deref().unwrap_or_default();
        let given = self.slug.as_deref().unwrap_or_else(|| last_segment(path));
        let slug = slug_of(given, path, self.uuid);
        let is_known = slug == given || slug == last_segment(path);
        (slug, is_known)
    }
}

/// All stories and folders of a source, by id, by UUID and by what they stand in.
#[derive(Debug, Default)]
pub struct SourceStories {
    by_id: HashMap<SourceId<Story>, SourceStory>,
    ids: HashMap<Uuid, SourceId<Story>>,
    /// Folder and slug of those whose paths the source knows; start pages have no slug, because they stand at
    /// the path of their folder.
    claims: HashSet<(SourceId<Story>, String)>,
    folders: Tree<SourceId<Story>>,
}

impl SourceStories {
    /// The list of a source.
    pub fn new(listed: impl IntoIterator<Item = SourceStory>) -> Self {
        let mut all = Self::default();
        for story in listed {
            all.ids.entry(story.uuid).or_insert(story.id);
            all.by_id.insert(story.id, story);
        }
        let folders = all.by_id.values().filter(|story| story.is_folder);
        all.folders = Tree::of(&folders.map(|story| (story.id, story.parent)).collect());
        let claim = |story: &SourceStory| {
            let (slug, is_known) = story.slug();
            let slug = if story.is_startpage && !story.is_folder && story.parent != SourceId::NONE { String::new() } else { slug };
            (is_known && !all.folders.is_in_circle(story.id)).then_some((story.parent, slug))
        };
        all.claims = all.by_id.values().filter_map(claim).collect();
        all
    }

    /// The story or folder of an id.
    pub(crate) fn get(&self, id: SourceId<Story>) -> Option<&SourceStory> {
        self.by_id.get(&id)
    }

    /// The id of the story or folder of a UUID.
    pub(crate) fn id_of(&self, uuid: Uuid) -> Option<SourceId<Story>> {
        self.ids.get(&uuid).copied()
    }

    /// All stories and folders, in no order.
    pub(crate) fn iter(&self) -> impl Iterator<Item = &SourceStory> {
        self.by_id.values()
    }

    /// Whether the source has a story or folder of this slug in a folder, `NONE` for the top.
    pub(crate) fn is_claimed(&self, folder: SourceId<Story>, slug: &str) -> bool {
        self.claims.contains(&(folder, slug.to_owned()))
    }

    /// Whether a folder stands in itself, directly or through others.
    pub(crate) fn is_in_circle(&self, id: SourceId<Story>) -> bool {
        self.folders.is_in_circle(id)
    }
}

/// Whether two paths are the same. A source may write the path of a start page with or without the slash at
/// its end.
pub(crate) fn is_same_path(one: &str, other: &str) -> bool {
    one.trim_matches('/') == other.trim_matches('/')
}

/// Whether a path that a source lists for a language is this one, by a way to compare paths. Some sources
/// write the language in front of it.
pub(crate) fn is_localized_path(listed: &LocalizedPath, path: &str, is_same: impl Fn(&str, &str) -> bool) -> bool {
    let without_language = listed.path.strip_prefix(&listed.lang).and_then(|rest| rest.strip_prefix('/'));
    is_same(&listed.path, path) || without_language.is_some_and(|listed| is_same(listed, path))
}

#[cfg(test)]
mod tests {
    use super::{SourceId, SourceStories, SourceStory, is_same_path};
    use uuid::Uuid;

    /// A story whose UUID is ten times its id.
    fn story(id: i64, parent: i64, path: &str) -> SourceStory {
        SourceStory {
            id: SourceId::of(id),
            uuid: Uuid::from_u128(u128::from(id.unsigned_abs()) * 10),
            parent: SourceId::of(parent),
            is_folder: false,
            is_startpage: false,
            slug: None,
            full_slug: Some(path.to_owned()).filter(|path| !path.is_empty()),
            localized: Vec::new(),
        }
    }

    #[test]
    fn stories_are_found_by_id_and_uuid_and_by_folder_and_slug() {
        let folder = SourceStory { is_folder: true, ..story(1, 0, "blog") };
        let startpage = SourceStory { is_startpage: true, ..story(2, 1, "blog/") };
        let odd = SourceStory { slug: Some("x/y".to_owned()), ..story(4, 1, "blog/x/y") };
        let all = SourceStories::new([folder, startpage, story(3, 1, "/blog/post/"), odd, story(5, 0, "")]);
        assert_eq!(
            (all.get(SourceId::of(1)).map(|story| story.uuid.as_u128()), all.get(SourceId::of(9)).is_none()),
            (Some(10), true)
        );
        assert_eq!((all.id_of(Uuid::from_u128(20)), all.id_of(Uuid::from_u128(90))), (Some(SourceId::of(2)), None));
        for (folder, slug, is_claimed) in [
            (0, "blog", true),
            (1, "blog", false),
            (1, "", true),
            (1, "post", true),
            (0, "post", false),
            (1, "x-y", false),
            (1, "y", false),
        ] {
            assert_eq!(all.is_claimed(SourceId::of(folder), slug), is_claimed, "{folder} {slug}");
        }
        assert_eq!(all.get(SourceId::of(4)).unwrap().slug(), ("x-y".to_owned(), false));
        assert_eq!(all.get(SourceId::of(5)).unwrap().slug(), (Uuid::from_u128(50).to_string(), false));
    }

    #[test]
    fn folders_of_a_circle_claim_no_path_and_those_below_them_do() {
        let folder = |id, parent, path| SourceStory { is_folder: true, ..story(id, parent, path) };
        let all = SourceStories::new([folder(1, 2, "b/a"), folder(2, 1, "a/b"), folder(3, 1, "a/c")]);
        assert_eq!([1, 2, 3].map(|id| all.is_in_circle(SourceId::of(id))), [true, true, false]);
        assert_eq!(
            [(2, "a"), (1, "b"), (1, "c")].map(|(folder, slug)| all.is_claimed(SourceId::of(folder), slug)),
            [false, false, true]
        );
    }

    #[test]
    fn a_slash_at_either_end_makes_no_other_path() {
        assert!(is_same_path("blog", "/blog/") && is_same_path("a/b", "a/b"));
        assert!(!is_same_path("a/b", "ab") && !is_same_path("blog", "blogs"));
    }
}
