//! What a running import knows of both sides: read from rows when it begins, kept up with each page.

use domain::{
    content::{
        asset_folder::AssetFolder,
        component_group::ComponentGroup,
        import::{Kind, rewrite::Maps},
    },
    shared::{ImportId, SpaceId},
};
use std::collections::{HashMap, HashSet};
use storage::{
    Executor, Result,
    content::{
        assets,
        imports::{asides::Aside, ids, ids::Known, lookups, stories},
    },
};
use uuid::Uuid;

/// A folder that stories can stand in.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Folder {
    pub(super) id: i64,
    pub(super) full_slug: String,
}

/// What a dry run would have made; folders and groups that it would have changed, too.
#[derive(Debug, Clone, Default)]
pub(super) struct Made {
    pub(super) asset_folders: Vec<AssetFolder>,
    pub(super) groups: Vec<ComponentGroup>,
    pub(super) components: Vec<(String, i64)>,
    pub(super) datasources: Vec<lookups::Datasource>,
    /// Datasource, code, number.
    pub(super) dimensions: Vec<(i64, String, i64)>,
}

impl Made {
    /// Adds what a page would have made.
    pub(super) fn enter(&mut self, page: Self) {
        self.asset_folders.extend(page.asset_folders);
        self.groups.extend(page.groups);
        self.components.extend(page.components);
        self.datasources.extend(page.datasources);
        self.dimensions.extend(page.dimensions);
    }
}

/// What is known.
#[derive(Debug, Default)]
pub(super) struct Memory {
    /// Where this server is found.
    pub(super) base_url: String,
    /// The source's space.
    pub(super) source: i64,
    /// Whether that is the very space into which it goes: an export that comes back.
    pub(super) is_own: bool,
    /// What its records are here.
    ids: HashMap<Kind, HashMap<i64, Known>>,
    /// Its folders, by its numbers.
    pub(super) folders: HashMap<i64, Folder>,
    /// Where folders stood when this began, by our numbers: a dry run moves none.
    pub(super) stood: HashMap<i64, String>,
    /// Where the source has its stories and folders now, as far as it tells, with its numbers: what is here and stands somewhere else will move.
    pub(super) places: HashMap<Uuid, (i64, String)>,
    /// In a dry run, stories that would have made room for others.
    pub(super) asides: Vec<Aside>,
    /// In a dry run, stories that would have come to their own places, by our numbers.
    pub(super) arrived: HashSet<i64>,
    /// What content is rewritten by.
    pub(super) maps: Maps,
    /// The URLs of assets that were imported before, those in the trash too.
    pub(super) files: HashMap<i64, String>,
    /// Those of them that are in the trash here.
    pub(super) trashed: HashSet<i64>,
    /// Which component starts from a preset, by the source's number of the preset: the component's number and name there.
    pub(super) default_presets: HashMap<i64, (i64, String)>,
    /// Names of this source that came already; in a dry run, places that would be taken by now too.
    pub(super) taken: HashSet<String>,
    /// In a dry run, what would be here by now.
    pub(super) made: Made,
    /// In a dry run, the last number that was made up for something that would be made. They are negative.
    pub(super) made_up: i64,
}

impl Memory {
    /// What rows say, for an import.
    pub(super) async fn load(
        query: &impl Executor,
        space: SpaceId,
        import: ImportId,
        (source, is_own): (i64, bool),
        base_url: &str,
    ) -> Result<Self> {
        let mut memory = Self { source, is_own, base_url: base_url.to_owned(), ..Self::default() };
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
            memory.ids.insert(kind, ids::list(query, space, source, kind, import).await?.into_iter().collect());
        }
        for (name, schema) in lookups::schemas(query, space).await? {
            memory.maps.schemas.insert(&name, &schema);
        }
        memory.maps.known = stories::all_uuids(query, space).await?.into_iter().map(|(uuid, _)| uuid).collect();
        let here: HashMap<i64, String> =
            stories::folders(query, space).await?.into_iter().map(|folder| (folder.id, folder.full_slug)).collect();
        for (source, known) in memory.ids.get(&Kind::Story).into_iter().flatten() {
            if let Some(full_slug) = here.get(&known.id) {
                memory.folders.insert(*source, Folder { id: known.id, full_slug: full_slug.clone() });
            }
            memory.maps.stories.insert(*source, known.id);
        }
        memory.stood = here;
        let numbers: Vec<i64> = if is_own {
            lookups::assets(query, space).await?
        } else {
            memory.ids.get(&Kind::Asset).into_iter().flatten().map(|(_, known)| known.id).collect()
        };
        let files = assets::find_any(query, space, &numbers).await?;
        memory.trashed = files.iter().filter(|file| file.deleted_at.is_some()).map(|file| file.id.0).collect();
        memory.files = files.into_iter().map(|file| (file.id.0, format!("{base_url}{}", file.file.path()))).collect();
        memory.maps.assets =
            memory.ids.get(&Kind::Asset).into_iter().flatten().map(|(source, known)| (*source, known.id)).collect();
        Ok(memory)
    }

    /// What a record is here. Folders are stories. In what was exported here, records have the numbers that they have here; stories are known by
    /// their UUIDs anyway.
    pub(super) fn known(&self, kind: Kind, source: i64) -> Option<Known> {
        let known = self.ids.get(&plain(kind))?.get(&source).copied();
        known.or_else(|| (self.is_own && plain(kind) != Kind::Story && source > 0).then(|| Known::reserved(source)))
    }

    /// Enters what a record is here.
    pub(super) fn learn(&mut self, kind: Kind, source: i64, known: Known) {
        match plain(kind) {
            Kind::Story => {
                self.maps.stories.insert(source, known.id);
            }
            Kind::Asset => {
                self.maps.assets.insert(source, known.id);
            }
            _ => {}
        }
        self.ids.entry(plain(kind)).or_default().insert(source, known);
    }
}

/// Folders and stories are numbered together.
pub(super) fn plain(kind: Kind) -> Kind {
    if kind == Kind::Folder { Kind::Story } else { kind }
}
