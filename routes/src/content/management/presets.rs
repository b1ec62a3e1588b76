//! Presets: named default contents of a component.

use super::{
    access::Manager,
    envelope,
    paginate::{list_parameters, paginate},
};
use crate::{
    content::Content,
    web::{ApiRequest, ApiResponse, Endpoints, ErrorFormat, body::DEFAULT_LIMIT},
};
use domain::{
    content::{
        Right,
        preset::{Preset, PresetChange},
    },
    shared::{ComponentId, Fault, PresetId, SpaceId, timestamp},
};
use jiff::Timestamp;
use serde::Serialize;
use serde_json::value::RawValue;
use services::content::presets::{CreatePreset, DeletePreset, UpdatePreset};
use storage::content::presets;

const KEY: &str = "preset";

/// The endpoints below `/api/v1/spaces/{space}/presets`.
pub(super) fn endpoints(content: &Content) -> Endpoints<Content> {
    Endpoints::new(content, ErrorFormat::Management)
        .get("/api/v1/spaces/{space}/presets", Right::Read, list)
        .post("/api/v1/spaces/{space}/presets", Right::Administer, create)
        .get("/api/v1/spaces/{space}/presets/{id}", Right::Read, read)
        .put("/api/v1/spaces/{space}/presets/{id}", Right::Administer, update)
        .delete("/api/v1/spaces/{space}/presets/{id}", Right::Administer, delete)
}

/// 200 `{"presets": […]}`. Filter: `component_id`.
async fn list(content: Content, caller: Manager, request: ApiRequest) -> Result<ApiResponse, Fault> {
    let query = list_parameters(&request, &["component_id"])?;
    let component = query.parsed("component_id")?;
    let connection = content.store.connection("preset.list").await?;
    let found = paginate(&query, presets::list(&connection, caller.space(), component).await?)?;
    let views: Vec<_> = found.items.iter().map(|preset| PresetView::of(caller.space(), preset)).collect();
    Ok(found.add_headers(ApiResponse::ok(&envelope::wrap("presets", views))?))
}

/// 200 with the preset.
async fn read(content: Content, caller: Manager, id: PresetId, request: ApiRequest) -> Result<ApiResponse, Fault> {
    request.query()?.only(&[])?;
    let connection = content.store.connection("preset.find").await?;
    let preset = presets::find(&connection, caller.space(), id).await?.ok_or_else(Fault::not_found)?;
    ApiResponse::ok(&envelope::wrap(KEY, PresetView::of(caller.space(), &preset)))
}

/// Of `{"preset": {…}}`: 201 with the preset.
async fn create(content: Content, caller: Manager, mut request: ApiRequest) -> Result<ApiResponse, Fault> {
    request.query()?.only(&[])?;
    let change: PresetChange = envelope::read(&mut request, KEY, DEFAULT_LIMIT).await?;
    let created = content.execute(&caller, CreatePreset(change)).await?;
    ApiResponse::created(&envelope::wrap(KEY, PresetView::of(caller.space(), &created)))
}

/// Of `{"preset": {…}}`: 200 with the preset as it is now. Members that are not named keep their values;
/// `preset` is replaced as a whole.
async fn update(content: Content, caller: Manager, id: PresetId, mut request: ApiRequest) -> Result<ApiResponse, Fault> {
    request.query()?.only(&[])?;
    let change: PresetChange = envelope::read(&mut request, KEY, DEFAULT_LIMIT).await?;
    let updated = content.execute(&caller, UpdatePreset { id, change }).await?;
    ApiResponse::ok(&envelope::wrap(KEY, PresetView::of(caller.space(), &updated)))
}

/// 200 with the preset that was deleted.
async fn delete(content: Content, caller: Manager, id: PresetId, request: ApiRequest) -> Result<ApiResponse, Fault> {
    request.query()?.only(&[])?;
    let deleted = content.execute(&caller, DeletePreset(id)).await?;
    ApiResponse::ok(&envelope::wrap(KEY, PresetView::of(caller.space(), &deleted)))
}

/// A preset in Storyblok's shape.
#[derive(Serialize)]
struct PresetView<'a> {
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
    fn of(space: SpaceId, preset: &'a Preset) -> Self {
        let draft = &preset.draft;
        Self {
            id: preset.id,
            name: &draft.name,
            preset: &draft.preset,
            component_id: draft.component_id,
            space_id: space,
            created_at: preset.created_at,
            updated_at: preset.updated_at,
            image: draft.image.as_deref(),
            color: draft.color.as_deref(),
            icon: draft.icon.as_deref(),
            description: draft.description.as_deref(),
        }
    }
}
