//! Components, their groups and presets (facts, section 2.8).

use super::lenient;
use serde::Deserialize;
use serde_json::Value;
use std::collections::BTreeMap;
use uuid::Uuid;

/// A group of components.
#[derive(Debug, Clone, Deserialize)]
pub struct ComponentGroup {
    /// Its number.
    pub id: i64,
    /// Its name.
    #[serde(default, deserialize_with = "lenient")]
    pub name: String,
    /// Its UUID, which components name.
    pub uuid: Uuid,
    /// The group above.
    #[serde(default, deserialize_with = "lenient")]
    pub parent_id: Option<i64>,
}

/// A component.
#[derive(Debug, Clone, Deserialize)]
pub struct Component {
    /// Its number.
    pub id: i64,
    /// Its name.
    #[serde(default, deserialize_with = "lenient")]
    pub name: String,
    /// The preset that new bloks start from.
    #[serde(default, deserialize_with = "lenient")]
    pub preset_id: Option<i64>,
    /// The group it is in.
    #[serde(default, deserialize_with = "lenient")]
    pub component_group_uuid: Option<Uuid>,
    /// Everything else that its author decided.
    #[serde(flatten)]
    pub definition: BTreeMap<String, Value>,
}

impl Component {
    /// What a caller would send to make it, or to make it what it is at the source: in this group, with these fields.
    pub fn body(&self, group: Option<Uuid>, schema: &serde_json::Map<String, Value>) -> String {
        let decided =
            |key: &str| !matches!(key, "schema" | "created_at" | "updated_at" | "real_name" | "all_presets" | "internal_tags_list");
        let given = self.definition.iter().filter(|(key, value)| decided(key) && !value.is_null());
        let mut body: serde_json::Map<String, Value> = given.map(|(key, value)| (key.clone(), value.clone())).collect();
        body.insert("name".into(), self.name.clone().into());
        body.insert("component_group_uuid".into(), group.map(|it| it.to_string()).into());
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
    #[serde(default, deserialize_with = "lenient")]
    pub name: String,
    /// The component it is for.
    #[serde(default, deserialize_with = "lenient")]
    pub component_id: i64,
    /// The content.
    #[serde(default, deserialize_with = "lenient")]
    pub preset: Value,
    /// A preview picture.
    #[serde(default, deserialize_with = "lenient")]
    pub image: Option<String>,
    /// The icon's colour.
    #[serde(default, deserialize_with = "lenient")]
    pub color: Option<String>,
    /// The icon's name.
    #[serde(default, deserialize_with = "lenient")]
    pub icon: Option<String>,
    /// For editors.
    #[serde(default, deserialize_with = "lenient")]
    pub description: Option<String>,
}
