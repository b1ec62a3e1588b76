//! Datasources and their entries.

use super::{
    null_as_default,
    repair::{NUMBER, POSITION, Rule, TEXT},
};
use crate::content::import::SourceId;
use serde::Deserialize;
use std::collections::BTreeMap;

/// The expected types of a datasource's attributes.
pub(super) const RULES: &[(&str, Rule)] = &[
    ("name", Rule::Text(255)),
    ("slug", TEXT),
    ("dimensions", Rule::Each(&[("id", NUMBER), ("name", Rule::Text(255)), ("entry_value", Rule::Text(255))])),
];
/// The expected types of an entry's attributes.
pub(super) const ENTRY_RULES: &[(&str, Rule)] = &[
    ("datasource_id", NUMBER),
    ("name", Rule::Text(255)),
    ("value", Rule::Text(10_000)),
    ("position", POSITION),
    ("dimension_values", Rule::TextsByName(10_000)),
];

/// A datasource.
#[derive(Debug, Clone, Deserialize)]
pub struct Datasource {
    pub id: SourceId<Self>,
    #[serde(default, deserialize_with = "null_as_default")]
    pub name: String,
    /// Its slug, by which the delivery API finds it.
    #[serde(default, deserialize_with = "null_as_default")]
    pub slug: String,
    #[serde(default, deserialize_with = "null_as_default")]
    pub dimensions: Vec<Dimension>,
    /// What was repaired, one sentence each.
    #[serde(skip)]
    pub repairs: Vec<String>,
}

/// A dimension of a datasource.
#[derive(Debug, Clone, Deserialize)]
pub struct Dimension {
    pub id: SourceId<Self>,
    #[serde(default, deserialize_with = "null_as_default")]
    pub name: String,
    /// Its code, by which the delivery API finds it.
    #[serde(default, deserialize_with = "null_as_default")]
    pub entry_value: String,
}

/// An entry with its values in all dimensions.
#[derive(Debug, Clone, Deserialize)]
pub struct DatasourceEntry {
    pub id: SourceId<Self>,
    #[serde(default, deserialize_with = "null_as_default")]
    pub datasource_id: SourceId<Datasource>,
    #[serde(default, deserialize_with = "null_as_default")]
    pub name: String,
    #[serde(default, deserialize_with = "null_as_default")]
    pub value: String,
    /// Its position in the datasource.
    pub position: Option<i32>,
    /// Its values by the code of the dimension.
    #[serde(default, deserialize_with = "null_as_default")]
    pub dimension_values: BTreeMap<String, Option<String>>,
    /// What was repaired, one sentence each.
    #[serde(skip)]
    pub repairs: Vec<String>,
}
