//! Presets: ready content for a component.

use super::{checks::Checks, field::Field};
use crate::shared::{ComponentId, Fault, FieldCode, PresetId};
use jiff::Timestamp;
use serde::Deserialize;
use serde_json::{Map, Value, value::RawValue};

/// The attributes of a preset that its author sets.
#[derive(Debug, Clone)]
pub struct PresetDraft {
    pub component_id: ComponentId,
    /// The name people see.
    pub name: String,
    pub preset: Box<RawValue>,
    pub image: Option<String>,
    pub color: Option<String>,
    pub icon: Option<String>,
    /// A description for editors.
    pub description: Option<String>,
}

/// A preset as it is stored.
#[derive(Debug, Clone)]
pub struct Preset {
    pub id: PresetId,
    /// The attributes that its author set.
    pub draft: PresetDraft,
    /// The time of its creation.
    pub created_at: Timestamp,
    /// The time of its last change.
    pub updated_at: Timestamp,
}

/// The body of a request for a new preset or a change of one.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(default)]
pub struct PresetChange {
    component_id: Option<ComponentId>,
    name: Option<String>,
    preset: Option<Box<RawValue>>,
    image: Field<Option<String>>,
    color: Field<Option<String>>,
    icon: Field<Option<String>>,
    description: Field<Option<String>>,
}

impl PresetChange {
    /// The preset after the change; `old` is `None` for a new one. That the component exists is checked by
    /// the database.
    pub fn apply(&self, old: Option<PresetDraft>) -> Result<PresetDraft, Fault> {
        let given = self.clone();
        let missing = || Fault::invalid("component_id", FieldCode::Blank, "can't be blank");
        let mut draft = match old {
            Some(old) => old,
            None => PresetDraft {
                component_id: given.component_id.ok_or_else(missing)?,
                name: String::new(),
                preset: RawValue::from_string("{}".to_owned()).map_err(|error| Fault::internal(error.to_string()))?,
                image: None,
                color: None,
                icon: None,
                description: None,
            },
        };
        draft.component_id = given.component_id.unwrap_or(draft.component_id);
        draft.name = given.name.unwrap_or(draft.name);
        draft.preset = given.preset.unwrap_or(draft.preset);
        self.image.apply(&mut draft.image);
        self.color.apply(&mut draft.color);
        self.icon.apply(&mut draft.icon);
        self.description.apply(&mut draft.description);

        let mut checks = Checks::default();
        checks.required("name", &draft.name, 255);
        for (field, value, max) in [
            ("image", &draft.image, 2048),
            ("color", &draft.color, 64),
            ("icon", &draft.icon, 255),
            ("description", &draft.description, 10_000),
        ] {
            checks.text(field, value.as_deref(), max);
        }
        if serde_json::from_str::<Map<String, Value>>(draft.preset.get()).is_err() {
            checks.refuse("preset", FieldCode::Invalid, "must be an object");
        }
        checks.finish()?;
        Ok(draft)
    }
}

#[cfg(test)]
mod tests {
    use super::PresetChange;

    #[test]
    fn a_preset_needs_a_name_a_component_and_an_object() {
        for (body, field) in [
            (r#"{"name":"a"}"#, "component_id"),
            (r#"{"component_id":1}"#, "name"),
            (r#"{"component_id":1,"name":"a","preset":"{}"}"#, "preset"),
        ] {
            let fault = serde_json::from_str::<PresetChange>(body).unwrap().apply(None).unwrap_err();
            assert_eq!(fault.details[0].field, field, "{body}");
        }
    }
}
