//! What a running import knows of both sides: loaded from rows when it starts, updated after each chunk.

mod source_stories;

pub use source_stories::{SourceStories, SourceStory};
pub(crate) use source_stories::{is_localized_path, is_same_path};

use domain::{
    content::{
        asset_folder::AssetFolder,
        component_group::ComponentGroup,
        import::{Kind, rewrite::IdMaps},
    },
    shared::{ImportId, SpaceId},
};
use std::collections::{BTreeMap, HashMap, HashSet};
use storage::{
    Executor, Result,
    content::{
        assets,
        imports::{displaced_stories::DisplacedStory, entries, ids, ids::IdMapping, lookups, stories},
    },
};
/// A story folder.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Folder {
    pub(crate) id: i64,
    pub(crate) full_slug: String,
    /// Its paths in other languages, by language.
    pub(crate) translated: BTreeMap<String, String>,
}

impl Folder {
    /// Whether a path is that of this folder or below it.
    pub(crate) fn is_or_holds(&self, path: &str) -> bool {
        path.strip_prefix(self.full_slug.as_str()).is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
    }

    /// Whether its path in any language is another one than before.
    pub(crate) fn has_moved_since(&self, before: &Self) -> bool {
        let is_same = |(lang, path): (&String, &String)| self.translated.get(lang).unwrap_or(&self.full_slug) == path;
        self.full_slug != before.full_slug || !before.translated.iter().all(is_same)
    }

    /// Whether its path is another one than at the source: in a language, or in the default one. A language of which the source says nothing follows
    /// the default one.
    pub(crate) fn is_elsewhere(&self, source: &SourceStory, lang: Option<&str>) -> bool {
        let listed = lang.and_then(|lang| source.localized.iter().find(|(of, _)| of == lang));
        match listed {
            Some((lang, path)) => {
                let here = self.translated.get(lang).unwrap_or(&self.full_slug);
                !is_localized_path(lang, path, here, is_same_path)
            }
            None => source.full_slug.as_deref().is_some_and(|path| !is_same_path(path, &self.full_slug)),
        }
    }

    /// This folder after one above it has moved, in all languages; `None` if it is not below that one.
    pub(crate) fn moved_with(&self, above: &Self, to: &Self) -> Option<Self> {
        let moved = |path: &str, from: &str, to: &str| {
            path.strip_prefix(from).filter(|rest| rest.starts_with('/')).map(|rest| format!("{to}{rest}"))
        };
        let full_slug = moved(&self.full_slug, &above.full_slug, &to.full_slug)?;
        let in_language = |(lang, path): (&String, &String)| {
            let from = above.translated.get(lang).unwrap_or(&above.full_slug);
            let to = to.translated.get(lang).unwrap_or(&to.full_slug);
            (lang.clone(), moved(path, from, to).unwrap_or_else(|| path.clone()))
        };
        Some(Self { id: self.id, full_slug, translated: self.translated.iter().map(in_language).collect() })
    }
}

/// The rows that a dry run would have created by now; asset folders and component groups also as it would have changed them.
#[derive(Debug, Clone, Default)]
pub struct DryRunCreated {
    pub(crate) asset_folders: Vec<AssetFolder>,
    pub(crate) groups: Vec<ComponentGroup>,
    pub(crate) components: Vec<(String, i64)>,
    pub(crate) datasources: Vec<lookups::Datasource>,
    /// Datasource id, code, id.
    pub(crate) dimensions: Vec<(i64, String, i64)>,
}

impl DryRunCreated {
    /// Adds what a chunk would have created.
    pub(crate) fn extend(&mut self, chunk: Self) {
        self.asset_folders.extend(chunk.asset_folders);
        self.groups.extend(chunk.groups);
        self.components.extend(chunk.components);
        self.datasources.extend(chunk.datasources);
        self.dimensions.extend(chunk.dimensions);
    }
}

