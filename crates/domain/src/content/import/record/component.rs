//! Components, their groups and presets (facts, section 2.8).

use super::{
    mend::{NUMBER, Rule},
    plain,
};
use serde::Deserialize;
use serde_json::Value;
use std::collections::BTreeMap;
use uuid::Uuid;

/// What the attributes of a group have to be.
pub(super) const GROUP_RULES: &[(&str, Rule)] = &[("name", Rule::Text(255)), ("parent_id", NUMBER)];
/// What the attributes of a component have to be.
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
/// What the attributes of a preset have to be.
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
    /// Its number.
    pub id: i64,
    /// Its name.
    #[serde(default, deserialize_with = "plain")]
    pub name: String,
    /// Its UUID, which components name.
    pub uuid: Uuid,
    /// The group above.
    #[serde(default, deserialize_with = "plain")]
    pub parent_id: Option<i64>,
    /// What was wrong with it, and what was done.
    #[serde(skip)]
    pub odd: Vec<String>,
}

/// A component.
#[derive(Debug, Clone, Deserialize)]
pub struct Component {
    /// Its number.
    pub id: i64,
    /// Its name.
    #[serde(default, deserialize_with = "plain")]
    pub name: String,
    /// The preset that new bloks start from.
    #[serde(default, deserialize_with = "plain")]
    pub preset_id: Option<i64>,
    /// The group it is in.
    #[serde(default, deserialize_with = "plain")]
    pub component_group_uuid: Option<Uuid>,
    /// Everything else that its author decided.
    #[serde(flatten)]
    pub definition: BTreeMap<String, Value>,
    /// What was wrong with it, and what was done.
    #[serde(skip)]
    pub odd: Vec<String>,
}

impl Component {
    /// What a caller would send to make it, or to make it what it is at the source: in this group, with these fields.
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

    /// Its fields.
    pub fn schema(&self) -> Option<&serde_json::Map<String, Value>> {
        self.definition.get("schema")?.as_object()
    }
}

/// A preset.
#[derive(Debug, Clone, Deserialize)]
pub struct Preset {
    /// Its number.
    pub id: i64,
    /// Its name.
    #[serde(default, deserialize_with = "plain")]
    pub name: String,
    /// The component it is for.
    #[serde(default, deserialize_with = "plain")]
    pub component_id: i64,
    /// The content.
    #[serde(default, deserialize_with = "plain")]
    pub preset: Value,
    /// A preview picture.
    #[serde(default, deserialize_with = "plain")]
    pub image: Option<String>,
    /// The icon's colour.
    #[serde(default, deserialize_with = "plain")]
    pub color: Option<String>,
    /// The icon's name.
    #[serde(default, deserialize_with = "plain")]
    pub icon: Option<String>,
    /// For editors.
    #[serde(default, deserialize_with = "plain")]
    pub description: Option<String>,
    /// What was wrong with it, and what was done.
    #[serde(skip)]
    pub odd: Vec<String>,
}
