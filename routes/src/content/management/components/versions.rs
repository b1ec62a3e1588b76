//! The versions of a component: one for each change, the newest 100.

use crate::{
    content::{
        Content,
        management::{access::Manager, envelope},
    },
    web::{ApiRequest, ApiResponse},
};
use domain::{
    content::component::ComponentVersion,
    shared::{ComponentId, Fault, PageRequest, timestamp},
};
use serde_json::{Value, json};
use services::content::components::RestoreComponentVersion;
use storage::content::component_versions;

/// 200 `{"component_version": {schema}}`.
pub(super) async fn read(
    content: Content,
    caller: Manager,
    component: ComponentId,
    version: i64,
    request: ApiRequest,
) -> Result<ApiResponse, Fault> {
    request.query()?.only(&[])?;
    let connection = content.store.connection("component.version").await?;
    let schema = component_versions::find_schema(&connection, caller.space(), component, version).await?;
    let schema = schema.ok_or_else(Fault::not_found)?;
    ApiResponse::ok(&envelope::wrap("component_version", envelope::wrap("schema", schema)))
}

/// 200 `{"versions": […]}`, newest first. 404 when there is no such component and none that was deleted: it
/// would have a version.
pub(in super::super) async fn list_page(
    content: &Content,
    caller: &Manager,
    component: ComponentId,
    page: PageRequest,
) -> Result<ApiResponse, Fault> {
    let connection = content.store.connection("component.versions").await?;
    let found = component_versions::list(&connection, caller.space(), component, page).await?;
    if found.total == 0 {
        return Err(Fault::not_found());
    }
    let views: Vec<_> = found.items.iter().map(|version| view(component, version)).collect();
    Ok(ApiResponse::ok(&envelope::wrap("versions", views))?.paged(found.total, page))
}

/// 204: the component is what it was in the version.
pub(in super::super) async fn restore(
    content: &Content,
    caller: Manager,
    id: ComponentId,
    version: i64,
) -> Result<ApiResponse, Fault> {
    let command = RestoreComponentVersion { id, version };
    content.execute(&caller, command).await?;
    Ok(ApiResponse::empty())
}

/// A version in Storyblok's shape.
fn view(component: ComponentId, version: &ComponentVersion) -> Value {
    json!({
        "id": version.id,
        "event": version.event.into_str(),
        "created_at": timestamp::format(version.created_at),
        "author_id": version.author.number(),
        "author": version.author.name(),
        "item_id": component,
        "is_draft": true,
    })
}
