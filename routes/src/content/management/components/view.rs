//! A component in Storyblok's shape.

use domain::{
    content::{component::Component, internal_tag::NamedTag},
    shared::{ComponentId, PresetId, timestamp},
};
use jiff::Timestamp;
use serde::Serialize;
use serde_json::{Value, value::RawValue};
use uuid::Uuid;

/// What a caller sees of a component.
#[derive(Serialize)]
pub(super) struct ComponentView<'a> {
    id: ComponentId,
    name: &'a str,
    display_name: Option<&'a str>,
    description: Option<&'a str>,
    #[serde(serialize_with = "timestamp::serialize")]
    created_at: Timestamp,
    #[serde(serialize_with = "timestamp::serialize")]
    updated_at: Timestamp,
    schema: &'a RawValue,
    image: Option<&'a str>,
    preview_field: Option<&'a str>,
    is_root: bool,
    preview_tmpl: Option<&'a str>,
    is_nestable: bool,
    all_presets: &'a RawValue,
    preset_id: Option<PresetId>,
    real_name: &'a str,
    component_group_uuid: Option<Uuid>,
    color: Option<&'a str>,
    icon: Option<&'a str>,
    internal_tags_list: &'a [NamedTag],
    internal_tag_ids: &'a [i64],
    content_type_asset_preview: Option<&'a str>,
    metadata: Option<&'a Value>,
    #[serde(skip_serializing_if = "Option::is_none")]
    deleted_at: Option<String>,
}

impl<'a> ComponentView<'a> {
    /// The view of a component.
    pub(super) fn of(component: &'a Component) -> Self {
        let definition = &component.definition;
        Self {
            id: component.id,
            name: &definition.name,
            display_name: definition.display_name.as_deref(),
            description: definition.description.as_deref(),
            created_at: component.created_at,
            updated_at: component.updated_at,
            schema: &definition.schema,
            image: definition.image.as_deref(),
            preview_field: definition.preview_field.as_deref(),
            is_root: definition.is_root,
            preview_tmpl: definition.preview_tmpl.as_deref(),
            is_nestable: definition.is_nestable,
            all_presets: &component.all_presets,
            preset_id: definition.preset_id,
            real_name: component.real_name(),
            component_group_uuid: definition.component_group_uuid,
            color: definition.color.as_deref(),
            icon: definition.icon.as_deref(),
            internal_tags_list: &component.internal_tags,
            internal_tag_ids: &definition.internal_tag_ids,
            content_type_asset_preview: definition.content_type_asset_preview.as_deref(),
            metadata: definition.metadata.as_ref(),
            deleted_at: None,
        }
    }

    /// Adds the time at which it was deleted.
    pub(super) fn deleted_at(self, at: Timestamp) -> Self {
        Self { deleted_at: Some(timestamp::format(at)), ..self }
    }
}
