//! What a running import knows of both sides: loaded from rows when it starts, updated after each chunk.

mod source_stories;

pub use source_stories::{SourceStories, SourceStory};
pub(crate) use source_stories::{is_localized_path, is_same_path};

use domain::{
    content::{
        Language,
        asset_folder::AssetFolder,
        component_group::ComponentGroup,
        import::{
            IdMapping, Imported, Kind, SourceId,
            record::{self, Component, DatasourceEntry, Preset, Story},
            rewrite::IdMaps,
        },
    },
    shared::{AssetId, ComponentId, DimensionId, ImportId, NumericId, SpaceId, StoryId},
};
use std::collections::{BTreeMap, HashMap, HashSet};
use storage::{
    Executor, Result,
    content::{
        assets,
        imports::{
            displaced_stories::DisplacedStory,
            entries::{self, NameInDatasource},
            ids, lookups, stories,
        },
        spaces,
    },
};

/// A story folder.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Folder {
    pub(crate) id: StoryId,
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

    /// Whether its path is another one than at the source: in a language, or in the default one. A language
    /// of which the source says nothing follows the default one.
    pub(crate) fn is_elsewhere(&self, source: &SourceStory, lang: Option<&str>) -> bool {
        let listed = lang.and_then(|lang| source.localized.iter().find(|listed| listed.lang == lang));
        match listed {
            Some(listed) => {
                let here = self.translated.get(&listed.lang).unwrap_or(&self.full_slug);
                !is_localized_path(listed, here, is_same_path)
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

/// The rows that a dry run would have created by now; asset folders and component groups also as it would
/// have changed them.
#[derive(Debug, Clone, Default)]
pub struct DryRunCreated {
    pub(crate) asset_folders: Vec<AssetFolder>,
    pub(crate) groups: Vec<ComponentGroup>,
    pub(crate) components: HashMap<String, ComponentId>,
    pub(crate) datasources: Vec<lookups::Datasource>,
    /// By their codes.
    pub(crate) dimensions: HashMap<NameInDatasource, DimensionId>,
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

/// The component that has a preset as its default.
#[derive(Debug)]
pub struct DefaultOf {
    pub component: SourceId<Component>,
    pub name: String,
}

/// What a running import knows.
#[derive(Debug, Default)]
pub struct ImportState {
    /// The public URL of this server.
    pub(crate) base_url: String,
    /// The id of the source's space.
    pub(crate) source_space: SourceId<record::Space>,
    /// Whether the source is an export of the very space that it is imported into.
    pub(crate) is_same_space: bool,
    /// The languages of the space; those of the source among them, also in a dry run.
    pub(crate) languages: Vec<Language>,
    pub(crate) folders: HashMap<SourceId<Story>, Folder>,
    /// The paths of story folders when the import started. A dry run does not move them.
    pub(crate) original_paths: HashMap<StoryId, String>,
    /// Folders that are in the trash here.
    pub(crate) trashed_folders: HashSet<SourceId<Story>>,
    /// The stories and folders that this import has written or found unchanged.
    pub(crate) settled_stories: HashSet<SourceId<Story>>,
    /// The stories and folders that the source lists.
    pub source_stories: SourceStories,
    /// Stories that a dry run would have displaced.
    pub(crate) displaced: Vec<DisplacedStory>,
    /// Stories that a dry run would have moved to their own paths.
    pub(crate) arrived: HashSet<StoryId>,
    /// The ids here of what the source has, and what else content is rewritten by.
    pub maps: IdMaps,
    /// The URLs of imported assets, including those in the trash.
    pub asset_urls: HashMap<AssetId, String>,
    /// Imported assets that are in the trash here.
    pub trashed_assets: HashSet<AssetId>,
    /// Presets that are the default of a component.
    pub default_presets: HashMap<SourceId<Preset>, DefaultOf>,
    /// The datasource entries that this import has brought.
    pub(crate) entry_names: HashMap<NameInDatasource, SourceId<DatasourceEntry>>,
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
        (source_space, is_same_space): (SourceId<record::Space>, bool),
        base_url: &str,
    ) -> Result<Self> {
        let mut state = Self { source_space, is_same_space, base_url: base_url.to_owned(), ..Self::default() };
        state.maps.ids = ids::list(executor, space, source_space, import).await?;
        state.maps.schemas = lookups::schemas(executor, space).await?;
        state.maps.known = stories::list_uuids(executor, space).await?.into_keys().collect();
        state.languages = spaces::languages(executor, space).await?;
        state.load_folders(executor, space).await?;
        let mapped = || state.maps.ids.of::<record::Asset>().map(|(_, mapping)| mapping.id).collect();
        let assets = if is_same_space { lookups::assets(executor, space).await? } else { mapped() };
        let assets = assets::find_any(executor, space, &assets).await?;
        state.trashed_assets = assets.iter().filter(|asset| asset.deleted_at.is_some()).map(|asset| asset.id).collect();
        state.asset_urls = assets.into_iter().map(|asset| (asset.id, format!("{base_url}{}", asset.file.path()))).collect();
        Ok(state)
    }

    /// Loads what is known of stories and folders that were imported before.
    async fn load_folders(&mut self, executor: &impl Executor, space: SpaceId) -> Result<()> {
        let translated = stories::list_folder_translations(executor, space).await?;
        let (deleted, folders): (Vec<_>, Vec<_>) =
            stories::list_folders(executor, space).await?.into_iter().partition(|folder| folder.is_deleted);
        let deleted: HashSet<StoryId> = deleted.into_iter().map(|folder| folder.id).collect();
        self.original_paths = folders.into_iter().map(|folder| (folder.id, folder.full_slug)).collect();
        for (source_id, IdMapping { id, outcome, .. }) in self.maps.ids.of() {
            if let Some(full_slug) = self.original_paths.get(&id) {
                let translated = translated.get(&id).cloned().unwrap_or_default();
                self.folders.insert(source_id, Folder { id, full_slug: full_slug.clone(), translated });
            } else if deleted.contains(&id) {
                self.trashed_folders.insert(source_id);
            }
            if outcome.is_some() {
                self.settled_stories.insert(source_id);
            }
        }
        Ok(())
    }

    /// Loads the names of the datasource entries that the import has brought so far. Without them a second
    /// entry of a name would replace the first one instead of being reported.
    pub async fn load_entry_names(&mut self, executor: &impl Executor, space: SpaceId, import: ImportId) -> Result<()> {
        self.entry_names.extend(entries::list_imported(executor, space, self.source_space, import).await?);
        Ok(())
    }

    /// The mapping of a record. Records of an export of this very space have the same ids here, except
    /// stories, which are found by their UUIDs.
    pub fn mapping<R: Imported>(&self, id: SourceId<R>) -> Option<IdMapping<R::Id>> {
        let is_same = self.is_same_space && R::KIND != Kind::Story && id > SourceId::NONE;
        self.maps.ids.get(id).or_else(|| is_same.then(|| IdMapping::reserved(R::Id::of(id.number()))))
    }
}

#[cfg(test)]
mod tests {
    use super::{AssetId, Folder, IdMapping, ImportState, SourceId, Story, StoryId};
    use domain::content::import::record::Asset;

    #[test]
    fn records_of_the_very_space_have_the_same_ids_unless_they_are_stories() {
        let asset = SourceId::<Asset>::of;
        let mut state = ImportState { is_same_space: true, ..ImportState::default() };
        state.maps.ids.insert(asset(9), IdMapping::reserved(AssetId(90)));
        assert_eq!([9, 5, 0, -5].map(|id| state.mapping(asset(id)).map(|mapping| mapping.id.0)), [Some(90), Some(5), None, None]);
        assert_eq!(state.mapping(SourceId::<Story>::of(5)), None);
        state.is_same_space = false;
        assert_eq!([9, 5].map(|id| state.mapping(asset(id)).map(|mapping| mapping.id.0)), [Some(90), None]);
    }

    #[test]
    fn a_folder_moves_with_the_one_above_it_in_every_language() {
        let folder = |path: &str, de: Option<&str>| Folder {
            id: StoryId(1),
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
}
