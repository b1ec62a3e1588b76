//! Groups of components.

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
        component_group::{ComponentGroup, ComponentGroupChange},
    },
    shared::{Fault, GroupId},
};
use serde::Serialize;
use services::content::hierarchy::{CreateNode, DeleteNode, UpdateNode};
use storage::content::hierarchy::{self, COMPONENT_GROUPS};
use uuid::Uuid;

const KEY: &str = "component_group";

/// The endpoints below `/api/v1/spaces/{space}/component_groups`.
pub(super) fn endpoints(content: &Content) -> Endpoints<Content> {
    Endpoints::new(content, ErrorFormat::Management)
        .get("/api/v1/spaces/{space}/component_groups", Right::Read, list)
        .post("/api/v1/spaces/{space}/component_groups", Right::Administer, create)
        .get("/api/v1/spaces/{space}/component_groups/{id}", Right::Read, read)
        .put("/api/v1/spaces/{space}/component_groups/{id}", Right::Administer, update)
        .patch("/api/v1/spaces/{space}/component_groups/{id}", Right::Administer, update)
        .delete("/api/v1/spaces/{space}/component_groups/{id}", Right::Administer, delete)
}

/// 200 `{"component_groups": […]}`. Filters: `search` (in the name), `with_parent` (a group's number; 0 for
/// the top).
async fn list(content: Content, caller: Manager, request: ApiRequest) -> Result<ApiResponse, Fault> {
    let query = list_parameters(&request, &["search", "with_parent"])?;
    let filter = hierarchy::HierarchyFilter {
        search: query.search("search")?,
        with_parent: query.parsed("with_parent")?,
        ..hierarchy::HierarchyFilter::default()
    };
    let connection = content.store.connection("component_group.list").await?;
    let found = paginate(&query, COMPONENT_GROUPS.list(&connection, caller.space(), &filter).await?)?;
    let views: Vec<_> = found.items.iter().map(GroupView::of).collect();
    Ok(found.add_headers(ApiResponse::ok(&envelope::wrap("component_groups", views))?))
}

/// 200 with the group.
async fn read(content: Content, caller: Manager, id: GroupId, request: ApiRequest) -> Result<ApiResponse, Fault> {
    request.query()?.only(&[])?;
    let connection = content.store.connection("component_group.find").await?;
    let group = COMPONENT_GROUPS.find(&connection, caller.space(), id).await?.ok_or_else(Fault::not_found)?;
    ApiResponse::ok(&envelope::wrap(KEY, GroupView::of(&group)))
}

/// Of `{"component_group": {…}}`: 201 with the group.
async fn create(content: Content, caller: Manager, mut request: ApiRequest) -> Result<ApiResponse, Fault> {
    request.query()?.only(&[])?;
    let change: ComponentGroupChange = envelope::read(&mut request, KEY, DEFAULT_LIMIT).await?;
    let created = content.execute(&caller, CreateNode(change)).await?;
    ApiResponse::created(&envelope::wrap(KEY, GroupView::of(&created)))
}

/// Of `{"component_group": {…}}`: 200 with the group as it is now. Members that are not named keep their
/// values, for PUT as for PATCH, as on Storyblok.
async fn update(content: Content, caller: Manager, id: GroupId, mut request: ApiRequest) -> Result<ApiResponse, Fault> {
    request.query()?.only(&[])?;
    let change: ComponentGroupChange = envelope::read(&mut request, KEY, DEFAULT_LIMIT).await?;
    let updated = content.execute(&caller, UpdateNode { id, change }).await?;
    ApiResponse::ok(&envelope::wrap(KEY, GroupView::of(&updated)))
}

/// 200 with the group that was deleted. Its components stay, without a group; the groups in it move up to its
/// parent.
async fn delete(content: Content, caller: Manager, id: GroupId, request: ApiRequest) -> Result<ApiResponse, Fault> {
    request.query()?.only(&[])?;
    let deleted = content.execute(&caller, DeleteNode(id)).await?;
    ApiResponse::ok(&envelope::wrap(KEY, GroupView::of(&deleted)))
}

/// A group in Storyblok's shape.
#[derive(Serialize)]
pub(super) struct GroupView<'a> {
    id: GroupId,
    name: &'a str,
    uuid: Uuid,
    parent_id: Option<GroupId>,
    parent_uuid: Option<Uuid>,
}

impl<'a> GroupView<'a> {
    pub(super) fn of(group: &'a ComponentGroup) -> Self {
        let ComponentGroup { id, uuid, name, parent_id, parent_uuid } = group;
        Self { id: *id, name, uuid: *uuid, parent_id: *parent_id, parent_uuid: *parent_uuid }
    }
}
