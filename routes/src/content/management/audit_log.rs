//! The audit log of a space, newest first. It is only read: every other method is 405.

use super::{access::Manager, envelope, paginate::list_parameters};
use crate::{
    content::Content,
    web::{ApiRequest, ApiResponse, Endpoints, ErrorFormat},
};
use domain::{
    content::{Right, audit::AuditFilter},
    shared::Fault,
};
use storage::content::audit_log;

/// The most entries of one page.
const MAX_PER_PAGE: u32 = 100;

/// The endpoint `/api/v1/spaces/{space}/audit_log`.
pub(super) fn endpoints(content: &Content) -> Endpoints<Content> {
    Endpoints::new(content, ErrorFormat::Management).get("/api/v1/spaces/{space}/audit_log", Right::Administer, list)
}

/// 200 `{"audit_log": […]}`, 25 entries on a page unless `per_page` says otherwise.
///
/// Filters: `created_at_gte`, `created_at_lte` (RFC 3339, or a date and time of UTC), `types` (actions,
/// comma-separated), `key_like` (a part of the action), `by_owner_ids` (ids of actors).
async fn list(content: Content, caller: Manager, request: ApiRequest) -> Result<ApiResponse, Fault> {
    let query = list_parameters(&request, &["created_at_gte", "created_at_lte", "types[]", "key_like", "by_owner_ids[]"])?;
    let filter = AuditFilter {
        created_at_gte: query.time("created_at_gte")?,
        created_at_lte: query.time("created_at_lte")?,
        types: query.list("types"),
        key_like: query.text("key_like").map(str::to_owned),
        by_owner_ids: query.list("by_owner_ids"),
    };
    let page = query.page(MAX_PER_PAGE)?;
    let connection = content.store.connection("audit.list").await?;
    let found = audit_log::list(&connection, caller.space(), &filter, page).await?;
    Ok(ApiResponse::ok(&envelope::wrap("audit_log", found.items))?.paged(found.total, page))
}
