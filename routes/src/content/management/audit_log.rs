//! `GET /api/v1/spaces/{space}/audit_log`: for admin tokens only, newest first. Nothing writes to it: other methods are 405.
//!
//! Filters: `created_at_gte`, `created_at_lte` (RFC 3339, or a date and time of UTC), `types` (actions, comma-separated), `key_like`
//! (a part of the action), `by_owner_ids` (ids of actors). 25 entries on a page, at most 100.

use crate::{
    content::{
        Content,
        management::{access, collection, wrapper},
    },
    web::{ApiRequest, ApiResponse, Endpoint, ErrorFormat, endpoint::respond, group as tried_in_order, request::api_request},
};
use domain::{
    content::{Right, audit::AuditFilter},
    shared::{Fault, SpaceId},
};
use storage::content::audit_log;
use warp::Filter;

/// The endpoint `/api/v1/spaces/{space}/audit_log`.
pub fn group(content: &Content) -> Endpoint {
    tried_in_order(ErrorFormat::Management, [route(content)])
}

fn route(content: &Content) -> Endpoint {
    let content = content.clone();
    collection("audit_log")
        .and(warp::get())
        .and(api_request())
        .then(move |space, request: ApiRequest| {
            respond(ErrorFormat::Management, request.meta, list(content.clone(), space, request))
        })
        .boxed()
}

async fn list(content: Content, space: SpaceId, request: ApiRequest) -> Result<ApiResponse, Fault> {
    access::manager(&content, &request, space, Right::Administer).await?;
    let query = request.query()?;
    query.only(&["page", "per_page", "created_at_gte", "created_at_lte", "types[]", "key_like", "by_owner_ids[]"])?;
    let filter = AuditFilter {
        created_at_gte: query.time("created_at_gte")?,
        created_at_lte: query.time("created_at_lte")?,
        types: query.list("types"),
        key_like: query.text("key_like").map(str::to_owned),
        by_owner_ids: query.list("by_owner_ids"),
    };
    let page = query.page(100)?;
    let connection = content.store.connection("audit.list").await?;
    let found = audit_log::list(&connection, space, &filter, page).await?;
    Ok(ApiResponse::ok(&wrapper::put("audit_log", found.items))?.paged(found.total, page))
}
