//! Components: the block types that a space's stories are made of.

mod options;
mod versions;
mod view;

pub(super) use versions::{list_page as list_versions, restore as restore_version};

use super::{
    access::Manager,
    component_groups::GroupView,
    envelope,
    paginate::{list_parameters, paginate},
    write_parameters::WriteParameters,
};
use crate::{
    content::Content,
    web::{ApiRequest, ApiResponse, Endpoints, ErrorFormat, body::DEFAULT_LIMIT},
};
use domain::{
    content::{Right, component::ComponentChange},
    shared::{ComponentId, Fault},
};
use serde::Serialize;
use services::content::components::{CreateComponent, DeleteComponent, RestoreComponent, UpdateComponent};
use storage::content::{
    component_versions,
    components::{self},
    hierarchy::{self, COMPONENT_GROUPS},
};
use view::ComponentView;

const KEY: &str = "component";

/// The endpoints below `/api/v1/spaces/{space}/components`.
pub(super) fn endpoints(content: &Content) -> Endpoints<Content> {
    Endpoints::new(content, ErrorFormat::Management)
        .get("/api/v1/spaces/{space}/components", Right::Read, list)
        .post("/api/v1/spaces/{space}/components", Right::Administer, create)
        .get("/api/v1/spaces/{space}/components/{id}", Right::Read, read)
        .put("/api/v1/spaces/{space}/components/{id}", Right::Administer, update)
        .delete("/api/v1/spaces/{space}/components/{id}", Right::Administer, delete)
        .get("/api/v1/spaces/{space}/components/{id}/options", Right::Read, options::list)
        .post("/api/v1/spaces/{space}/components/{id}/restore", Right::Administer, restore)
        .get("/api/v1/spaces/{space}/components/{id}/component_versions/{version}", Right::Read, versions::read)
}

#[derive(Serialize)]
struct ListBody<'a> {
    components: Vec<ComponentView<'a>>,
    component_groups: Vec<GroupView<'a>>,
}

/// 200 with the components and, beside them, all groups. Filters: `in_group` (a group's UUID), `is_root`,
/// `search` (in both names), `by_ids`, `with_tags` (numbers of internal tags, of which it has one),
/// `by_metadata_app_slug` and `by_metadata_frame_id` (members of its `metadata`). By number, or by
/// `sort_by=(id|name|created_at|updated_at):(asc|desc)`. With `in_trash=1`, those that were deleted.
async fn list(content: Content, caller: Manager, request: ApiRequest) -> Result<ApiResponse, Fault> {
    let known = [
        "in_group",
        "is_root",
        "search",
        "by_ids[]",
        "with_tags[]",
        "by_metadata_app_slug",
        "by_metadata_frame_id",
        "sort_by",
        "in_trash",
    ];
    let query = list_parameters(&request, &known)?;
    if query.flag("in_trash")? {
        return list_deleted(content, caller, &request).await;
    }
    let filter = components::ComponentFilter {
        in_group: query.parsed("in_group")?,
        is_root: query.flag_if_given("is_root")?,
        search: query.search("search")?,
        by_ids: query.readable_list("by_ids"),
        with_tags: Some(query.parsed_list("with_tags")?).filter(|tags| !tags.is_empty()),
        app_slug: query.text("by_metadata_app_slug").map(str::to_owned),
        frame_id: query.text("by_metadata_frame_id").map(str::to_owned),
    };
    let order = query.sort_by("name:asc")?.unwrap_or_default();
    let connection = content.store.connection("component.list").await?;
    let found = paginate(&query, components::list(&connection, caller.space(), &filter, order).await?)?;
    let groups = COMPONENT_GROUPS.list(&connection, caller.space(), &hierarchy::HierarchyFilter::default()).await?;
    let body = ListBody {
        components: found.items.iter().map(ComponentView::of).collect(),
        component_groups: groups.iter().map(GroupView::of).collect(),
    };
    Ok(found.add_headers(ApiResponse::ok(&body)?))
}

/// 200 with the components that were deleted, the last one first, each with its `deleted_at`.
async fn list_deleted(content: Content, caller: Manager, request: &ApiRequest) -> Result<ApiResponse, Fault> {
    let query = list_parameters(request, &["in_trash"])?;
    let connection = content.store.connection("component.list").await?;
    let found = paginate(&query, component_versions::list_deleted(&connection, caller.space()).await?)?;
    let views: Vec<_> =
        found.items.iter().map(|deleted| ComponentView::of(&deleted.component).deleted_at(deleted.deleted_at)).collect();
    Ok(found.add_headers(ApiResponse::ok(&envelope::wrap("components", views))?))
}

/// 200 with the component, which was deleted and is back with its presets. 422 when another one has its name
/// by now.
async fn restore(content: Content, caller: Manager, id: ComponentId, request: ApiRequest) -> Result<ApiResponse, Fault> {
    request.query()?.only(&[])?;
    let restored = content.execute(&caller, RestoreComponent(id)).await?;
    ApiResponse::ok(&envelope::wrap(KEY, ComponentView::of(&restored)))
}

/// 200 with the component.
async fn read(content: Content, caller: Manager, id: ComponentId, request: ApiRequest) -> Result<ApiResponse, Fault> {
    request.query()?.only(&[])?;
    let connection = content.store.connection("component.find").await?;
    let component = components::find(&connection, caller.space(), id).await?.ok_or_else(Fault::not_found)?;
    ApiResponse::ok(&envelope::wrap(KEY, ComponentView::of(&component)))
}

/// Of `{"component": {…}}`: 201 with the component.
async fn create(content: Content, caller: Manager, mut request: ApiRequest) -> Result<ApiResponse, Fault> {
    request.query()?.only(&[])?;
    let change: ComponentChange = envelope::read(&mut request, KEY, DEFAULT_LIMIT).await?;
    let created = content.execute(&caller, CreateComponent(change)).await?;
    ApiResponse::created(&envelope::wrap(KEY, ComponentView::of(&created)))
}

/// Of `{"component": {…}}`: 200 with the component as it is now. Members that are not named keep their
/// values; `schema` is replaced as a whole. The bloks of stories keep the component's old name, unless
/// `update_content` is on.
async fn update(content: Content, caller: Manager, id: ComponentId, mut request: ApiRequest) -> Result<ApiResponse, Fault> {
    let (change, parameters) = WriteParameters::read(&mut request, KEY, &["update_content"], DEFAULT_LIMIT).await?;
    let renames_content = parameters.switch("update_content")?.unwrap_or(false);
    let command = UpdateComponent { id, change, renames_content };
    let updated = content.execute(&caller, command).await?;
    ApiResponse::ok(&envelope::wrap(KEY, ComponentView::of(&updated)))
}

/// 200 with the component that was deleted, its presets with it. The bloks of stories stay. It can be
/// restored for 90 days.
async fn delete(content: Content, caller: Manager, id: ComponentId, request: ApiRequest) -> Result<ApiResponse, Fault> {
    request.query()?.only(&[])?;
    let deleted = content.execute(&caller, DeleteComponent(id)).await?;
    ApiResponse::ok(&envelope::wrap(KEY, ComponentView::of(&deleted)))
}
