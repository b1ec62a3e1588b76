//! An entry in the hosted shape.

use domain::{
    content::datasource_entry::Entry,
    shared::{DatasourceId, EntryId},
};
use serde::Serialize;

/// What a caller sees of an entry. `dimension_value` is filled only when a dimension was asked for.
#[derive(Serialize)]
pub(super) struct EntryView<'a> {
    id: EntryId,
    name: &'a str,
    value: &'a str,
    dimension_value: Option<&'a str>,
    datasource_id: DatasourceId,
    position: i32,
}

impl<'a> EntryView<'a> {
    /// The view of an entry.
    pub(super) fn of(entry: &'a Entry) -> Self {
        Self {
            id: entry.id,
            name: &entry.name,
            value: &entry.value,
            dimension_value: entry.dimension_value.as_deref(),
            datasource_id: entry.datasource_id,
            position: entry.position,
        }
    }
}
