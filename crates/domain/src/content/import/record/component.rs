//! Components, their groups and presets.

use super::{
    null_as_default,
    repair::{NUMBER, Rule},
};
use crate::content::import::SourceId;
use serde::Deserialize;
use serde_json::Value;
use std::collections::BTreeMap;
use uuid::Uuid;

/// The expected types of a group's attributes.
pub(super) const GROUP_RULES: &[(&str, Rule)] = &[("name", Rule::Text(255)), ("parent_id", NUMBER)];
/// The expected types of a component's attributes.
pub(super) const RULES: &[(&str, Rule)] = &[
    ("name", Rule::Text(255)),
    ("preset_id", NUMBER),
    ("component_group_uuid", Rule::Uuid),
    ("display_name", Rule::Text(255)),
    ("description", Rule::Text(10_000)),
    ("schema", Rule::Fields),
    ("image", Rule::Link(2048)),
    ("preview_field", Rule::Text(255)),
    ("preview_tmpl", Rule::Text(50_000)),
    ("is_root", Rule::Flag),
    ("is_nestable", Rule::Flag),
    ("color", Rule::Text(64)),
    ("icon", Rule::Text(255)),
    ("internal_tag_ids", Rule::Numbers(1000)),
    ("content_type_asset_preview", Rule::Text(255)),
    ("metadata", Rule::Object(usize::MAX)),
];
/// The expected types of a preset's attributes.
pub(super) const PRESET_RULES: &[(&str, Rule)] = &[
    ("name", Rule::Text(255)),
    ("component_id", NUMBER),
    ("preset", Rule::Object(usize::MAX)),
    ("image", Rule::Link(2048)),
    ("color", Rule::Text(64)),
    ("icon", Rule::Text(255)),
    ("description", Rule::Text(10_000)),
];

/// A group of components.
#[derive(Debug, Clone, Deserialize)]
pub struct ComponentGroup {
    pub id: SourceId<Self>,
    #[serde(default, deserialize_with = "null_as_default")]
    pub name: String,
    /// Its UUID, by which components refer to it.
    pub uuid: Uuid,
    pub parent_id: Option<SourceId<Self>>,
    /// Whether it stands in itself, directly or through others. Not part of the record; the source sets it.
    #[serde(skip)]
    pub is_in_circle: bool,
    /// What was repaired, one sentence each.
    #[serde(skip)]
    pub repairs: Vec<String>,
}

/// A component.
#[derive(Debug, Clone, Deserialize)]
pub struct Component {
    pub id: SourceId<Self>,
    #[serde(default, deserialize_with = "null_as_default")]
    pub name: String,
    /// The id of the preset that new blocks start with.
    pub preset_id: Option<SourceId<Preset>>,
    pub component_group_uuid: Option<Uuid>,
    #[serde(flatten)]
    pub definition: BTreeMap<String, Value>,
    /// What was repaired, one sentence each.
    #[serde(skip)]
    pub repairs: Vec<String>,
}

impl Component {
    /// The request body with which a client would create or update the component, with this group and schema.
    pub fn body(&self, group: Option<Uuid>, schema: &serde_json::Map<String, Value>) -> String {
        let decided =
            |key: &str| !matches!(key, "schema" | "created_at" | "updated_at" | "real_name" | "all_presets" | "internal_tags_list");
        let given = self.definition.iter().filter(|(key, value)| decided(key) && !value.is_null());
        let mut body: serde_json::Map<String, Value> = given.map(|(key, value)| (key.clone(), value.clone())).collect();
        body.insert("name".into(), self.name.clone().into());
        body.insert("component_group_uuid".into(), group.map(|group| group.to_string()).into());
        body.insert("schema".into(), Value::Object(schema.clone()));
        Value::Object(body).to_string()
    }

    /// Its schema.
    pub fn schema(&self) -> Option<&serde_json::Map<String, Value>> {
        self.definition.get("schema")?.as_object()
    }
}

/// A preset.
#[derive(Debug, Clone, Deserialize)]
pub struct Preset {
    pub id: SourceId<Self>,
    #[serde(default, deserialize_with = "null_as_default")]
    pub name: String,
    #[serde(default, deserialize_with = "null_as_default")]
    pub component_id: SourceId<Component>,
    #[serde(default, deserialize_with = "null_as_default")]
    pub preset: Value,
    /// The URL of its preview image.
    pub image: Option<String>,
    pub color: Option<String>,
    pub icon: Option<String>,
    /// Its description for editors.
    pub description: Option<String>,
    /// What was repaired, one sentence each.
    #[serde(skip)]
    pub repairs: Vec<String>,
}
