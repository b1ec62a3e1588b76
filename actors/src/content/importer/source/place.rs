//! What places a record of a list: its id, what it stands in, and of a story what the list of a space says of
//! its path.

use super::ListedId;
use domain::content::import::{Kind, Record, SourceId, prepare, record::LocalizedPath};
use serde::Deserialize;
use serde_json::{Map, Value, json};
use services::content::import::state::SourceStory;
use uuid::Uuid;

/// The attributes by which records are found, ordered and placed. What an unreadable record does not say
/// stays empty; that it is unreadable is reported when the record is read.
#[derive(Debug, Default, Deserialize)]
pub(super) struct Place {
    pub(super) id: ListedId,
    pub(super) uuid: Option<Uuid>,
    pub(super) parent_id: Option<ListedId>,
    pub(super) is_folder: Option<bool>,
    is_startpage: Option<bool>,
    slug: Option<String>,
    pub(super) full_slug: Option<String>,
    localized_paths: Option<Vec<LocalizedPath>>,
}

impl Place {
    /// Reads the place of a record, with odd attributes repaired as they are in the record itself. An error
    /// if the text is no JSON.
    pub(super) fn read(kind: Kind, text: &str) -> serde_json::Result<Self> {
        match serde_json::from_str(text) {
            Err(error) if error.is_data() => Ok(Self::repaired(kind, text)),
            place => place,
        }
    }

    fn of<R>(id: SourceId<R>, parent: Option<SourceId<R>>) -> Self {
        let listed = |id: SourceId<R>| ListedId::of(id.number());
        Self { id: listed(id), parent_id: parent.map(listed), ..Self::default() }
    }

    fn repaired(kind: Kind, text: &str) -> Self {
        match Record::read(kind, text) {
            Record::AssetFolder(record) => Self::of(record.id, record.parent_id),
            Record::ComponentGroup(record) => Self::of(record.id, record.parent_id),
            Record::Story(record) => Self {
                uuid: Some(record.uuid),
                is_folder: Some(record.is_folder),
                is_startpage: Some(record.is_startpage),
                slug: Some(record.slug),
                full_slug: Some(record.full_slug),
                localized_paths: Some(record.localized_paths),
                ..Self::of(record.id, record.parent_id)
            },
            Record::Unreadable { id, .. } => {
                let members: Map<String, Value> = serde_json::from_str(text).unwrap_or_default();
                let flag = |name: &str| members.get(name).and_then(Value::as_bool);
                let text = |name: &str| members.get(name).and_then(Value::as_str);
                Self {
                    id: ListedId::of(id),
                    uuid: text("uuid").and_then(|uuid| uuid.parse().ok()),
                    parent_id: members.get("parent_id").and_then(Value::as_i64).map(ListedId::of),
                    is_folder: flag("is_folder"),
                    is_startpage: flag("is_startpage"),
                    slug: text("slug").map(str::to_owned),
                    full_slug: text("full_slug").map(str::to_owned),
                    localized_paths: None,
                }
            }
            other => Self { id: ListedId::of(other.id()), ..Self::default() },
        }
    }

    /// The id of what it stands in; `NONE` at the top.
    pub(super) fn parent(&self) -> ListedId {
        self.parent_id.unwrap_or_default()
    }

    /// How many bytes its texts take.
    pub(super) fn text_bytes(&self) -> usize {
        let localized = self.folder_paths().iter().flat_map(|localized| [&localized.lang, &localized.path]);
        [&self.slug, &self.full_slug].into_iter().flatten().chain(localized).map(String::len).sum()
    }

    /// The paths of a folder in other languages. Those of a story are read with the story.
    fn folder_paths(&self) -> &[LocalizedPath] {
        self.localized_paths.as_deref().filter(|_| self.is_folder == Some(true)).unwrap_or_default()
    }

    /// The story or folder in the list; `None` without a UUID.
    pub(super) fn into_header(self) -> Option<SourceStory> {
        let parent = SourceId::of(self.parent().number());
        let localized = prepare::localized_paths(self.folder_paths());
        let path = self.full_slug.as_deref().unwrap_or_default();
        let slug = self.slug.filter(|slug| slug != prepare::last_segment(path));
        Some(SourceStory {
            id: SourceId::of(self.id.number()),
            uuid: self.uuid?,
            parent,
            is_folder: self.is_folder.unwrap_or(false),
            is_startpage: self.is_startpage.unwrap_or(false),
            slug,
            full_slug: self.full_slug.filter(|path| !path.is_empty()),
            localized,
        })
    }
}

