//! Datasources and their entries (facts, section 2.9).

use super::{
    mend::{NUMBER, POSITION, Rule, TEXT},
    plain,
};
use serde::Deserialize;
use std::collections::BTreeMap;

/// What the attributes of a datasource have to be.
pub(super) const RULES: &[(&str, Rule)] = &[
    ("name", Rule::Text(255)),
    ("slug", TEXT),
    ("dimensions", Rule::Each(&[("id", NUMBER), ("name", Rule::Text(255)), ("entry_value", Rule::Text(255))])),
];
/// What the attributes of an entry have to be.
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
    /// Its number.
    pub id: i64,
    /// Its name.
    #[serde(default, deserialize_with = "plain")]
    pub name: String,
    /// What readers ask by.
    #[serde(default, deserialize_with = "plain")]
    pub slug: String,
    /// Its dimensions.
    #[serde(default, deserialize_with = "plain")]
    pub dimensions: Vec<Dimension>,
    /// What was wrong with it, and what was done.
    #[serde(skip)]
    pub odd: Vec<String>,
}

/// A dimension of a datasource.
#[derive(Debug, Clone, Deserialize)]
pub struct Dimension {
    /// Its number.
    pub id: i64,
    /// Its name.
    #[serde(default, deserialize_with = "plain")]
    pub name: String,
    /// The code that readers ask by.
    #[serde(default, deserialize_with = "plain")]
    pub entry_value: String,
}

/// An entry, with the values of all dimensions.
#[derive(Debug, Clone, Deserialize)]
pub struct DatasourceEntry {
    /// Its number.
    pub id: i64,
    /// The datasource it is of.
    #[serde(default, deserialize_with = "plain")]
    pub datasource_id: i64,
    /// Its name.
    #[serde(default, deserialize_with = "plain")]
    pub name: String,
    /// Its value.
    #[serde(default, deserialize_with = "plain")]
    pub value: String,
    /// Its place among the others.
    #[serde(default, deserialize_with = "plain")]
    pub position: Option<i32>,
    /// Its values in dimensions, by their codes.
    #[serde(default, deserialize_with = "plain")]
    pub dimension_values: BTreeMap<String, Option<String>>,
    /// What was wrong with it, and what was done.
    #[serde(skip)]
    pub odd: Vec<String>,
}
