//! `GET /api/v1/spaces/{space}/asset_folders`. Filters: `search` (in the name), `with_parent` (a folder's number; 0 for the top), `by_ids`, `by_uuids`.

use super::view::FolderView;
use crate::{
    content::{
        Content,
        management::{access, collection, listing::Listing, wrapper},
    },
    web::{ApiRequest, ApiResponse, Endpoint, ErrorFormat, endpoint::respond, request::api_request},
};
use domain::{
    content::Right,
    shared::{Fault, SpaceId},
};
use storage::content::hierarchy::{self, ASSET_FOLDERS};
use warp::Filter;

pub(super) fn route(content: &Content) -> Endpoint {
    let content = content.clone();
    collection("asset_folders")
        .and(warp::get())
        .and(api_request())
        .then(move |space, request: ApiRequest| {
            respond(ErrorFormat::Management, request.meta, list(content.clone(), space, request))
        })
        .boxed()
}

async fn list(content: Content, space: SpaceId, request: ApiRequest) -> Result<ApiResponse, Fault> {
    access::manager(&content, &request, space, Right::Read).await?;
    let query = request.query()?;
    query.only(&["search", "with_parent", "by_ids[]", "by_uuids[]", "page", "per_page"])?;
    let filter = hierarchy::Filter {
        search: query.text("search").map(str::to_owned),
        with_parent: query.parsed("with_parent")?,
        ids: query.parsed_list("by_ids")?,
        uuids: query.parsed_list("by_uuids")?,
    };
    let connection = content.store.connection("asset_folder.list").await?;
    let found = Listing::of(&query, ASSET_FOLDERS.list(&connection, space, &filter).await?)?;
    let views: Vec<_> = found.items.iter().map(FolderView::of).collect();
    Ok(found.headed(ApiResponse::ok(&wrapper::put("asset_folders", views))?))
}
