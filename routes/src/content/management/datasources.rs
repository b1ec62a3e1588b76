//! Datasources: named lists of name and value. A path names one by its number or its slug.

use super::{access::Manager, envelope, paginate::list_parameters};
use crate::{
    content::{Content, datasource::DatasourceView},
    web::{ApiRequest, ApiResponse, Endpoints, ErrorFormat, body::DEFAULT_LIMIT},
};
use domain::{
    content::{Right, datasource::DatasourceChange},
    shared::Fault,
};
use services::content::datasources::{CreateDatasource, DeleteDatasource, UpdateDatasource};
use storage::content::datasources::{self, DatasourceFilter, DatasourceOrder, Reference};

const KEY: &str = "datasource";
/// The most datasources of one page.
const MAX_PER_PAGE: u32 = 1_000;

/// The endpoints below `/api/v1/spaces/{space}/datasources`.
pub(super) fn endpoints(content: &Content) -> Endpoints<Content> {
    Endpoints::new(content, ErrorFormat::Management)
        .get("/api/v1/spaces/{space}/datasources", Right::Read, list)
        .post("/api/v1/spaces/{space}/datasources", Right::WriteContent, create)
        .get("/api/v1/spaces/{space}/datasources/{id}", Right::Read, read)
        .put("/api/v1/spaces/{space}/datasources/{id}", Right::WriteContent, update)
        .patch("/api/v1/spaces/{space}/datasources/{id}", Right::WriteContent, update)
        .delete("/api/v1/spaces/{space}/datasources/{id}", Right::WriteContent, delete)
}

/// 200 `{"datasources": […]}`, paged. Filters: `search` (in name and slug), `by_ids`. Order:
/// `sort_by=(name|created_at|updated_at):(asc|desc)`, else by age.
async fn list(content: Content, caller: Manager, request: ApiRequest) -> Result<ApiResponse, Fault> {
    let query = list_parameters(&request, &["search", "by_ids[]", "sort_by"])?;
    let order = query.sort_by("updated_at:desc")?.unwrap_or((DatasourceOrder::default(), false));
    let page = query.page(MAX_PER_PAGE)?;
    let filter = DatasourceFilter { search: query.search("search")?, ids: query.readable_list("by_ids") };
    let connection = content.store.connection("datasource.list").await?;
    let found = datasources::list(&connection, caller.space(), &filter, order, page).await?;
    let views: Vec<_> = found.items.iter().map(DatasourceView::of).collect();
    Ok(ApiResponse::ok(&envelope::wrap("datasources", views))?.paged(found.total, page))
}

/// 200 with the datasource.
async fn read(content: Content, caller: Manager, slug_or_id: String, request: ApiRequest) -> Result<ApiResponse, Fault> {
    request.query()?.only(&[])?;
    let connection = content.store.connection("datasource.find").await?;
    let datasource =
        datasources::find(&connection, caller.space(), &Reference::NumberOrSlug(slug_or_id)).await?.ok_or_else(Fault::not_found)?;
    ApiResponse::ok(&envelope::wrap(KEY, DatasourceView::of(&datasource)))
}

/// Of `{"datasource": {…}}`: 201 with the datasource.
async fn create(content: Content, caller: Manager, mut request: ApiRequest) -> Result<ApiResponse, Fault> {
    request.query()?.only(&[])?;
    let change: DatasourceChange = envelope::read(&mut request, KEY, DEFAULT_LIMIT).await?;
    let created = content.execute(&caller, CreateDatasource(change)).await?;
    ApiResponse::created(&envelope::wrap(KEY, DatasourceView::of(&created)))
}

/// Of `{"datasource": {…}}`: 200 with the datasource as it is now. Members that are not named keep their
/// values. Of `dimensions_attributes`, those with `id` edit, those without add, those with `_destroy` remove.
async fn update(content: Content, caller: Manager, slug_or_id: String, mut request: ApiRequest) -> Result<ApiResponse, Fault> {
    request.query()?.only(&[])?;
    let change: DatasourceChange = envelope::read(&mut request, KEY, DEFAULT_LIMIT).await?;
    let which = Reference::NumberOrSlug(slug_or_id);
    let updated = content.execute(&caller, UpdateDatasource { reference: which, change }).await?;
    ApiResponse::ok(&envelope::wrap(KEY, DatasourceView::of(&updated)))
}

/// 204, as on Storyblok. The entries of the datasource are deleted with it.
async fn delete(content: Content, caller: Manager, slug_or_id: String, request: ApiRequest) -> Result<ApiResponse, Fault> {
    request.query()?.only(&[])?;
    content.execute(&caller, DeleteDatasource(Reference::NumberOrSlug(slug_or_id))).await?;
    Ok(ApiResponse::empty())
}
