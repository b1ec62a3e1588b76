//! The stories and folders that a source lists, before any of them is read.

use domain::content::import::{
    Tree,
    prepare::{last_segment, slug_of},
};
use std::collections::{HashMap, HashSet};
use uuid::Uuid;

/// A story or folder in the list of the source.
#[derive(Debug, Clone)]
pub struct SourceStory {
    pub uuid: Uuid,
    /// The id of its folder; 0 at the top.
    pub parent: i64,
    /// Whether it is a folder.
    pub is_folder: bool,
    /// Whether it answers for its folder's path.
    pub is_startpage: bool,
    /// Its slug, if that is not the end of its path.
    pub slug: Option<String>,
    /// Its path, if the source lists it.
    pub full_slug: Option<String>,
    /// Of a folder: language and path in other languages, as far as the source lists them.
    pub localized: Vec<(String, String)>,
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
    by_id: HashMap<i64, SourceStory>,
    ids: HashMap<Uuid, i64>,
    /// Folder and slug of those whose paths the source knows; start pages have no slug, because they stand at the path of their folder.
    claims: HashSet<(i64, String)>,
    /// The tree of the folders.
    folders: Tree,
}

impl SourceStories {
    /// The list of a source: id and story.
    pub fn new(listed: impl IntoIterator<Item = (i64, SourceStory)>) -> Self {
        let mut all = Self::default();
        for (id, story) in listed {
            all.ids.entry(story.uuid).or_insert(id);
            all.by_id.insert(id, story);
        }
        let folders = all.by_id.iter().filter(|(_, story)| story.is_folder);
        all.folders = Tree::of(&folders.map(|(id, story)| (*id, story.parent)).collect());
        let claim = |(id, story): (&i64, &SourceStory)| {
            let (slug, is_known) = story.slug();
            let slug = if story.is_startpage && !story.is_folder && story.parent != 0 { String::new() } else { slug };
            (is_known && !all.folders.is_in_circle(*id)).then_some((story.parent, slug))
        };
        all.claims = all.by_id.iter().filter_map(claim).collect();
        all
    }

    /// The story or folder of an id.
    pub(crate) fn get(&self, id: i64) -> Option<&SourceStory> {
        self.by_id.get(&id)
    }

    /// The id of the story or folder of a UUID.
    pub(crate) fn id_of(&self, uuid: Uuid) -> Option<i64> {
        self.ids.get(&uuid).copied()
    }

    /// Whether the source has a story or folder of this slug in a folder, 0 for the top.
    pub(crate) fn is_claimed(&self, folder: i64, slug: &str) -> bool {
        self.claims.contains(&(folder, slug.to_owned()))
    }

    /// Whether a folder stands in itself, directly or through others.
    pub(crate) fn is_in_circle(&self, id: i64) -> bool {
        self.folders.is_in_circle(id)
    }
}

/// Whether two paths are the same. A source may write the path of a start page with or without the slash at its end.
pub(crate) fn is_same_path(one: &str, other: &str) -> bool {
    one.trim_matches('/') == other.trim_matches('/')
}

/// Whether a path that a source lists for a language is this one, by a way to compare paths. Some sources write the language in front of it.
pub(crate) fn is_localized_path(lang: &str, listed: &str, path: &str, is_same: impl Fn(&str, &str) -> bool) -> bool {
    let without_language = listed.strip_prefix(lang).and_then(|rest| rest.strip_prefix('/'));
    is_same(listed, path) || without_language.is_some_and(|listed| is_same(listed, path))
}

#[cfg(test)]
mod tests {
    use super::{SourceStories, SourceStory, is_same_path};
    use uuid::Uuid;

    fn story(number: u128, parent: i64, path: &str) -> SourceStory {
        SourceStory {
            uuid: Uuid::from_u128(number),
            parent,
            is_folder: false,
            is_startpage: false,
            slug: None,
            full_slug: Some(path.to_owned()).filter(|path| !path.is_empty()),
            localized: Vec::new(),
        }
    }

    #[test]
    fn stories_are_found_by_id_and_uuid_and_by_folder_and_slug() {
        let folder = SourceStory { is_folder: true, ..story(10, 0, "blog") };
        let startpage = SourceStory { is_startpage: true, ..story(20, 1, "blog/") };
        let odd = SourceStory { slug: Some("x/y".to_owned()), ..story(40, 1, "blog/x/y") };
        let all =
            SourceStories::new([(1, folder), (2, startpage), (3, story(30, 1, "/blog/post/")), (4, odd), (5, story(50, 0, ""))]);
        assert_eq!((all.get(1).map(|story| story.uuid.as_u128()), all.get(9).is_none()), (Some(10), true));
        assert_eq!((all.id_of(Uuid::from_u128(20)), all.id_of(Uuid::from_u128(90))), (Some(2), None));
        for (folder, slug, is_claimed) in [
            (0, "blog", true),
            (1, "blog", false),
            (1, "", true),
            (1, "post", true),
            (0, "post", false),
            (1, "x-y", false),
            (1, "y", false),
        ] {
            assert_eq!(all.is_claimed(folder, slug), is_claimed, "{folder} {slug}");
        }
        assert_eq!(all.get(4).unwrap().slug(), ("x-y".to_owned(), false));
        assert_eq!(all.get(5).unwrap().slug(), (Uuid::from_u128(50).to_string(), false));
    }

    #[test]
    fn folders_of_a_circle_claim_no_path_and_those_below_them_do() {
        let folder = |number, parent, path| SourceStory { is_folder: true, ..story(number, parent, path) };
        let all = SourceStories::new([(1, folder(10, 2, "b/a")), (2, folder(20, 1, "a/b")), (3, folder(30, 1, "a/c"))]);
        assert_eq!([1, 2, 3].map(|id| all.is_in_circle(id)), [true, true, false]);
        assert_eq!([(2, "a"), (1, "b"), (1, "c")].map(|(folder, slug)| all.is_claimed(folder, slug)), [false, false, true]);
    }

    #[test]
    fn a_slash_at_either_end_makes_no_other_path() {
        assert!(is_same_path("blog", "/blog/") && is_same_path("a/b", "a/b"));
        assert!(!is_same_path("a/b", "ab") && !is_same_path("blog", "blogs"));
    }
}
