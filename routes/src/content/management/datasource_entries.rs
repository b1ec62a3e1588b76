//! Entries of datasources. A dimension holds another value of the same entry, for a language for instance.

use super::{access::Manager, envelope, paginate::list_parameters, write_parameters::WriteParameters};
use crate::{
    content::Content,
    web::{ApiRequest, ApiResponse, Endpoints, ErrorFormat, body::DEFAULT_LIMIT},
};
use domain::{
    content::{Right, datasource_entry::Entry},
    shared::{DatasourceId, DimensionId, EntryId, Fault, PageRequest, csv::verbatim_cell},
};
use http::StatusCode;
use serde::Serialize;
use services::content::datasource_entries::{CreateEntry, DeleteEntry, UpdateEntry};
use storage::content::datasource_entries::{self, Dimension, EntryFilter};

const KEY: &str = "datasource_entry";
/// The most entries of one page.
const MAX_PER_PAGE: u32 = 1_000;
/// All entries.
const WHOLE: PageRequest = PageRequest { page: 1, per_page: u32::MAX };

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
/// Filters: `datasource_id` or `datasource_slug` (one that does not exist answers an empty list, neither of
/// them the whole space), `search` (in name and value). `dimension` is a dimension's **number** here. With
/// `as_csv` the whole list as `text/csv` (RFC 4180), or a page of it where one is asked for.
async fn list(content: Content, caller: Manager, request: ApiRequest) -> Result<ApiResponse, Fault> {
    let query = list_parameters(&request, &["datasource_id", "datasource_slug", "dimension", "search", "as_csv"])?;
    let is_csv = query.flag("as_csv")?;
    let is_paged = query.get("page").is_some() || query.get("per_page").is_some();
    let page = if is_csv && !is_paged { WHOLE } else { query.page(MAX_PER_PAGE)? };
    let dimension = query.parsed("dimension")?.map(Dimension::Number);
    let filter = EntryFilter {
        datasource: query.parsed("datasource_id")?,
        slug: query.text("datasource_slug").map(str::to_owned),
        search: query.search("search")?,
    };
    let connection = content.store.connection("datasource_entry.list").await?;
    let found = datasource_entries::list(&connection, caller.space(), &filter, dimension.as_ref(), page).await?;
    if is_csv {
        let file = ApiResponse::bytes(StatusCode::OK, "text/csv; charset=utf-8", csv(&found.items, dimension.is_some()));
        return Ok(if is_paged { file.paged(found.total, page) } else { file });
    }
    let views: Vec<_> = found.items.iter().map(EntryView::of).collect();
    Ok(ApiResponse::ok(&envelope::wrap("datasource_entries", views))?.paged(found.total, page))
}

/// Names and values with a header, and the values of a dimension where one was asked for.
fn csv(entries: &[Entry], with_dimension: bool) -> String {
    let line = |cells: [&str; 3]| {
        let cells = if with_dimension { &cells[..] } else { &cells[..2] };
        cells.iter().map(|cell| verbatim_cell(cell)).collect::<Vec<_>>().join(",") + "\r\n"
    };
    let lines = entries.iter().map(|entry| line([&entry.name, &entry.value, entry.dimension_value.as_deref().unwrap_or_default()]));
    std::iter::once(line(["name", "value", "dimension_value"])).chain(lines).collect()
}

/// 200 with the entry.
async fn read(content: Content, caller: Manager, id: EntryId, request: ApiRequest) -> Result<ApiResponse, Fault> {
    request.query()?.only(&[])?;
    let connection = content.store.connection("datasource_entry.find").await?;
    let entry = datasource_entries::find(&connection, caller.space(), id).await?.ok_or_else(Fault::not_found)?;
    ApiResponse::ok(&envelope::wrap(KEY, EntryView::of(&entry)))
}

/// Of `{"datasource_entry": {…}}`: 201 with the entry. `dimension_value` is written to the dimension that
/// `dimension_id` names, in the query or beside the entry.
async fn create(content: Content, caller: Manager, mut request: ApiRequest) -> Result<ApiResponse, Fault> {
    let (change, parameters) = WriteParameters::read(&mut request, KEY, &["dimension_id"], DEFAULT_LIMIT).await?;
    let dimension = parameters.number("dimension_id")?.map(DimensionId);
    let command = CreateEntry { change, dimension };
    let created = content.execute(&caller, command).await?;
    ApiResponse::created(&envelope::wrap(KEY, EntryView::of(&created)))
}

/// Of `{"datasource_entry": {…}}`: 204 without a body, as on Storyblok. Members that are not named keep their
/// values. `dimension_value` is written to the dimension that `dimension_id` names, in the query or beside
/// the entry; `null` takes it away.
async fn update(content: Content, caller: Manager, id: EntryId, mut request: ApiRequest) -> Result<ApiResponse, Fault> {
    let (change, parameters) = WriteParameters::read(&mut request, KEY, &["dimension_id"], DEFAULT_LIMIT).await?;
    let dimension = parameters.number("dimension_id")?.map(DimensionId);
    let command = UpdateEntry { id, change, dimension };
    content.execute(&caller, command).await?;
    Ok(ApiResponse::empty())
}

/// Deletes an entry: 204.
async fn delete(content: Content, caller: Manager, id: EntryId, request: ApiRequest) -> Result<ApiResponse, Fault> {
    request.query()?.only(&[])?;
    content.execute(&caller, DeleteEntry(id)).await?;
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
