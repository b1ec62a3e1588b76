//! Which record of the source becomes what here.

use super::{
    Kind, Subject,
    record::{Asset, AssetFolder, Component, ComponentGroup, Datasource, DatasourceEntry, Preset, Story},
};
use crate::shared::{AssetFolderId, AssetId, ComponentId, DatasourceId, EntryId, GroupId, NumericId, PresetId, StoryId};

/// A record that has an id on both sides.
pub trait Imported: Sized + 'static {
    /// Its id here.
    type Id: NumericId;

    /// The kind under which its ids are mapped: folders and stories share one sequence of ids.
    const KIND: Kind;

    /// The record, as findings name it.
    fn subject(&self) -> Subject<'_>;
}

macro_rules! imported {
    ($($record:ident as $id:ident, known by $label:ident;)+) => {$(
        impl Imported for $record {
            type Id = $id;

            const KIND: Kind = Kind::$record;

            fn subject(&self) -> Subject<'_> {
                Subject { kind: Kind::$record, id: self.id.number(), label: &self.$label }
            }
        }
    )+};
}

imported! {
    AssetFolder as AssetFolderId, known by name;
    Asset as AssetId, known by filename;
    ComponentGroup as GroupId, known by name;
    Component as ComponentId, known by name;
    Preset as PresetId, known by name;
    Datasource as DatasourceId, known by slug;
    DatasourceEntry as EntryId, known by name;
}

impl Imported for Story {
    type Id = StoryId;

    const KIND: Kind = Kind::Story;

    fn subject(&self) -> Subject<'_> {
        Subject { kind: self.kind(), id: self.id.number(), label: self.label() }
    }
}