/// What a running import knows.
#[derive(Debug, Default)]
pub struct ImportState {
    /// The public URL of this server.
    pub(crate) base_url: String,
    /// The id of the source's space.
    pub(crate) source_space: i64,
    /// Whether the source is an export of the very space that it is imported into.
    pub(crate) is_same_space: bool,
    /// The mappings from the source's ids, by kind.
    ids: HashMap<Kind, HashMap<i64, IdMapping>>,
    /// Story folders, by their ids at the source.
    pub(crate) folders: HashMap<i64, Folder>,
    /// The paths of story folders when the import started, by their ids here. A dry run does not move them.
    pub(crate) original_paths: HashMap<i64, String>,
    /// The ids at the source of folders that are in the trash here.
    pub(crate) trashed_folders: HashSet<i64>,
    /// The ids at the source of the stories and folders that this import has written or found unchanged.
    pub(crate) settled_stories: HashSet<i64>,
    /// The stories and folders that the source lists.
    pub source_stories: SourceStories,
    /// Stories that a dry run would have displaced.
    pub(crate) displaced: Vec<DisplacedStory>,
    /// The ids of stories that a dry run would have moved to their own paths.
    pub(crate) arrived: HashSet<i64>,
    /// Maps for rewriting content.
    pub maps: IdMaps,
    /// The URLs of imported assets by their ids here, including those in the trash.
    pub asset_urls: HashMap<i64, String>,
    /// The ids of imported assets that are in the trash here.
    pub trashed_assets: HashSet<i64>,
    /// The component that has a preset as its default, by the preset's id at the source: the component's id there, and its name.
    pub default_presets: HashMap<i64, (i64, String)>,
    /// The datasource entries that this import has brought: the source's id by datasource and name.
    pub(crate) entry_names: HashMap<(i64, String), i64>,
    /// The paths that the stories of a dry run would occupy.
    pub(crate) occupied: HashSet<String>,
    /// The rows that a dry run would have created.
    pub(crate) dry_run_created: DryRunCreated,
    /// The last id that a dry run invented. Fake ids are negative.
    pub(crate) last_fake_id: i64,
}

impl ImportState {
    /// Loads the state of an import from rows.
    pub async fn load(
        executor: &impl Executor,
        space: SpaceId,
        import: ImportId,
        (source_space, is_same_space): (i64, bool),
        base_url: &str,
    ) -> Result<Self> {
        let mut state = Self { source_space, is_same_space, base_url: base_url.to_owned(), ..Self::default() };
        for kind in [
            Kind::AssetFolder,
            Kind::Asset,
            Kind::ComponentGroup,
            Kind::Component,
            Kind::Preset,
            Kind::Datasource,
            Kind::DatasourceEntry,
            Kind::Story,
        ] {
            state.ids.insert(kind, ids::list(executor, space, source_space, kind, import).await?.into_iter().collect());
        }
        for (name, schema) in lookups::schemas(executor, space).await? {
            state.maps.schemas.insert(&name, &schema);
        }
        state.maps.known = stories::list_uuids(executor, space).await?.into_iter().map(|(uuid, _)| uuid).collect();
        state.load_folders(executor, space).await?;
        let assets = state.ids.get(&Kind::Asset).into_iter().flatten();
        state.maps.assets = assets.map(|(source_id, mapping)| (*source_id, mapping.id)).collect();
        let numbers: Vec<i64> =
            if is_same_space { lookups::assets(executor, space).await? } else { state.maps.assets.values().copied().collect() };
        let assets = assets::find_any(executor, space, &numbers).await?;
        state.trashed_assets = assets.iter().filter(|asset| asset.deleted_at.is_some()).map(|asset| asset.id.0).collect();
        state.asset_urls = assets.into_iter().map(|asset| (asset.id.0, format!("{base_url}{}", asset.file.path()))).collect();
        Ok(state)
    }

    /// Loads what is known of stories and folders that were imported before.
    async fn load_folders(&mut self, executor: &impl Executor, space: SpaceId) -> Result<()> {
        let mut translated: HashMap<i64, BTreeMap<String, String>> = HashMap::new();
        for (id, lang, path) in stories::list_folder_translations(executor, space).await? {
            translated.entry(id).or_default().insert(lang, path);
        }
        let (deleted, folders): (Vec<_>, Vec<_>) =
            stories::list_folders(executor, space).await?.into_iter().partition(|folder| folder.is_deleted);
        let deleted: HashSet<i64> = deleted.into_iter().map(|folder| folder.id).collect();
        self.original_paths = folders.into_iter().map(|folder| (folder.id, folder.full_slug)).collect();
        for (source_id, mapping) in self.ids.get(&Kind::Story).into_iter().flatten() {
            if let Some(full_slug) = self.original_paths.get(&mapping.id) {
                let translated = translated.get(&mapping.id).cloned().unwrap_or_default();
                self.folders.insert(*source_id, Folder { id: mapping.id, full_slug: full_slug.clone(), translated });
            } else if deleted.contains(&mapping.id) {
                self.trashed_folders.insert(*source_id);
            }
            if mapping.outcome.is_some() {
                self.settled_stories.insert(*source_id);
            }
            self.maps.stories.insert(*source_id, mapping.id);
        }
        Ok(())
    }

