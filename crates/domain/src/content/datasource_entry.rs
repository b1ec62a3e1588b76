//! Entries of datasources: a name, a value, and a further value for each dimension.

use super::{checks::Checks, field::Field};
use crate::shared::{DatasourceId, DimensionId, EntryId, Fault, FieldCode};
use serde::Deserialize;

/// The longest value, in characters.
const MAX_VALUE: usize = 10_000;

/// The attributes of an entry that its author sets.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct EntryDraft {
    /// The name; unique in the datasource and case-sensitive.
    pub name: String,
    /// The value without a dimension.
    pub value: String,
    /// The position; `None` puts it behind all others.
    pub position: Option<i32>,
}

/// An entry as it is stored.
#[derive(Debug, Clone)]
pub struct Entry {
    pub id: EntryId,
    /// Its datasource, which cannot change.
    pub datasource_id: DatasourceId,
    pub name: String,
    pub value: String,
    pub position: i32,
    /// The value in the dimension that was asked for, if there is one.
    pub dimension_value: Option<String>,
}

/// The value of an entry in one dimension.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DimensionValue {
    pub dimension: DimensionId,
    /// The value; `None` removes it.
    pub value: Option<String>,
}

/// The body of a request for a new entry or a change of one.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(default)]
pub struct EntryChange {
    name: Option<String>,
    value: Option<String>,
    datasource_id: Option<DatasourceId>,
    position: Option<i32>,
    dimension_value: Field<Option<String>>,
}

impl EntryChange {
    /// The datasource of a new entry. A change ignores it: an entry does not move.
    pub fn datasource(&self) -> Result<DatasourceId, Fault> {
        self.datasource_id.ok_or_else(|| Fault::invalid("datasource_id", FieldCode::Blank, "can't be blank"))
    }

    /// The entry after the change; `old` is `None` for a new one. Attributes that it does not name stay.
    pub fn apply(&self, old: Option<&Entry>) -> Result<EntryDraft, Fault> {
        let name = self.name.as_deref().or(old.map(|old| old.name.as_str())).unwrap_or_default();
        let value = self.value.as_deref().or(old.map(|old| old.value.as_str())).unwrap_or_default();
        let mut checks = Checks::default();
        checks.required("name", name, 255);
        checks.text("value", Some(value), MAX_VALUE);
        checks.finish()?;
        Ok(EntryDraft { name: name.to_owned(), value: value.to_owned(), position: self.position.or(old.map(|old| old.position)) })
    }

    /// The value to write in the dimension that the query names, if any.
    ///
    /// 422 for a value without a dimension: it would be lost in silence. Clients send an empty one beside
    /// every new entry.
    pub fn dimension_value(&self, dimension: Option<DimensionId>) -> Result<Option<DimensionValue>, Fault> {
        let mut checks = Checks::default();
        let written = match (&self.dimension_value, dimension) {
            (Field::Given(value), Some(dimension)) => {
                checks.text("dimension_value", value.as_deref(), MAX_VALUE);
                Some(DimensionValue { dimension, value: value.clone() })
            }
            (Field::Given(Some(value)), None) if !value.is_empty() => {
                checks.refuse("dimension_id", FieldCode::Blank, "has to name the dimension of dimension_value, in the query");
                None
            }
            (Field::Given(_), None) | (Field::Absent, _) => None,
        };
        checks.finish()?;
        Ok(written)
    }
}

#[cfg(test)]
mod tests {
    use super::{DimensionValue, Entry, EntryChange};
    use crate::shared::{DatasourceId, DimensionId, EntryId};

    fn change(body: &str) -> EntryChange {
        serde_json::from_str(body).unwrap()
    }

    #[test]
    fn a_change_keeps_what_it_does_not_name() {
        let old = Entry {
            id: EntryId(1),
            datasource_id: DatasourceId(2),
            name: "n".into(),
            value: "v".into(),
            position: 3,
            dimension_value: None,
        };
        for (body, expected) in [
            ("{}", ("n", "v", Some(3))),
            (r#"{"value":"","datasource_id":9}"#, ("n", "", Some(3))),
            (r#"{"name":"m","position":-1}"#, ("m", "v", Some(-1))),
        ] {
            let draft = change(body).apply(Some(&old)).unwrap();
            assert_eq!((draft.name.as_str(), draft.value.as_str(), draft.position), expected, "{body}");
        }
        assert!(change(r#"{"name":""}"#).apply(Some(&old)).is_err());
    }

    #[test]
    fn a_new_entry_needs_a_name_and_a_datasource() {
        assert_eq!(change("{}").apply(None).unwrap_err().details[0].field, "name");
        assert_eq!(change("{}").datasource().unwrap_err().details[0].field, "datasource_id");
        assert_eq!(change(r#"{"name":"n"}"#).apply(None).unwrap().position, None);
    }

    #[test]
    fn a_dimension_value_needs_its_dimension() {
        let read = |body: &str, dimension: Option<i64>| change(body).dimension_value(dimension.map(DimensionId));
        let written = |value: Option<&str>| Some(DimensionValue { dimension: DimensionId(5), value: value.map(str::to_owned) });
        assert_eq!(read(r#"{"dimension_value":"Hallo"}"#, Some(5)).unwrap(), written(Some("Hallo")));
        assert_eq!(read(r#"{"dimension_value":null}"#, Some(5)).unwrap(), written(None));
        assert_eq!(read("{}", Some(5)).unwrap(), None);
        assert_eq!(read(r#"{"dimension_value":null}"#, None).unwrap(), None);
        assert_eq!(read(r#"{"dimension_value":"Hallo"}"#, None).unwrap_err().details[0].field, "dimension_id");
        let long = format!(r#"{{"dimension_value":"{}"}}"#, "x".repeat(10_001));
        assert_eq!(read(&long, Some(5)).unwrap_err().details[0].code.name(), "tooLong");
    }
}
