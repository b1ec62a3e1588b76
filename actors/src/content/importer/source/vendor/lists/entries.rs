//! The entries of a datasource.

use super::{
    super::{
        super::ListedId,
        Error, RetryingClient,
        listing::{Kept, read_list},
    },
    Item, keep_record,
};
use domain::content::import::{Record as ImportRecord, SourceId, record};
use egress::vendor::{Held, Record, record::text};
use serde::Deserialize;
use serde_json::{Map, Value, value::RawValue};
use std::collections::HashMap;

/// What the name of an entry takes in bytes besides its text, in the map of the names that the import has
/// brought.
const NAME_BYTES: usize = 128;

/// All entries of a datasource with their positions and dimension values. What their names take is counted in
/// `names`.
pub(super) async fn read(client: &RetryingClient, datasource: &Item, names: &mut Held) -> Result<Vec<Item>, Error> {
    #[derive(Default, Deserialize)]
    #[serde(default)]
    struct Dimensions<'a> {
        #[serde(borrow)]
        dimensions: Option<&'a RawValue>,
    }
    #[derive(Deserialize)]
    struct Dimension {
        id: SourceId<record::Dimension>,
        entry_value: String,
    }
    let source = datasource.id;
    let memory = client.vendor.memory();
    let (entries, _) = read_list(client, |page| client.vendor.datasource_entries(source.number(), None, page), keep_record).await?;
    let dimensions = datasource.record.members::<Dimensions<'_>>().unwrap_or_default().dimensions;
    let dimensions: Vec<&RawValue> = dimensions.and_then(|list| serde_json::from_str(list.get()).ok()).unwrap_or_default();
    let mut values: HashMap<ListedId, Map<String, Value>> = HashMap::new();
    let mut held = memory.nothing();
    for dimension in dimensions.iter().filter_map(|dimension| serde_json::from_str::<Dimension>(dimension.get()).ok()) {
        let page = |page| client.vendor.datasource_entries(source.number(), Some(dimension.id.number()), page);
        for DimensionValue { entry, value } in read_list(client, page, dimension_value).await?.0 {
            held.grow(NAME_BYTES + dimension.entry_value.len() + value.len())?;
            values.entry(entry).or_default().insert(dimension.entry_value.clone(), value.into());
        }
    }
    let mut complete = Vec::with_capacity(entries.len());
    for (place, Item { id, record, .. }) in (1_u64..).zip(entries) {
        let mut held = memory.nothing();
        let mut entry = record.tree(&mut held)?;
        drop(record);
        let own = values.remove(&id).unwrap_or_default();
        if let Some(entry) = entry.as_object_mut() {
            // Storyblok's entries have no position; their order is that of the list.
            if entry.get("position").is_none_or(Value::is_null) {
                entry.insert("position".to_owned(), place.into());
            }
            entry.insert("datasource_id".to_owned(), source.number().into());
            entry.insert("dimension_values".to_owned(), Value::Object(own));
        }
        let name = entry.get("name").and_then(Value::as_str).map_or(0, str::len);
        names.grow(NAME_BYTES + name)?;
        complete.push(Item { id, parent: ListedId::NONE, is_in_circle: false, record: Record::of_value(&entry, memory)? });
    }
    Ok(complete)
}

/// The value of an entry in a dimension.
struct DimensionValue {
    entry: ListedId,
    value: String,
}

/// Keeps the value of an entry, if it has one.
fn dimension_value(record: Record) -> Option<Kept<ImportRecord, DimensionValue>> {
    #[derive(Deserialize)]
    struct Entry<'a> {
        id: ListedId,
        #[serde(borrow, default)]
        dimension_value: Option<&'a RawValue>,
    }
    let entry = record.members::<Entry<'_>>()?;
    let value = text(entry.dimension_value)?;
    let bytes = NAME_BYTES + value.len();
    Some(Kept { id: entry.id, item: DimensionValue { entry: entry.id, value }, bytes })
}
