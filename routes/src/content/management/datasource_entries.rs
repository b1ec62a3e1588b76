//! Entries of datasources. A dimension holds another value of the same entry, for a language for instance.

use super::{access::Manager, envelope, paginate::list_parameters};
use crate::{
    content::Content,
    web::{ApiRequest, ApiResponse, Endpoints, ErrorFormat, body::DEFAULT_LIMIT},
};
use domain::{
    content::{Right, datasource_entry::Entry},
    shared::{DatasourceId, EntryId, Fault},
};
use serde::Serialize;
use services::content::datasource_entries::{CreateEntry, DeleteEntry, UpdateEntry};
use storage::content::datasource_entries::{self, Dimension, Filter};

const KEY: &str = "datasource_entry";
/// The most entries of one page.
const MAX_PER_PAGE: u32 = 1_000;

/// The endpoints below `/api/v1/spaces/{space}/datasource_entries`.
pub(super) fn endpoints(content: &Content) -> Endpoints<Content> {
    Endpoints::new(content, ErrorFormat::Management)
        .get("/api/v1/spaces/{space}/datasource_entries", Right::Read, list)
        .post("/api/v1/spaces/{space}/datasource_entries", Right::WriteContent, create)
        .get("/api/v1/spaces/{space}/datasource_entries/{id}", Right::Read, read)
        .put("/api/v1/spaces/{space}/datasource_entries/{id}", Right::WriteContent, update)
        .patch("/api/v1/spaces/{space}/datasource_entries/{id}", Right::WriteContent, update)
        .delete("/api/v1/spaces/{space}/datasource_entries/{id}", Right::WriteContent, delete)
}

/// 200 `{"datasource_entries": […]}`, paged.
///
/// Filters: `datasource_id` or `datasource_slug` (one that does not exist answers an empty list, neither of them the whole space), `search` (in name
/// and value). `dimension` is a dimension's **number** here.
async fn list(content: Content, caller: Manager, request: ApiRequest) -> Result<ApiResponse, Fault> {
    let query = list_parameters(&request, &["datasource_id", "datasource_slug", "dimension", "search"])?;
    let page = query.page(MAX_PER_PAGE)?;
    let dimension = query.parsed("dimension")?.map(Dimension::Number);
    let filter = Filter {
        datasource: query.parsed("datasource_id")?,
        slug: query.text("datasource_slug").map(str::to_owned),
        search: query.search("search")?,
    };
    let connection = content.store.connection("datasource_entry.list").await?;
    let found = datasource_entries::list(&connection, caller.space, &filter, dimension.as_ref(), page).await?;
    let views: Vec<_> = found.items.iter().map(EntryView::of).collect();
    Ok(ApiResponse::ok(&envelope::wrap("datasource_entries", views))?.paged(found.total, page))
}

/// 200 with the entry.
async fn read(content: Content, caller: Manager, id: EntryId, request: ApiRequest) -> Result<ApiResponse, Fault> {
    request.query()?.only(&[])?;
    let connection = content.store.connection("datasource_entry.find").await?;
    let entry = datasource_entries::find(&connection, caller.space, id).await?.ok_or_else(Fault::not_found)?;
    ApiResponse::ok(&envelope::wrap(KEY, EntryView::of(&entry)))
}

/// Of `{"datasource_entry": {…}}`: 201 with the entry. `dimension_value` is written to the dimension that the query's `dimension_id` names.
async fn create(content: Content, caller: Manager, mut request: ApiRequest) -> Result<ApiResponse, Fault> {
    let query = request.query()?;
    query.only(&["dimension_id"])?;
    let dimension = query.parsed("dimension_id")?;
    let change = envelope::read(&mut request, KEY, DEFAULT_LIMIT).await?;
    let command = CreateEntry { change, dimension };
    let created = content.spaces.execute(caller.space, caller.actor, request.origin(), command).await?;
    ApiResponse::created(&envelope::wrap(KEY, EntryView::of(&created)))
}

/// Of `{"datasource_entry": {…}}`: 204 without a body, as on Storyblok. Members that are not named keep their values. `dimension_value` is written to
/// the dimension that the query's `dimension_id` names; `null` takes it away.
async fn update(content: Content, caller: Manager, id: EntryId, mut request: ApiRequest) -> Result<ApiResponse, Fault> {
    let query = request.query()?;
    query.only(&["dimension_id"])?;
    let dimension = query.parsed("dimension_id")?;
    let change = envelope::read(&mut request, KEY, DEFAULT_LIMIT).await?;
    let command = UpdateEntry { id, change, dimension };
    content.spaces.execute(caller.space, caller.actor, request.origin(), command).await?;
    Ok(ApiResponse::empty())
}

/// Deletes an entry: 204.
async fn delete(content: Content, caller: Manager, id: EntryId, request: ApiRequest) -> Result<ApiResponse, Fault> {
    request.query()?.only(&[])?;
    content.spaces.execute(caller.space, caller.actor, request.origin(), DeleteEntry(id)).await?;
    Ok(ApiResponse::empty())
}

/// An entry in Storyblok's shape.
#[derive(Serialize)]
struct EntryView<'a> {
    id: EntryId,
    name: &'a str,
    value: &'a str,
    /// Filled only when a dimension was asked for.
    dimension_value: Option<&'a str>,
    datasource_id: DatasourceId,
    position: i32,
}

impl<'a> EntryView<'a> {
    fn of(entry: &'a Entry) -> Self {
        Self {
            id: entry.id,
            name: &entry.name,
            value: &entry.value,
            dimension_value: entry.dimension_value.as_deref(),
            datasource_id: entry.datasource_id,
            position: entry.position,
        }
    }
}