/// A folder made of its line in the list, because its details could not be read: what is below it keeps its
/// place. `None` if the line makes none.
pub(super) fn folder_of_line(line: &str, why: &str) -> Option<Record> {
    let Record::Story(mut folder) = Record::read(Kind::Folder, line) else { return None };
    folder.details_missing = Some(why.to_owned());
    folder.is_folder.then_some(Record::Story(folder))
}

/// The line of a story or folder, as a list has it that says no more.
pub(super) fn line(listed: &SourceStory) -> String {
    let SourceStory { id, uuid, parent, is_folder, .. } = listed;
    let path = listed.full_slug.as_deref().unwrap_or_default();
    let slug = listed.slug.as_deref().unwrap_or_else(|| prepare::last_segment(path));
    json!({ "id": id, "uuid": uuid, "parent_id": parent, "is_folder": is_folder, "name": slug, "slug": slug, "full_slug": path })
        .to_string()
}

#[cfg(test)]
mod tests {
    use super::{LocalizedPath, Place, SourceId, folder_of_line, line};
    use domain::content::import::{Kind, Record};
    use serde_json::json;

    const UUID: &str = "00000000-0000-4000-8000-00000000000a";

    #[test]
    fn odd_attributes_of_a_place_are_repaired_as_in_the_record() {
        let usual = json!({"id": 7, "uuid": UUID, "parent_id": 5, "is_folder": true, "slug": "b", "full_slug": "a/b"});
        let read = |more: serde_json::Value| {
            let mut line = usual.clone();
            line.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
            let place = Place::read(Kind::Story, &line.to_string()).unwrap();
            (
                place.parent().number(),
                place.is_folder,
                place.uuid.is_some(),
                place.into_header().map(|header| (header.slug, header.full_slug)),
            )
        };
        let path = Some("a/b".to_owned());
        for (more, parent) in
            [(json!({}), 5), (json!({"parent_id": "5"}), 5), (json!({"is_folder": 1}), 5), (json!({"parent_id": []}), 0)]
        {
            assert_eq!(read(more.clone()), (parent, Some(true), true, Some((None, path.clone()))), "{more}");
        }
        assert_eq!(read(json!({"slug": "c"})).3, Some((Some("c".to_owned()), path.clone())));
        assert_eq!(read(json!({"uuid": "x"})), (5, Some(true), false, None), "an unreadable folder stays one");
        assert_eq!(Place::read(Kind::AssetFolder, r#"{"id":7,"parent_id":"5"}"#).unwrap().parent().number(), 5);
        assert_eq!(Place::read(Kind::Component, r#"{"name":"x"}"#).unwrap().id.number(), 0);
        assert!(Place::read(Kind::Story, "{").is_err());
    }

    #[test]
    fn a_folder_has_its_paths_in_other_languages_and_a_story_brings_them_later() {
        let de = LocalizedPath { lang: "de".to_owned(), path: "de/x".to_owned() };
        for (is_folder, expected) in [(true, vec![de]), (false, vec![])] {
            let line = json!({"id": 7, "uuid": UUID, "is_folder": is_folder, "full_slug": "a",
                "localized_paths": [{"lang": "de", "path": "de/x"}, {"lang": "fr", "path": null}]});
            assert_eq!(Place::read(Kind::Story, &line.to_string()).unwrap().into_header().unwrap().localized, expected);
        }
    }

    #[test]
    fn a_folder_is_made_of_its_line_and_a_story_is_not() {
        let listed = |is_folder: bool| {
            let text = json!({"id": 7, "uuid": UUID, "parent_id": 5, "is_folder": is_folder, "full_slug": "a/b"});
            line(&Place::read(Kind::Story, &text.to_string()).unwrap().into_header().unwrap())
        };
        let Some(Record::Story(folder)) = folder_of_line(&listed(true), "no answer") else { panic!() };
        assert_eq!((folder.id, folder.parent_id, folder.name.as_str()), (SourceId::of(7), Some(SourceId::of(5)), "b"));
        assert_eq!(
            (folder.slug.as_str(), folder.full_slug.as_str(), folder.details_missing.as_deref()),
            ("b", "a/b", Some("no answer"))
        );
        assert!(folder_of_line(&listed(false), "no answer").is_none() && folder_of_line("{}", "no answer").is_none());
    }
}
