//! Internal tags: labels of assets and components for editors. Tags of components are for administrators, as
//! components are.

use super::{access::Manager, envelope, paginate::list_parameters};
use crate::{
    content::Content,
    web::{ApiRequest, ApiResponse, Endpoints, ErrorFormat, body::DEFAULT_LIMIT},
};
use domain::{
    content::{
        Right,
        internal_tag::{InternalTag, InternalTagChange},
    },
    shared::{Fault, FieldCode, InternalTagId},
};
use serde::Serialize;
use services::content::internal_tags::{CreateInternalTag, DeleteInternalTag, UpdateInternalTag};
use storage::content::internal_tags;

const KEY: &str = "internal_tag";
/// The most tags of one page.
const MAX_PER_PAGE: u32 = 1000;

/// The endpoints below `/api/v1/spaces/{space}/internal_tags`.
pub(super) fn endpoints(content: &Content) -> Endpoints<Content> {
    Endpoints::new(content, ErrorFormat::Management)
        .get("/api/v1/spaces/{space}/internal_tags", Right::Read, list)
        .post("/api/v1/spaces/{space}/internal_tags", Right::WriteContent, create)
        .put("/api/v1/spaces/{space}/internal_tags/{id}", Right::WriteContent, update)
        .patch("/api/v1/spaces/{space}/internal_tags/{id}", Right::WriteContent, update)
        .delete("/api/v1/spaces/{space}/internal_tags/{id}", Right::WriteContent, delete)
}

/// 200 `{"internal_tags": […]}`, paged, by name. Filters: `search` (in the name), `by_object_type`, `by_ids`;
/// `with_assets_count` counts the assets of each tag.
async fn list(content: Content, caller: Manager, request: ApiRequest) -> Result<ApiResponse, Fault> {
    let query = list_parameters(&request, &["search", "by_object_type", "by_ids[]", "with_assets_count"])?;
    let kind = query.text("by_object_type").map(|name| {
        name.parse().map_err(|_| Fault::invalid("by_object_type", FieldCode::Invalid, "must be asset, component or idea"))
    });
    let filter = internal_tags::InternalTagFilter {
        search: query.search("search")?,
        kind: kind.transpose()?,
        by_ids: query.readable_list("by_ids"),
        with_assets_count: query.flag("with_assets_count")?,
    };
    let page = query.page(MAX_PER_PAGE)?;
    let connection = content.store.connection("internal_tag.list").await?;
    let found = internal_tags::list(&connection, caller.space(), &filter, page).await?;
    let views: Vec<_> = found.items.iter().map(TagView::of).collect();
    Ok(ApiResponse::ok(&envelope::wrap("internal_tags", views))?.paged(found.total, page))
}

/// Of `{"internal_tag": {name, object_type?}}`: 200 with the tag.
async fn create(content: Content, caller: Manager, mut request: ApiRequest) -> Result<ApiResponse, Fault> {
    request.query()?.only(&[])?;
    let change: InternalTagChange = envelope::read(&mut request, KEY, DEFAULT_LIMIT).await?;
    let created = content.execute(&caller, CreateInternalTag(change)).await?;
    ApiResponse::ok(&envelope::wrap(KEY, TagView::of(&created)))
}

/// Of `{"internal_tag": {name}}`: 200 with the tag as it is now.
async fn update(content: Content, caller: Manager, id: InternalTagId, mut request: ApiRequest) -> Result<ApiResponse, Fault> {
    request.query()?.only(&[])?;
    let change: InternalTagChange = envelope::read(&mut request, KEY, DEFAULT_LIMIT).await?;
    let updated = content.execute(&caller, UpdateInternalTag { id, change }).await?;
    ApiResponse::ok(&envelope::wrap(KEY, TagView::of(&updated)))
}

/// 200 with the tag that was deleted. Assets and components do not have it any more.
async fn delete(content: Content, caller: Manager, id: InternalTagId, request: ApiRequest) -> Result<ApiResponse, Fault> {
    request.query()?.only(&[])?;
    let deleted = content.execute(&caller, DeleteInternalTag(id)).await?;
    ApiResponse::ok(&envelope::wrap(KEY, TagView::of(&deleted)))
}

/// A tag in Storyblok's shape.
#[derive(Serialize)]
struct TagView<'a> {
    id: InternalTagId,
    name: &'a str,
    object_type: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    assets_count: Option<i64>,
}

impl<'a> TagView<'a> {
    fn of(tag: &'a InternalTag) -> Self {
        Self { id: tag.id, name: &tag.name, object_type: tag.kind.into_str(), assets_count: tag.assets_count }
    }
}
