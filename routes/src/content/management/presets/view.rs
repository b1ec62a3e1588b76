//! A preset in the hosted shape.

use domain::{
    content::preset::Preset,
    shared::{ComponentId, PresetId, SpaceId, timestamp},
};
use jiff::Timestamp;
use serde::Serialize;
use serde_json::value::RawValue;

/// What a caller sees of a preset.
#[derive(Serialize)]
pub(super) struct PresetView<'a> {
    id: PresetId,
    name: &'a str,
    preset: &'a RawValue,
    component_id: ComponentId,
    space_id: SpaceId,
    #[serde(serialize_with = "timestamp::serialize")]
    created_at: Timestamp,
    #[serde(serialize_with = "timestamp::serialize")]
    updated_at: Timestamp,
    image: Option<&'a str>,
    color: Option<&'a str>,
    icon: Option<&'a str>,
    description: Option<&'a str>,
}

impl<'a> PresetView<'a> {
    /// The view of a preset.
    pub(super) fn of(space: SpaceId, preset: &'a Preset) -> Self {
        let it = &preset.draft;
        Self {
            id: preset.id,
            name: &it.name,
            preset: &it.preset,
            component_id: it.component_id,
            space_id: space,
            created_at: preset.created_at,
            updated_at: preset.updated_at,
            image: it.image.as_deref(),
            color: it.color.as_deref(),
            icon: it.icon.as_deref(),
            description: it.description.as_deref(),
        }
    }
}
