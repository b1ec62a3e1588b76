//! Lists of what a space does not have here: workflows, releases, branches, roles of its own, experiments,
//! assets that spaces share. Storyblok's clients ask for them on their way, and are answered as by a space
//! that uses none of these features. Nothing can be added to them.

use super::{access::Manager, envelope, paginate::list_parameters};
use crate::{
    content::Content,
    web::{ApiRequest, ApiResponse, Endpoints, ErrorFormat},
};
use domain::{content::Right, shared::Fault};

/// The most items of one page, if there were any.
const MAX_PER_PAGE: u32 = 100;
/// The filters of assets that spaces share.
const ASSET_FILTERS: [&str; 12] = [
    "in_folder",
    "is_private",
    "by_alt",
    "by_copyright",
    "by_title",
    "with_tags[]",
    "created_at_gte",
    "created_at_lte",
    "updated_at_gte",
    "updated_at_lte",
    "expire_at_gte",
    "expire_at_lte",
];

/// The endpoints: one for each feature.
pub(super) fn endpoints(content: &Content) -> Endpoints<Content> {
    Endpoints::new(content, ErrorFormat::Management)
        .get("/api/v1/spaces/{space}/approvals", Right::Read, approvals)
        .get("/api/v1/spaces/{space}/background_tasks", Right::Read, background_tasks)
        .get("/api/v1/spaces/{space}/backups", Right::Read, backups)
        .get("/api/v1/spaces/{space}/branches", Right::Read, branches)
        .get("/api/v1/spaces/{space}/experiments", Right::Read, experiments)
        .get("/api/v1/spaces/{space}/field_types", Right::Read, field_types)
        .get("/api/v1/spaces/{space}/releases", Right::Read, releases)
        .get("/api/v1/spaces/{space}/shared_asset_folders", Right::Read, shared_asset_folders)
        .get("/api/v1/spaces/{space}/shared_assets", Right::Read, shared_assets)
        .get("/api/v1/spaces/{space}/shared_internal_tags", Right::Read, shared_internal_tags)
        .get("/api/v1/spaces/{space}/space_roles", Right::Read, space_roles)
        .get("/api/v1/spaces/{space}/tasks", Right::Read, tasks)
        .get("/api/v1/spaces/{space}/workflow_stage_changes", Right::Read, workflow_stage_changes)
        .get("/api/v1/spaces/{space}/workflow_stages", Right::Read, workflow_stages)
        .get("/api/v1/spaces/{space}/workflows", Right::Read, workflows)
        .as_placeholders()
}

async fn approvals(_: Content, _: Manager, request: ApiRequest) -> Result<ApiResponse, Fault> {
    none("approvals", &request, &["approver", "in_release"])
}

async fn background_tasks(_: Content, _: Manager, request: ApiRequest) -> Result<ApiResponse, Fault> {
    none("background_tasks", &request, &[])
}

async fn backups(_: Content, _: Manager, request: ApiRequest) -> Result<ApiResponse, Fault> {
    none("backups", &request, &[])
}

async fn branches(_: Content, _: Manager, request: ApiRequest) -> Result<ApiResponse, Fault> {
    none("branches", &request, &[])
}

async fn experiments(_: Content, _: Manager, request: ApiRequest) -> Result<ApiResponse, Fault> {
    none("experiments", &request, &["by_status"])
}

async fn field_types(_: Content, _: Manager, request: ApiRequest) -> Result<ApiResponse, Fault> {
    none("field_types", &request, &["only_mine"])
}

async fn releases(_: Content, _: Manager, request: ApiRequest) -> Result<ApiResponse, Fault> {
    none("releases", &request, &["release_at_gt", "release_at_lt", "released", "branch_id"])
}

async fn shared_asset_folders(_: Content, _: Manager, request: ApiRequest) -> Result<ApiResponse, Fault> {
    none("asset_folders", &request, &["with_parent"])
}

async fn shared_assets(_: Content, _: Manager, request: ApiRequest) -> Result<ApiResponse, Fault> {
    none("assets", &request, &ASSET_FILTERS)
}

async fn shared_internal_tags(_: Content, _: Manager, request: ApiRequest) -> Result<ApiResponse, Fault> {
    none("internal_tags", &request, &["asset_folder_id", "by_object_type", "with_assets_count"])
}

async fn space_roles(_: Content, _: Manager, request: ApiRequest) -> Result<ApiResponse, Fault> {
    none("space_roles", &request, &[])
}

async fn tasks(_: Content, _: Manager, request: ApiRequest) -> Result<ApiResponse, Fault> {
    none("tasks", &request, &[])
}

async fn workflow_stage_changes(_: Content, _: Manager, request: ApiRequest) -> Result<ApiResponse, Fault> {
    none("workflow_stage_changes", &request, &["with_story"])
}

async fn workflow_stages(_: Content, _: Manager, request: ApiRequest) -> Result<ApiResponse, Fault> {
    none("workflow_stages", &request, &["in_workflow", "exclude_id"])
}

async fn workflows(_: Content, _: Manager, request: ApiRequest) -> Result<ApiResponse, Fault> {
    none("workflows", &request, &["include_stages", "content_type"])
}

/// 200 with an empty list under the key; the filters are read, and hold for nothing.
fn none(key: &'static str, request: &ApiRequest, filters: &[&str]) -> Result<ApiResponse, Fault> {
    let common = ["search", "by_ids[]", "by_uuids[]", "sort_by"];
    let query = list_parameters(request, &[&common[..], filters].concat())?;
    let page = query.page(MAX_PER_PAGE)?;
    Ok(ApiResponse::ok(&envelope::wrap(key, [(); 0]))?.paged(0, page))
}
