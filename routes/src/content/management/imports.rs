//! Imports of whole spaces. Every role reads them; only admins start, cancel and resume them, because an
//! import writes everything.

mod events;
mod source_token;
mod start;
mod view;

use super::{access::Manager, envelope, paginate::list_parameters};
use crate::{
    content::Content,
    web::{ApiRequest, ApiResponse, Endpoints, ErrorFormat},
};
use domain::{
    content::Right,
    shared::{Fault, ImportId},
};
use events::StreamSlots;
use services::content::import::jobs::CancelImport;
use storage::content::imports::jobs;
use view::ImportView;

const KEY: &str = "import";
/// The most imports of one page.
const MAX_PER_PAGE: u32 = 100;

/// The endpoints below `/api/v1/spaces/{space}/import` and `/api/v1/spaces/{space}/imports`.
pub(super) fn endpoints(content: &Content) -> Endpoints<Content> {
    let slots = StreamSlots::default();
    let events = move |content: Content, caller: Manager, id: ImportId, request: ApiRequest| {
        events::stream(slots.clone(), content, caller, id, request)
    };
    Endpoints::new(content, ErrorFormat::Management)
        .post("/api/v1/spaces/{space}/import/vendor", Right::Administer, start::start)
        .get("/api/v1/spaces/{space}/imports", Right::Read, list)
        .get("/api/v1/spaces/{space}/imports/{id}", Right::Read, read)
        .delete("/api/v1/spaces/{space}/imports/{id}", Right::Administer, cancel)
        .post("/api/v1/spaces/{space}/imports/{id}/resume", Right::Administer, start::resume)
        .get("/api/v1/spaces/{space}/imports/{id}/events", Right::Read, events)
}

/// 200 `{"imports": […]}`, newest first.
async fn list(content: Content, caller: Manager, request: ApiRequest) -> Result<ApiResponse, Fault> {
    let query = list_parameters(&request, &[])?;
    let page = query.page(MAX_PER_PAGE)?;
    let connection = content.store.connection("import.list").await?;
    let found = jobs::list(&connection, caller.space(), page).await?;
    let views: Vec<_> = found.items.iter().map(ImportView::of).collect();
    Ok(ApiResponse::ok(&envelope::wrap("imports", views))?.paged(found.total, page))
}

/// 200 with the import and its report.
async fn read(content: Content, caller: Manager, id: ImportId, request: ApiRequest) -> Result<ApiResponse, Fault> {
    request.query()?.only(&[])?;
    let connection = content.store.connection("import.find").await?;
    let import = jobs::find(&connection, caller.space(), id).await?.ok_or_else(Fault::not_found)?;
    ApiResponse::ok(&envelope::wrap(KEY, ImportView::of(&import)))
}

/// 200 with the import. One that waits is cancelled at once; one that runs stops before its next page, and
/// the rows it wrote stay; one that has ended is not changed.
async fn cancel(content: Content, caller: Manager, id: ImportId, request: ApiRequest) -> Result<ApiResponse, Fault> {
    request.query()?.only(&[])?;
    let import = content.execute(&caller, CancelImport(id)).await?;
    ApiResponse::ok(&envelope::wrap(KEY, ImportView::of(&import)))
}
