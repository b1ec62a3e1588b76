//! Component definitions, in Storyblok's names.

use super::{checks::Checks, field::Field, internal_tag::NamedTag, schema};
use crate::shared::{Author, ComponentId, Fault, FieldCode, PresetId};
use jiff::Timestamp;
use serde::Deserialize;
use serde_json::{Value, value::RawValue};
use strum::{EnumString, IntoStaticStr};
use uuid::Uuid;

/// The attributes of a component that its author sets.
#[derive(Debug, Clone)]
pub struct Definition {
    /// The technical name, which blocks carry as `component`; unique in the space and case-sensitive.
    pub name: String,
    /// The name people see.
    pub display_name: Option<String>,
    /// A description for editors.
    pub description: Option<String>,
    pub schema: Box<RawValue>,
    pub image: Option<String>,
    /// The field shown in lists.
    pub preview_field: Option<String>,
    pub preview_tmpl: Option<String>,
    /// Whether it can be the root block of a story.
    pub is_root: bool,
    /// Whether it can be nested in other blocks.
    pub is_nestable: bool,
    /// The group that it is shown in.
    pub component_group_uuid: Option<Uuid>,
    /// The preset that new blocks start from; one of its own.
    pub preset_id: Option<PresetId>,
    pub color: Option<String>,
    pub icon: Option<String>,
    /// Tags, by number, as they were written.
    pub internal_tag_ids: Vec<i64>,
    /// The asset field that previews a content type.
    pub content_type_asset_preview: Option<String>,
    /// Free data, an object.
    pub metadata: Option<Value>,
}

/// A component as it is stored.
#[derive(Debug, Clone)]
pub struct Component {
    pub id: ComponentId,
    /// The attributes that its author set.
    pub definition: Definition,
    /// Its presets as a JSON array in Storyblok's shape.
    pub all_presets: Box<RawValue>,
    /// Those of its tags that exist, by name.
    pub internal_tags: Vec<NamedTag>,
    /// The time of its creation.
    pub created_at: Timestamp,
    /// The time of its last change.
    pub updated_at: Timestamp,
}

/// What made a version of a component. Its name is on the wire and in the database.
#[derive(Debug, Clone, Copy, PartialEq, Eq, EnumString, IntoStaticStr)]
#[strum(const_into_str, serialize_all = "lowercase")]
pub enum ComponentEvent {
    Create,
    /// It was changed, or restored.
    Update,
}

/// A version of a component, without its definition.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ComponentVersion {
    pub id: i64,
    pub event: ComponentEvent,
    pub author: Author,
    /// The time of its creation.
    pub created_at: Timestamp,
}

/// A component that was deleted and can be restored.
#[derive(Debug, Clone)]
pub struct DeletedComponent {
    pub component: Component,
    /// The time of its deletion.
    pub deleted_at: Timestamp,
}

impl Component {
    /// The display name, or the technical one.
    pub fn real_name(&self) -> &str {
        self.definition.display_name.as_deref().filter(|display_name| !display_name.is_empty()).unwrap_or(&self.definition.name)
    }
}

/// The body of a request: a whole component, or the attributes that change. Attributes that the server
/// decides (`id`, `real_name`, `all_presets`, times) are ignored, so that an answer can be sent back.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(default)]
pub struct ComponentChange {
    name: Option<String>,
    display_name: Field<Option<String>>,
    description: Field<Option<String>>,
    schema: Option<Box<RawValue>>,
    image: Field<Option<String>>,
    preview_field: Field<Option<String>>,
    preview_tmpl: Field<Option<String>>,
    is_root: Option<bool>,
    is_nestable: Option<bool>,
    component_group_uuid: Field<Option<Uuid>>,
    preset_id: Field<Option<PresetId>>,
    color: Field<Option<String>>,
    icon: Field<Option<String>>,
    internal_tag_ids: Option<Vec<i64>>,
    content_type_asset_preview: Field<Option<String>>,
    metadata: Field<Option<Value>>,
    /// Whether it comes from another system, whose fields are not checked.
    #[serde(skip)]
    is_from_other_system: bool,
}

impl ComponentChange {
    /// The same change as one from another system, which may have field types that are unknown here.
    #[must_use]
    pub fn from_other_system(self) -> Self {
        Self { is_from_other_system: true, ..self }
    }

    /// The definition of a new component. The defaults are Storyblok's: a nestable block without fields.
    ///
    /// `preset_id` is ignored: a component cannot have a preset before it exists.
    pub fn create(&self) -> Result<Definition, Fault> {
        let blank = Definition {
            name: String::new(),
            display_name: None,
            description: None,
            schema: empty_object()?,
            image: None,
            preview_field: None,
            preview_tmpl: None,
            is_root: false,
            is_nestable: true,
            component_group_uuid: None,
            preset_id: None,
            color: None,
            icon: None,
            internal_tag_ids: Vec::new(),
            content_type_asset_preview: None,
            metadata: None,
        };
        Ok(Definition { preset_id: None, ..self.apply(blank)? })
    }

