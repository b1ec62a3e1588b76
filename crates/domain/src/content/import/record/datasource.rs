//! Datasources and their entries (facts, section 2.9).

use super::lenient;
use serde::Deserialize;
use std::collections::BTreeMap;

/// A datasource.
#[derive(Debug, Clone, Deserialize)]
pub struct Datasource {
    /// Its number.
    pub id: i64,
    /// Its name.
    #[serde(default, deserialize_with = "lenient")]
    pub name: String,
    /// What readers ask by.
    #[serde(default, deserialize_with = "lenient")]
    pub slug: String,
    /// Its dimensions.
    #[serde(default, deserialize_with = "lenient")]
    pub dimensions: Vec<Dimension>,
}

/// A dimension of a datasource.
#[derive(Debug, Clone, Deserialize)]
pub struct Dimension {
    /// Its number.
    pub id: i64,
    /// Its name.
    #[serde(default, deserialize_with = "lenient")]
    pub name: String,
    /// The code that readers ask by.
    #[serde(default, deserialize_with = "lenient")]
    pub entry_value: String,
}

/// An entry, with the values of all dimensions.
#[derive(Debug, Clone, Deserialize)]
pub struct DatasourceEntry {
    /// Its number.
    pub id: i64,
    /// The datasource it is of.
    #[serde(default, deserialize_with = "lenient")]
    pub datasource_id: i64,
    /// Its name.
    #[serde(default, deserialize_with = "lenient")]
    pub name: String,
    /// Its value.
    #[serde(default, deserialize_with = "lenient")]
    pub value: String,
    /// Its place among the others.
    #[serde(default, deserialize_with = "lenient")]
    pub position: Option<i32>,
    /// Its values in dimensions, by their codes.
    #[serde(default, deserialize_with = "lenient")]
    pub dimension_values: BTreeMap<String, Option<String>>,
}