    /// Loads the names of the datasource entries that the import has brought so far. Without them a second entry of a name would replace the first
    /// one instead of being reported.
    pub async fn load_entry_names(&mut self, executor: &impl Executor, space: SpaceId, import: ImportId) -> Result<()> {
        let names = entries::list_imported(executor, space, self.source_space, import).await?;
        self.entry_names.extend(names.into_iter().map(|(datasource, name, source_id)| ((datasource, name), source_id)));
        Ok(())
    }

    /// The mapping of a record. Records of an export of this very space have the same ids here, except stories, which are found by their UUIDs.
    pub fn mapping(&self, kind: Kind, source_id: i64) -> Option<IdMapping> {
        let kind = id_space(kind);
        let mapping = self.ids.get(&kind)?.get(&source_id).copied();
        mapping.or_else(|| (self.is_same_space && kind != Kind::Story && source_id > 0).then(|| IdMapping::reserved(source_id)))
    }

    /// Adds the mapping of a record.
    pub(crate) fn insert_mapping(&mut self, kind: Kind, source_id: i64, mapping: IdMapping) {
        let kind = id_space(kind);
        match kind {
            Kind::Story => {
                self.maps.stories.insert(source_id, mapping.id);
            }
            Kind::Asset => {
                self.maps.assets.insert(source_id, mapping.id);
            }
            _ => {}
        }
        self.ids.entry(kind).or_default().insert(source_id, mapping);
    }
}

/// The kind under which ids are mapped: folders and stories share one id sequence.
pub(crate) fn id_space(kind: Kind) -> Kind {
    if kind == Kind::Folder { Kind::Story } else { kind }
}

#[cfg(test)]
mod tests {
    use super::{Folder, ImportState};
    use domain::content::import::Kind;
    use storage::content::imports::ids::IdMapping;

    #[test]
    fn records_of_the_very_space_have_the_same_ids_unless_they_are_stories() {
        let mut state = ImportState { is_same_space: true, ..ImportState::default() };
        state.insert_mapping(Kind::Asset, 9, IdMapping::reserved(90));
        assert_eq!(state.mapping(Kind::Asset, 5), Some(IdMapping::reserved(5)));
        for (kind, id) in [(Kind::Story, 5), (Kind::Folder, 5), (Kind::Asset, 0), (Kind::Asset, -5)] {
            state.insert_mapping(kind, 9, IdMapping::reserved(90));
            assert_eq!(state.mapping(kind, id), None, "{kind:?} {id}");
        }
        state.insert_mapping(Kind::Asset, 5, IdMapping::reserved(50));
        assert_eq!(state.mapping(Kind::Asset, 5), Some(IdMapping::reserved(50)));
        let mut other = ImportState::default();
        assert_eq!(other.mapping(Kind::Asset, 5), None);
        other.insert_mapping(Kind::Asset, 1, IdMapping::reserved(1));
        assert_eq!(other.mapping(Kind::Asset, 5), None);
    }

    #[test]
    fn a_folder_moves_with_the_one_above_it_in_every_language() {
        let folder = |path: &str, de: Option<&str>| Folder {
            id: 1,
            full_slug: path.to_owned(),
            translated: de.map(|path| ("de".to_owned(), path.to_owned())).into_iter().collect(),
        };
        let (before, after) = (folder("a", Some("x")), folder("b", None));
        assert_eq!(folder("a/c", Some("x/c")).moved_with(&before, &after), Some(folder("b/c", Some("b/c"))));
        assert_eq!(folder("a/c", None).moved_with(&before, &after), Some(folder("b/c", None)));
        for other in ["a", "ab", "c/a/d"] {
            assert_eq!(folder(other, None).moved_with(&before, &after), None, "{other}");
        }
        let moved = |to: &Folder| to.has_moved_since(&before);
        assert_eq!(
            [folder("a", Some("x")), folder("b", Some("x")), folder("a", Some("y")), folder("a", None)].map(|to| moved(&to)),
            [false, true, true, true]
        );
        assert_eq!(["a", "a/c", "ab", "b"].map(|path| before.is_or_holds(path)), [true, true, false, false]);
    }

    #[test]
    fn references_to_stories_and_assets_are_rewritten_by_their_mappings() {
        let mut state = ImportState::default();
        state.insert_mapping(Kind::Folder, 1, IdMapping::reserved(11));
        state.insert_mapping(Kind::Asset, 1, IdMapping::reserved(12));
        state.insert_mapping(Kind::Preset, 1, IdMapping::reserved(13));
        assert_eq!((state.maps.stories.get(&1), state.maps.assets.get(&1)), (Some(&11), Some(&12)));
        assert_eq!(state.mapping(Kind::Story, 1), Some(IdMapping::reserved(11)), "folders and stories share their ids");
        assert_eq!(state.mapping(Kind::Preset, 1), Some(IdMapping::reserved(13)));
    }
}