    /// The definition with this change made.
    pub fn apply(&self, mut to: Definition) -> Result<Definition, Fault> {
        let given = self.clone();
        to.name = given.name.unwrap_or(to.name);
        self.display_name.apply(&mut to.display_name);
        self.description.apply(&mut to.description);
        let before = to.schema.clone();
        to.schema = given.schema.unwrap_or(to.schema);
        self.image.apply(&mut to.image);
        self.preview_field.apply(&mut to.preview_field);
        self.preview_tmpl.apply(&mut to.preview_tmpl);
        to.is_root = given.is_root.unwrap_or(to.is_root);
        to.is_nestable = given.is_nestable.unwrap_or(to.is_nestable);
        self.component_group_uuid.apply(&mut to.component_group_uuid);
        self.preset_id.apply(&mut to.preset_id);
        self.color.apply(&mut to.color);
        self.icon.apply(&mut to.icon);
        to.internal_tag_ids = given.internal_tag_ids.unwrap_or(to.internal_tag_ids);
        self.content_type_asset_preview.apply(&mut to.content_type_asset_preview);
        self.metadata.apply(&mut to.metadata);
        let before = if self.is_from_other_system { &to.schema } else { &before };
        check(&to, before)?;
        Ok(to)
    }
}

fn empty_object() -> Result<Box<RawValue>, Fault> {
    RawValue::from_string("{}".to_owned()).map_err(|error| Fault::internal(error.to_string()))
}

fn check(definition: &Definition, before: &RawValue) -> Result<(), Fault> {
    let mut checks = Checks::default();
    checks.required("name", &definition.name, 255);
    for (field, value, max) in [
        ("display_name", &definition.display_name, 255),
        ("description", &definition.description, 10_000),
        ("image", &definition.image, 2048),
        ("preview_field", &definition.preview_field, 255),
        ("preview_tmpl", &definition.preview_tmpl, 50_000),
        ("color", &definition.color, 64),
        ("icon", &definition.icon, 255),
        ("content_type_asset_preview", &definition.content_type_asset_preview, 255),
    ] {
        checks.text(field, value.as_deref(), max);
    }
    schema::check(&definition.schema, before, &mut checks);
    if definition.internal_tag_ids.len() > 1000 {
        checks.refuse("internal_tag_ids", FieldCode::TooLong, "is too long (maximum is 1000 tags)");
    }
    if definition.metadata.as_ref().is_some_and(|metadata| !metadata.is_object()) {
        checks.refuse("metadata", FieldCode::Invalid, "must be an object");
    }
    checks.finish()
}

#[cfg(test)]
mod tests {
    use super::ComponentChange;

    fn change(body: &str) -> ComponentChange {
        serde_json::from_str(body).unwrap()
    }

    #[test]
    fn a_new_component_is_a_nestable_block() {
        let component = change(r#"{"name":"teaser","preset_id":7}"#).create().unwrap();
        assert_eq!((component.is_root, component.is_nestable, component.schema.get()), (false, true, "{}"));
        assert_eq!(component.preset_id, None);
    }

    #[test]
    fn a_change_keeps_what_it_does_not_name_and_the_order_of_fields() {
        let component =
            change(r#"{"name":"teaser","color":"red","schema":{"z":{"type":"text"},"a":{"type":"text"}}}"#).create().unwrap();
        let after = change(r#"{"color":null,"is_root":true}"#).apply(component).unwrap();
        assert_eq!((after.name.as_str(), after.color.as_deref(), after.is_root), ("teaser", None, true));
        assert_eq!(after.schema.get(), r#"{"z":{"type":"text"},"a":{"type":"text"}}"#);
    }

    #[test]
    fn fields_from_other_system_are_kept_and_stay_through_changes() {
        let strange = r#"{"name":"teaser","schema":{"a":{"type":"hologram"},"b":5}}"#;
        assert!(change(strange).create().is_err());
        let component = change(strange).from_other_system().create().unwrap();
        let after = change(r#"{"color":"red"}"#).apply(component).unwrap();
        let after = change(strange).apply(after).unwrap();
        assert_eq!(after.schema.get(), r#"{"a":{"type":"hologram"},"b":5}"#);
        assert!(change(r#"{"schema":{"a":{"type":"other"}}}"#).apply(after).is_err());
    }

    #[test]
    fn a_change_cannot_leave_a_wrong_component() {
        for body in [r#"{"name":" "}"#, r#"{"schema":[]}"#, r#"{"metadata":[]}"#] {
            let component = change(r#"{"name":"teaser"}"#).create().unwrap();
            assert!(change(body).apply(component).is_err(), "{body}");
        }
        assert_eq!(change("{}").create().unwrap_err().details[0].code.name(), "blank");
    }

    #[test]
    fn an_event_is_known_by_its_name() {
        for (event, name) in [(super::ComponentEvent::Create, "create"), (super::ComponentEvent::Update, "update")] {
            assert_eq!((event.into_str(), name.parse()), (name, Ok(event)));
        }
        assert!("delete".parse::<super::ComponentEvent>().is_err());
    }
}
