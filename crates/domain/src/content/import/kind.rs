//! The kinds of records, and the phases in which they are imported.

use serde::{Deserialize, Serialize};

/// A kind of record.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Kind {
    /// A folder of assets.
    AssetFolder,
    /// An asset with its file.
    Asset,
    /// A group of components.
    ComponentGroup,
    Component,
    Preset,
    /// A datasource with its dimensions.
    Datasource,
    /// An entry with its values in all dimensions.
    DatasourceEntry,
    /// A folder of stories.
    Folder,
    /// A story: draft, published copy, translated slugs.
    Story,
}

impl Kind {
    const ALL: [Self; 9] = [
        Self::AssetFolder,
        Self::Asset,
        Self::ComponentGroup,
        Self::Component,
        Self::Preset,
        Self::Datasource,
        Self::DatasourceEntry,
        Self::Folder,
        Self::Story,
    ];

    /// The kind of a name.
    pub fn of(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|value| value.name() == name)
    }

    /// The name on the wire, in the database and in metrics.
    pub fn name(self) -> &'static str {
        match self {
            Self::AssetFolder => "asset_folder",
            Self::Asset => "asset",
            Self::ComponentGroup => "component_group",
            Self::Component => "component",
            Self::Preset => "preset",
            Self::Datasource => "datasource",
            Self::DatasourceEntry => "datasource_entry",
            Self::Folder => "folder",
            Self::Story => "story",
        }
    }
}

/// A phase of an import. Each but the first imports one kind.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Phase {
    /// The settings of the space: languages and preview URL.
    Space,
    /// Folders of assets, parents first.
    AssetFolders,
    Assets,
    /// Groups of components, parents first.
    ComponentGroups,
    Components,
    Presets,
    Datasources,
    DatasourceEntries,
    /// Folders of stories, level by level.
    Folders,
    Stories,
}

impl Phase {
    /// All phases in order.
    pub const ALL: [Self; 10] = [
        Self::Space,
        Self::AssetFolders,
        Self::Assets,
        Self::ComponentGroups,
        Self::Components,
        Self::Presets,
        Self::Datasources,
        Self::DatasourceEntries,
        Self::Folders,
        Self::Stories,
    ];

    /// The next phase; `None` after the last.
    pub fn next(self) -> Option<Self> {
        Self::ALL.into_iter().find(|value| *value > self)
    }

    /// The kind that it imports.
    pub fn kind(self) -> Option<Kind> {
        Some(match self {
            Self::Space => return None,
            Self::AssetFolders => Kind::AssetFolder,
            Self::Assets => Kind::Asset,
            Self::ComponentGroups => Kind::ComponentGroup,
            Self::Components => Kind::Component,
            Self::Presets => Kind::Preset,
            Self::Datasources => Kind::Datasource,
            Self::DatasourceEntries => Kind::DatasourceEntry,
            Self::Folders => Kind::Folder,
            Self::Stories => Kind::Story,
        })
    }

    /// The name on the wire and in the database.
    pub fn name(self) -> &'static str {
        match self {
            Self::Space => "space",
            Self::AssetFolders => "asset_folders",
            Self::Assets => "assets",
            Self::ComponentGroups => "component_groups",
            Self::Components => "components",
            Self::Presets => "presets",
            Self::Datasources => "datasources",
            Self::DatasourceEntries => "datasource_entries",
            Self::Folders => "folders",
            Self::Stories => "stories",
        }
    }

    /// The phase of a name.
    pub fn of(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|value| value.name() == name)
    }
}

#[cfg(test)]
mod tests {
    use super::{Kind, Phase};

    #[test]
    fn phases_follow_each_other_to_the_end_and_are_found_by_their_names() {
        let mut walked = vec![Phase::Space];
        while let Some(next) = walked.last().and_then(|walked| walked.next()) {
            walked.push(next);
        }
        assert_eq!(walked, Phase::ALL);
        for phase in Phase::ALL {
            assert_eq!(Phase::of(phase.name()), Some(phase));
            assert_eq!(serde_json::to_value(phase).unwrap(), phase.name());
            if let Some(kind) = phase.kind() {
                assert_eq!(serde_json::to_value(kind).unwrap(), kind.name());
                assert_eq!(Kind::of(kind.name()), Some(kind));
            }
        }
    }
}
